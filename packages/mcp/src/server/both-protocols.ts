import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { AuthInfo, Server } from "@modelcontextprotocol/server";
import { Sessions } from "./sessions.ts";
import { strictly } from "./strict-request.ts";

const MAX_BODY = 1_048_576;
const MAX_SESSIONS = 256;
const IDLE_MS = 600_000;

export interface EraOptions {
  readonly maxBodyBytes?: number;
  readonly maxSessions?: number;
  /** Adds a listener for changes of a list. Returns a function that removes it. */
  readonly onChange?: ((listener: () => void) => () => void) | undefined;
}

interface BothEras {
  readonly fetch: Fetch;
  end(): void;
  close(): Promise<void>;
}

/**
 * Lets `ending` end a stream of notifications, which would stay open otherwise. Other requests
 * end on their own.
 */
function endingWith(request: Request, ending: AbortSignal): Request {
  if (request.headers.get("mcp-method") !== "subscriptions/listen") return request;
  return new Request(request, { signal: AbortSignal.any([request.signal, ending]) });
}

type Fetch = (request: Request, authInfo: AuthInfo | undefined) => Promise<Response>;

/**
 * Serves both protocol versions with one factory: the newer version without sessions, the older
 * one with sessions.
 */
export function serveBothProtocols(
  connect: (authInfo: AuthInfo | undefined, isForOneRequest: boolean) => Server,
  { maxBodyBytes = MAX_BODY, maxSessions = MAX_SESSIONS, onChange }: EraOptions,
): BothEras {
  const maxRequestBodySize = maxBodyBytes;
  const modern = createMcpHandler(({ authInfo }) => connect(authInfo, true), {
    legacy: "reject",
    maxRequestBodySize,
  });
  const sessions = new Sessions((authInfo) => connect(authInfo, false), {
    maxSessions,
    idleMs: IDLE_MS,
    maxBodyBytes,
  });
  const ending = new AbortController();
  // A server of the newer protocol exists for one request, so its clients listen on the handler.
  const stopTelling = onChange?.(() => {
    modern.notify.toolsChanged();
    modern.notify.resourcesChanged();
    modern.notify.promptsChanged();
  });
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
      stopTelling?.();
      await modern.close();
      await sessions.close();
    },
  };
}
