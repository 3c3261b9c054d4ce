import { Server as NetServer } from "node:net";
import type { Socket } from "node:net";
import type { Server, ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { CallError } from "@waybill/core";
import { abortCalls } from "./connection.ts";
import { overdueError } from "./ending.ts";
import type { HttpLimits } from "./options.ts";

/** How long a kept connection may stay silent after its last answer and the server's end. */
const KEPT_MS = 500;
/** How long a new connection may stay silent. Its client is about to send a request. */
const NEW_MS = 2_000;
/** How long aborted calls may take to answer. */
const ANSWER_MS = 2_000;
/** How long the server accepts connections that come one after the other. */
const ACCEPT_MS = 5_000;
/** After this time without a new connection, the system's queue counts as empty. */
const QUIET_MS = 25;
const SWEEP_MS = 20;

/** One connection, and what it is owed. */
interface Line {
  readonly unanswered: Set<ServerResponse>;
  /** The number of bytes of all requests that were answered. */
  answered: number;
  /** When the connection was accepted or its last request was answered. */
  since: number;
}

/** Tells the client that this is the last answer on its connection. */
function makeLast(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

/** Ends a server so that every request on an accepted connection gets an answer. */
export class Drain {
  readonly #server: Server;
  readonly #lines = new Map<Socket, Line>();
  #accepted = 0;
  #isDraining = false;

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket) => this.#add(socket));
    server.on("request", ({ socket }, response) => this.#owe(socket, response));
  }

  /**
   * Resolves when all connections are closed. `onOverdue` is called if calls are still running
   * after the grace period.
   */
  async close(
    { leaveMs, graceMs }: HttpLimits,
    onOverdue: (error: CallError) => void,
  ): Promise<void> {
    this.#isDraining = true;
    for (const line of this.#lines.values()) {
      line.unanswered.forEach(makeLast);
      line.since = performance.now();
    }
    if (leaveMs > 0) await wait(leaveMs);
    await this.#emptyQueue(Math.min(ACCEPT_MS, graceMs));
    const closed = this.#stopListening();
    void this.#sweep();
    await waitFor(closed, graceMs, () => {
      const error = overdueError();
      for (const socket of this.#lines.keys()) abortCalls(socket, error);
      onOverdue(error);
    });
    await waitFor(closed, ANSWER_MS, () => this.#server.closeAllConnections());
    await closed;
    // Stops Node's check for slow requests, which continues until now.
    this.#server.close();
  }

  #add(socket: Socket): void {
    this.#accepted += 1;
    this.#lines.set(socket, { unanswered: new Set(), answered: 0, since: performance.now() });
    socket.once("close", () => this.#lines.delete(socket));
  }

  #owe(socket: Socket, response: ServerResponse): void {
    if (this.#isDraining) makeLast(response);
    const line = this.#lines.get(socket);
    line?.unanswered.add(response);
    response.once("close", () => {
      if (line === undefined) return;
      line.unanswered.delete(response);
      line.answered = socket.bytesRead;
      line.since = performance.now();
    });
  }

  /**
   * Accepts connections until none has come for a moment, because the system resets those that are
   * still in its queue when the server stops listening.
   */
  async #emptyQueue(withinMs: number): Promise<void> {
    for (const end = performance.now() + withinMs; performance.now() < end;) {
      const before = this.#accepted;
      await nextTurn();
      // Node accepts between two turns, and often only one connection.
      await nextTurn();
      if (this.#accepted !== before) continue;
      await wait(QUIET_MS);
      await nextTurn();
      if (this.#accepted === before) return;
    }
  }

  /**
   * Only stops listening. Closing Node's HTTP server would also close idle connections, on which a
   * request may be on its way, and answers that are not fully written.
   */
  #stopListening(): Promise<void> {
    return new Promise((resolve) => {
      NetServer.prototype.close.call(this.#server, () => resolve());
    });
  }

  async #sweep(): Promise<void> {
    while (this.#lines.size > 0) {
      await wait(SWEEP_MS);
      const now = performance.now();
      // Reads what has arrived first, because the process may have been busy for a long time.
      await nextTurn();
      this.#closeSilent(now);
    }
  }

  /** Closes the connections on which nothing has arrived for a while. */
  #closeSilent(now: number): void {
    for (const [socket, { unanswered, answered, since }] of this.#lines) {
      const isSilent = unanswered.size === 0 && socket.bytesRead === answered;
      if (isSilent && now - since >= (answered === 0 ? NEW_MS : KEPT_MS)) socket.destroy();
    }
  }
}

/** Waits until something ends, and calls `late` if it takes longer. */
async function waitFor(ended: Promise<void>, ms: number, late: () => void): Promise<void> {
  const patience = new AbortController();
  const passed = wait(ms, true, { signal: patience.signal }).catch(() => false);
  const isLate = await Promise.race([ended.then(() => false), passed]);
  patience.abort();
  if (isLate) late();
}
