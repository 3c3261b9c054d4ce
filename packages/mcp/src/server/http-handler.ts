import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import type { AuthInfo } from "@modelcontextprotocol/server";
import type { Identity, Waybill } from "@waybill/core";
import { bothEras } from "./both-eras.ts";
import { buildServer } from "./build-server.ts";
import { DEFAULT_PROGRESS_MS } from "./options.ts";
import type { McpServerOptions } from "./options.ts";
import { requestStates } from "./request-state.ts";
import { Rounds } from "./rounds.ts";
import { waybillSurface } from "./waybill-surface.ts";

export interface McpHttpOptions extends McpServerOptions {
  /** Host names that this server answers to, without ports (default: names of this machine). */
  readonly hosts?: readonly string[];
  /** Origins that may send requests, without ports (default: names of this machine). */
  readonly origins?: readonly string[];
  readonly maxBodyBytes?: number;
  /** How many clients of the older era may have a session at a time. */
  readonly maxSessions?: number;
}

/** Facts about a request from its receiver. */
export interface McpRequestInfo {
  /** Who asks; without one the caller is the program itself and is trusted. */
  readonly identity?: Identity | undefined;
}

export interface McpHttpHandler {
  fetch(request: Request, facts?: McpRequestInfo): Promise<Response>;
  /** Ends what would continue by itself; calls running continue, and `close` would cancel them. */
  end(): void;
  close(): Promise<void>;
}

/** The SDK hands this on untouched, and so tells whose request it is. */
function findAuthInfo(identity: Identity | undefined): AuthInfo | undefined {
  if (identity === undefined) return undefined;
  return { token: "", clientId: identity.id, scopes: [...identity.scopes], extra: { identity } };
}

function viewFor(waybill: Waybill, authInfo: AuthInfo | undefined): Waybill {
  if (authInfo === undefined) return waybill;
  return waybill.as(authInfo.extra?.["identity"] as Identity);
}

/** A page that a browser was tricked into asking from is refused before anything is read. */
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

/** A page of another scheme may have any name. */
function oddOrigin(request: Request): Response | undefined {
  const origin = request.headers.get("origin");
  if (origin === null || /^https?:\/\/[^/?#@\s]+$/iu.test(origin)) return undefined;
  const error = { code: -32_000, message: "Invalid Origin header" };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 403 });
}

/** Waybill behind one URL, in both eras. */
export function createMcpHttpHandler(options: McpHttpOptions): McpHttpHandler {
  const { waybill, version, progressMs = DEFAULT_PROGRESS_MS } = options;
  const whole = waybillSurface(options);
  const parts = { version, states: requestStates(), progressMs, rounds: new Rounds() };
  const both = bothEras((authInfo) => {
    // No access rule says which of several callers may have another server's resources.
    const surface = authInfo === undefined ? whole : { ...whole, upstream: undefined };
    return buildServer({ ...parts, surface, waybill: viewFor(waybill, authInfo) });
  }, options);
  return {
    async fetch(request, { identity } = {}) {
      return foreignRequest(request, options) ?? both.fetch(request, findAuthInfo(identity));
    },
    end: () => both.end(),
    close: () => both.close(),
  };
}
