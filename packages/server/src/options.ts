import type { Identity, ResultEnvelope, Waybill } from "@waybill/core";
import type { InspectorOptions } from "./inspector/inspector.ts";
import type { OidcProviderOptions } from "./oidc.ts";
import type { CallerLimits } from "./rate-limit.ts";

/** A bearer token and its caller. */
export interface BearerToken {
  readonly token: string;
  /**
   * The identity of the caller. Without it, a caller with this token is trusted like the program
   * itself.
   */
  readonly identity?: Identity;
  /** Limits of this caller (default: those of the server). */
  readonly limits?: Partial<CallerLimits>;
}

/** A request that was refused before anything was called. */
export interface RefusedRequest {
  readonly route: string;
  /** The capability in the path; empty if there is none. */
  readonly capability_id: string;
  readonly address: string;
  /** The identity. Undefined for a caller whose token was refused. */
  readonly caller: string | undefined;
  readonly status: number;
  readonly message: string;
}

export interface HttpLimits extends CallerLimits {
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number;
  /** How deep JSON may be nested. */
  readonly maxDepth: number;
  /** How long a request may take to arrive. */
  readonly requestMs: number;
  /** The longest time a call may take, even if it asks for more. */
  readonly callMs: number;
  /**
   * How long to wait for the answer after a client has closed its sending side of the
   * connection.
   */
  readonly halfOpenMs: number;
  /**
   * How long a server that is ending still accepts requests, while `/health` tells proxies to
   * use another server.
   */
  readonly leaveMs: number;
  /** How long running requests may take after the server has stopped accepting new ones. */
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

/**
 * Answers MCP messages. It is passed in, so that this package does not depend on the MCP package.
 */
export type McpDoor = (
  request: Request,
  facts: { readonly identity?: Identity | undefined },
) => Promise<Response>;

/** Runs programs. It is passed in, so that this package does not depend on the code package. */
export interface CodeDoor {
  /** Never throws. */
  run(
    waybill: Waybill,
    program: string | undefined,
    options: Readonly<Record<string, unknown>>,
    caller: string,
  ): Promise<ResultEnvelope>;
  /** Writes the answer as brief text. */
  text(result: ResultEnvelope): string;
}

export interface HttpAppOptions {
  readonly waybill: Waybill;
  readonly version: string;
  /**
   * The tokens of callers. Without these and `oidc`, every caller is trusted like the program
   * itself, so only trusted programs may be able to reach the server.
   */
  readonly tokens?: readonly BearerToken[];
  /** Providers whose tokens identify callers (default: none). */
  readonly oidc?: readonly OidcProviderOptions[];
  /**
   * The public address of the server, such as `https://waybill.example` (default: from the Host
   * header).
   */
  readonly url?: string;
  /** Called for requests that are refused before anything is called (default: none). */
  readonly onRefused?: (refused: RefusedRequest) => void;
  /** Host names that the server answers to (default: names of this machine). */
  readonly hosts?: readonly string[];
  /** Origins that may send requests (default: names of this machine). */
  readonly origins?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  /** Handles `POST /v1/code`. */
  readonly code?: CodeDoor;
  /** Handles `/mcp`. */
  readonly mcp?: McpDoor;
  /** The inspector's page and its API. It requires tokens. */
  readonly inspector?: InspectorOptions;
}
