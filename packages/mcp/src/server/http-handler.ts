import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import type { AuthInfo, Server } from "@modelcontextprotocol/server";
import type { CallError, Identity, Waybill } from "@waybill/core";
import { serveBothProtocols } from "./both-protocols.ts";
import { buildServer } from "./build-server.ts";
import { DEFAULT_PROGRESS_MS } from "./options.ts";
import type { McpServerOptions } from "./options.ts";
import { requestStates } from "./request-state.ts";
import { Rounds } from "./rounds.ts";
import { waybillSurface } from "./waybill-surface.ts";

export interface McpHttpOptions extends McpServerOptions {
  /** Host names that this server accepts, without ports (default: names of this machine). */
  readonly hosts?: readonly string[];
  /** Origins that may send requests, without ports (default: names of this machine). */
  readonly origins?: readonly string[];
  readonly maxBodyBytes?: number;
  /** The maximum number of sessions of clients with the older protocol. */
  readonly maxSessions?: number;
}

/** Metadata of a request from the HTTP server. */
export interface McpRequestInfo {
  /**
   * The identity of the caller. If undefined, the caller is the program itself, which is
   * trusted.
   */
  readonly identity?: Identity | undefined;
}

export interface McpHttpHandler {
  fetch(request: Request, facts?: McpRequestInfo): Promise<Response>;
  /** Ends open streams. Running calls continue; `close` would cancel them. */
  end(): void;
  /** Aborts running calls, and answers them with this error. */
  abort(reason: CallError): void;
  close(): Promise<void>;
}

/** Puts the caller into the object that the SDK hands on with the request. */
function findAuthInfo(identity: Identity | undefined): AuthInfo | undefined {
  if (identity === undefined) return undefined;
  return { token: "", clientId: identity.id, scopes: [...identity.scopes], extra: { identity } };
}

function viewFor(waybill: Waybill, authInfo: AuthInfo | undefined): Waybill {
  if (authInfo === undefined) return waybill;
  return waybill.as(authInfo.extra?.["identity"] as Identity);
}

/** Refuses a request from another web page before anything is read. */
export function foreignRequest(
  request: Request,
  { hosts, origins }: Pick<McpHttpOptions, "hosts" | "origins">,
): Response | undefined {
  return (
    hostHeaderValidationResponse(request, [...(hosts ?? localhostAllowedHostnames())]) ??
    originValidationResponse(request, [...(origins ?? localhostAllowedOrigins())]) ??
    oddOrigin(request)
  );
}

/** Refuses an origin with another scheme, because such a page can choose its host name freely. */
function oddOrigin(request: Request): Response | undefined {
  const origin = request.headers.get("origin");
  if (origin === null || /^https?:\/\/[^/?#@\s]+$/iu.test(origin)) return undefined;
  const error = {
    code: -32_000,
    message:
      "The Origin header is not an http or https origin. Send the request from a program or an allowed page",
  };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 403 });
}

/** Serves Waybill at one URL, for both protocol versions. */
export function createMcpHttpHandler(options: McpHttpOptions): McpHttpHandler {
  const { waybill, version, progressMs = DEFAULT_PROGRESS_MS } = options;
  const whole = waybillSurface(options);
  const rounds = new Rounds();
  const parts = { version, states: requestStates(), progressMs, rounds };
  const { upstream } = whole;
  const onChange = upstream && ((listener: () => void) => upstream.onChange(listener));
  const connect = (authInfo: AuthInfo | undefined, isForOneRequest: boolean): Server => {
    // Identified callers do not get the resources of other servers, because no access rule
    // covers them.
    const surface = authInfo === undefined ? whole : { ...whole, upstream: undefined };
    const view = viewFor(waybill, authInfo);
    return buildServer({ ...parts, surface, waybill: view, isForOneRequest });
  };
  const both = serveBothProtocols(connect, { ...options, onChange });
  return {
    async fetch(request, { identity } = {}) {
      return foreignRequest(request, options) ?? both.fetch(request, findAuthInfo(identity));
    },
    end: () => both.end(),
    abort: (reason) => rounds.abort(reason),
    close: () => both.close(),
  };
}
