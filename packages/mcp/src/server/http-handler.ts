import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import type { AuthInfo, Server } from "@modelcontextprotocol/server";
import type { Identity, Waybill } from "@waybill/core";
import { buildServer } from "./build-server.ts";
import { DEFAULT_PROGRESS_MS } from "./options.ts";
import type { McpServerOptions } from "./options.ts";
import { requestStates } from "./request-state.ts";
import { Sessions } from "./sessions.ts";
import { strictly } from "./strict-request.ts";
import { waybillSurface } from "./waybill-surface.ts";

export interface McpHttpOptions extends McpServerOptions {
  /** Names under which this server may be asked for, without ports; those of this machine unless given. */
  readonly hosts?: readonly string[];
  /** Names of pages that may ask, without ports; those of this machine unless given. */
  readonly origins?: readonly string[];
  readonly maxBodyBytes?: number;
  /** How many clients of the older era may have a session at a time. */
  readonly maxSessions?: number;
}

/** What whoever received a request knows about it. */
export interface McpRequestFacts {
  /** Who asks; without one the caller is the program itself and is trusted. */
  readonly identity?: Identity | undefined;
}

export interface McpHttpHandler {
  fetch(request: Request, facts?: McpRequestFacts): Promise<Response>;
  /** Ends what would go on by itself; calls under way go on, and `close` would cancel them. */
  end(): void;
  close(): Promise<void>;
}

const MAX_BODY = 1_048_576;
const MAX_SESSIONS = 256;
const IDLE_MS = 600_000;

/** The SDK hands this on untouched, and so tells whose request it is. */
function authInfoOf(identity: Identity | undefined): AuthInfo | undefined {
  if (identity === undefined) return undefined;
  return { token: "", clientId: identity.id, scopes: [...identity.scopes], extra: { identity } };
}

function viewFor(waybill: Waybill, authInfo: AuthInfo | undefined): Waybill {
  if (authInfo === undefined) return waybill;
  return waybill.as(authInfo.extra?.["identity"] as Identity);
}

interface BothEras extends Pick<McpHttpHandler, "end" | "close"> {
  readonly fetch: Fetch;
}

/** A stream of notices stays open until someone ends it; whatever else is asked ends by itself. */
function endingWith(request: Request, ending: AbortSignal): Request {
  if (request.headers.get("mcp-method") !== "subscriptions/listen") return request;
  return new Request(request, { signal: AbortSignal.any([request.signal, ending]) });
}

type Fetch = (request: Request, authInfo: AuthInfo | undefined) => Promise<Response>;

/** Both eras from one factory: the newer without sessions, the older with them. */
export function bothEras(
  connect: (authInfo: AuthInfo | undefined) => Server,
  { maxBodyBytes = MAX_BODY, maxSessions = MAX_SESSIONS }: Partial<McpHttpOptions>,
): BothEras {
  const maxRequestBodySize = maxBodyBytes;
  const modern = createMcpHandler(({ authInfo }) => connect(authInfo), {
    legacy: "reject",
    maxRequestBodySize,
  });
  const sessions = new Sessions(connect, { maxSessions, idleMs: IDLE_MS, maxBodyBytes });
  const ending = new AbortController();
  return {
    async fetch(received, authInfo) {
      const request = await strictly(received, maxBodyBytes);
      if (request instanceof Response) return request;
      const isOlder = await isLegacyRequest(request, undefined, { maxRequestBodySize });
      if (isOlder) return sessions.fetch(request, authInfo);
      const endable = endingWith(request, ending.signal);
      return modern.fetch(endable, authInfo === undefined ? {} : { authInfo });
    },
    end() {
      ending.abort();
      sessions.end();
    },
    async close() {
      await modern.close();
      await sessions.close();
    },
  };
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
  const parts = { surface: waybillSurface(options), version, states: requestStates(), progressMs };
  const both = bothEras(
    (authInfo) => buildServer({ ...parts, waybill: viewFor(waybill, authInfo) }),
    options,
  );
  return {
    async fetch(request, { identity } = {}) {
      return foreignRequest(request, options) ?? both.fetch(request, authInfoOf(identity));
    },
    end: () => both.end(),
    close: () => both.close(),
  };
}
