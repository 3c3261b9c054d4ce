import type { Identity, ResultEnvelope, Waybill } from "@waybill/core";
import type { InspectorOptions } from "./inspector/inspector.ts";
import type { OidcProviderOptions } from "./oidc.ts";
import type { CallerLimits } from "./rate-limit.ts";

/** A bearer token, and the caller it stands for. */
export interface BearerToken {
  readonly token: string;
  /** Without one, a caller with this token is trusted as the program itself is. */
  readonly identity?: Identity;
  /** For this caller (default: those of the server). */
  readonly limits?: Partial<CallerLimits>;
}

/** A request that was refused before anything was called. */
export interface RefusedRequest {
  readonly route: string;
  /** The capability in the path; empty if there is none. */
  readonly capability_id: string;
  readonly address: string;
  /** Undefined for a caller whose token was refused. */
  readonly caller: string | undefined;
  readonly status: number;
  readonly message: string;
}

export interface HttpLimits extends CallerLimits {
  /** Limit of one request's body. */
  readonly maxBodyBytes: number;
  /** How deep JSON may be nested. */
  readonly maxDepth: number;
  /** How long a request may take to arrive. */
  readonly requestMs: number;
  /** How long a call may take, whatever it asks for. */
  readonly callMs: number;
  /** How long a caller that has closed its end of the connection is still answered. */
  readonly halfOpenMs: number;
  /** How long a server that is to end still takes requests, while `/health` sends proxies away. */
  readonly leaveMs: number;
  /** How long requests running may take once the server is to end. */
  readonly graceMs: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  maxBodyBytes: 1_048_576,
  maxDepth: 64,
  requestMs: 30_000,
  callMs: 120_000,
  perSecond: 100,
  burst: 200,
  concurrent: 200,
  halfOpenMs: 5_000,
  leaveMs: 0,
  graceMs: 10_000,
};

/** Answers MCP messages; what it is made of is not this package's business. */
export type McpDoor = (
  request: Request,
  facts: { readonly identity?: Identity | undefined },
) => Promise<Response>;

/** Runs programs; what it is made of is not this package's business. Never throws. */
export type CodeDoor = (
  waybill: Waybill,
  program: string | undefined,
  options: Readonly<Record<string, unknown>>,
  caller: string,
) => Promise<ResultEnvelope>;

export interface HttpAppOptions {
  readonly waybill: Waybill;
  readonly version: string;
  /**
   * Who may call. Without these and `oidc`, every caller is trusted as the program
   * itself is, so it has to be out of everyone else's reach.
   */
  readonly tokens?: readonly BearerToken[];
  /** Providers whose tokens sign callers in (default: none). */
  readonly oidc?: readonly OidcProviderOptions[];
  /** The address that callers know, such as `https://waybill.example` (default: by the Host header). */
  readonly url?: string;
  /** Told of requests that are refused before anything is called (default: none). */
  readonly onRefused?: (refused: RefusedRequest) => void;
  /** Host names that the server answers to (default: names of this machine). */
  readonly hosts?: readonly string[];
  /** Origins that may send requests (default: names of this machine). */
  readonly origins?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  /** Answers `POST /v1/code`. */
  readonly code?: CodeDoor;
  /** The handler of `/mcp`. */
  readonly mcp?: McpDoor;
  /** The page that shows what is called, and what it asks for. It needs tokens. */
  readonly inspector?: InspectorOptions;
}
