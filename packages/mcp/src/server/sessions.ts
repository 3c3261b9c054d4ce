import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { AuthInfo, Server } from "@modelcontextprotocol/server";

export interface SessionLimits {
  readonly maxSessions: number;
  readonly idleMs: number;
  readonly maxBodyBytes: number;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** The caller that owns the session. Others cannot use it, even with its id. */
  readonly owner: string;
  usedAt: number;
}

const HEADER = "mcp-session-id";

function getOwner(authInfo: AuthInfo | undefined): string {
  return authInfo?.clientId ?? "";
}

function refusalResponse(status: number, message: string): Response {
  const error = { code: -32_000, message };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status });
}

/**
 * Sessions of clients with the older protocol. Over a session, a server can ask questions. If
 * there are too many, the session that was idle the longest is closed.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #connect: (authInfo: AuthInfo | undefined) => Server;
  readonly #limits: SessionLimits;
  #isEnding = false;

  constructor(connect: (authInfo: AuthInfo | undefined) => Server, limits: SessionLimits) {
    this.#connect = connect;
    this.#limits = limits;
  }

  async fetch(request: Request, authInfo: AuthInfo | undefined): Promise<Response> {
    if (this.#isEnding && request.method === "GET")
      return refusalResponse(503, "The server is shutting down. Call again later");
    const options = authInfo === undefined ? {} : { authInfo };
    const id = request.headers.get(HEADER);
    if (id === null) return (await this.#open(authInfo)).handleRequest(request, options);
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== getOwner(authInfo)) {
      return refusalResponse(404, "Session not found. Send initialize to start a new one");
    }
    // Inserts the session again, so that the map stays in the order of use.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    session.usedAt = Date.now();
    return session.transport.handleRequest(request, options);
  }

  /**
   * Keeps the session if the client initialises it. Other requests are answered without a session.
   */
  async #open(authInfo: AuthInfo | undefined): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      maxRequestBodySize: this.#limits.maxBodyBytes,
      onsessioninitialized: (id) => {
        this.#makeRoom();
        this.#sessions.set(id, { transport, owner: getOwner(authInfo), usedAt: Date.now() });
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await this.#connect(authInfo).connect(transport);
    return transport;
  }

  #makeRoom(): void {
    const { maxSessions, idleMs } = this.#limits;
    const oldest = Date.now() - idleMs;
    for (const [id, { transport, usedAt }] of this.#sessions) {
      if (usedAt > oldest && this.#sessions.size < maxSessions) return;
      this.#sessions.delete(id);
      void transport.close();
    }
  }

  /** Ends the streams on which clients only listen. */
  end(): void {
    this.#isEnding = true;
    for (const { transport } of this.#sessions.values()) transport.closeStandaloneSSEStream();
  }

  async close(): Promise<void> {
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(open.map(({ transport }) => transport.close()));
  }
}
