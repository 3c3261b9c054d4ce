// GraphQL subscriptions over WebSocket, by the graphql-transport-ws protocol.
import { errorFromUnknown, fail, isCallError } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { isRecord, markIntegers } from "@waybill/core/schema";
import type { Client, SubscribePayload } from "graphql-ws/client";
import type { WebSocket } from "ws";
import { addressGuard } from "../http/index.ts";
import type { AllowPrivate } from "../http/index.ts";

export interface SocketRequest {
  /** A `ws:`, `wss:`, `http:` or `https:` address. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: object;
  readonly allowPrivate: AllowPrivate;
}

const CONNECT_MS = 10_000;
const MAX_MESSAGE = 1_000_000;
/** If this many results are unread, reading from the connection stops. */
const MAX_UNREAD = 100;

/** Loaded when a subscription first needs a WebSocket. */
const libraries = () => Promise.all([import("graphql-ws/client"), import("ws")]);

const CLOSE_CODES: Readonly<Record<number, "AUTH" | "VALIDATION" | "RATE_LIMIT">> = {
  4400: "VALIDATION",
  4401: "AUTH",
  4403: "AUTH",
  4429: "RATE_LIMIT",
};

/** The error for a connection that the server closed. */
function closedError({ code, reason }: { code: number; reason: unknown }): CallError {
  const why = typeof reason === "string" && reason !== "" ? `: ${reason}` : "";
  const message = `The endpoint closed the subscription with code ${code}${why}. Subscribe again`;
  return fail(CLOSE_CODES[code] ?? "NETWORK", message);
}

function isClosing(thrown: unknown): thrown is { code: number; reason: unknown } {
  return isRecord(thrown) && typeof Reflect.get(thrown, "code") === "number";
}

function socketAddress(given: string): URL {
  const url = new URL(given);
  url.protocol = url.protocol.replace("http", "ws");
  return url;
}

/** The results of one subscription, in order. */
class SocketResults {
  readonly #unread: object[] = [];
  #client: Client | undefined;
  #socket: WebSocket | undefined;
  #address = "";
  #isOpen = false;
  #isDone = false;
  #problem: unknown;
  #wake: () => void = () => undefined;

  async start({ url, headers, payload, allowPrivate }: SocketRequest): Promise<void> {
    const [{ createClient }, { WebSocket: Socket }] = await libraries();
    const address = socketAddress(url);
    this.#address = `${address.host}${address.pathname}`;
    const guard = addressGuard(allowPrivate);
    guard.assert(address);
    const options = {
      headers,
      lookup: guard.lookup,
      handshakeTimeout: CONNECT_MS,
      maxPayload: MAX_MESSAGE,
    };
    const keep = (socket: WebSocket): void => {
      this.#socket = socket;
    };
    // Also sends the token in the first message. Most servers read it there, because browsers
    // cannot set headers of a WebSocket.
    const { authorization } = headers;
    this.#client = createClient({
      url: address.href,
      retryAttempts: 0,
      ...(authorization !== undefined && { connectionParams: { Authorization: authorization } }),
      webSocketImpl: class extends Socket {
        constructor(target: string, protocols: string) {
          super(target, protocols, options);
          keep(this);
        }

        /** Marks integers that a number cannot hold before the library parses a message. */
        override emit(name: string | symbol, ...given: unknown[]): boolean {
          const [data, isBinary] = given;
          if (name !== "message" || isBinary !== false) return super.emit(name, ...given);
          return super.emit(name, Buffer.from(markIntegers(String(data))), false);
        }
      },
      on: { connected: () => void (this.#isOpen = true) },
    });
    this.#client.subscribe(payload as SubscribePayload, {
      next: (result) => this.#push(result),
      error: (problem) => this.#end(problem),
      complete: () => this.#end(undefined),
    });
  }

  #push(result: object): void {
    this.#unread.push(result);
    if (this.#unread.length >= MAX_UNREAD) this.#socket?.pause();
    this.#wake();
  }

  #end(problem: unknown): void {
    this.#problem ??= problem;
    this.#isDone = true;
    this.#wake();
  }

  stop(reason: CallError | undefined): void {
    this.#end(reason);
    void this.#client?.dispose();
    this.#socket?.terminate();
  }

  async *read(): AsyncGenerator<object> {
    for (;;) {
      const next = this.#unread.shift();
      if (next !== undefined) yield next;
      else if (this.#isDone) break;
      else await this.#waitForMore();
    }
    if (Array.isArray(this.#problem)) yield { errors: this.#problem as unknown };
    else if (this.#problem !== undefined) throw this.#failure(this.#problem);
  }

  async #waitForMore(): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    this.#socket?.resume();
    await woken;
  }

  #failure(problem: unknown): unknown {
    if (isClosing(problem) && (this.#isOpen || problem.code >= 4000)) return closedError(problem);
    return this.#isOpen || isCallError(problem) ? problem : this.#notOpened(problem);
  }

  #notOpened(problem: unknown): CallError {
    const cause = isRecord(problem) && "error" in problem ? problem["error"] : problem;
    const why = cause instanceof Error ? cause.message : "the connection was closed";
    const message = `The WebSocket for subscriptions at ${this.#address} could not be opened: ${why}`;
    return fail("NETWORK", message, { phase: "connecting" }, { cause });
  }
}

/**
 * Subscribes over a WebSocket and yields execution results. Errors of the request are yielded as
 * results.
 */
export async function* socketResults(
  request: SocketRequest,
  signal: AbortSignal,
): AsyncGenerator<object> {
  const results = new SocketResults();
  const stop = (): void => results.stop(errorFromUnknown(signal.reason));
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    await results.start(request);
    yield* results.read();
  } finally {
    signal.removeEventListener("abort", stop);
    results.stop(undefined);
  }
}
