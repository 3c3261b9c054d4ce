import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import { isRecord, unmarkIntegers } from "@waybill/core/schema";
import type { Redactor } from "@waybill/core";
import { newRequestState } from "./request-state.ts";
import type { RequestState, RpcError } from "./request-state.ts";
import { READ_RAW, standIn } from "./stand-in.ts";
import type { ToolGuard } from "./stand-in.ts";

interface Pending {
  readonly method: string;
  readonly state: RequestState;
  /** Whether the server reported progress. */
  hasProgress: boolean;
  /** Whether the id of the answer has the same type as the one that was sent. */
  hasOwnId: boolean;
}

/** Any code works here. `RequestState` says what happened, and this error only wakes the caller. */
const LOST_CODE = -32_000;

/** Receives messages that a server sends without a request. */
export interface NotificationListener {
  readonly onNotification: (notification: Notification) => void;
  readonly onClosed: () => void;
}

/** A message of a server that needs no answer. */
export interface Notification {
  readonly method: string;
  readonly params?: unknown;
  /** Paths of integers that a number cannot hold. They are strings of digits. */
  readonly integers: readonly string[];
}

type Extra = Parameters<NonNullable<Transport["onmessage"]>>[1];
type SendOptions = Parameters<Transport["send"]>[1];

function readError(error: unknown): RpcError {
  const { code, message, data } = isRecord(error) ? error : {};
  return {
    code: Number.isSafeInteger(code) ? (code as number) : LOST_CODE,
    message:
      typeof message === "string"
        ? message
        : "an error without a message; look into the log of the server",
    ...(data !== undefined && { data }),
  };
}

/** The error in an answer that the SDK would ignore or read as empty. */
function answerProblem(message: JSONRPCMessage, { method, hasOwnId }: Pending): string | undefined {
  if (!hasOwnId) return "a response whose id is a string and not the number that was sent";
  const result: unknown = Reflect.get(message, "result");
  if (result === undefined) return "a response without a result";
  if (!isRecord(result)) return "a response whose result is not an object";
  const isList = Array.isArray(result["tools"]);
  return method === "tools/list" && !isList ? "no list of tools" : undefined;
}

/**
 * An error in place of an unreadable answer. The outcome of the call is then unknown, because the
 * answer does not say what the server did.
 */
function failedAnswer(
  message: JSONRPCMessage,
  state: RequestState,
  problem: string,
): JSONRPCMessage {
  const error = { code: LOST_CODE, message: `The server sent ${problem}` };
  state.rpcError = { ...error, final: true };
  return { jsonrpc: "2.0", id: Reflect.get(message, "id") as RequestId, error };
}

/**
 * A transport that records how far each request got. Errors of the SDK look the same whether the
 * server sent them or the client created them, but for a write the difference matters.
 */
export class Wire implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  readonly #inner: Transport;
  readonly #isTool: ToolGuard;
  readonly #wasTooLarge: () => boolean;
  readonly #pending = new Map<RequestId, Pending>();
  /** Requests by the arguments of their call, the only object that the SDK passes on unchanged. */
  readonly #requests = new WeakMap<object, RequestState>();
  readonly #listeners = new Set<NotificationListener>();

  constructor(inner: Transport, isTool: ToolGuard, wasTooLarge: () => boolean, redactor: Redactor) {
    this.#inner = inner;
    this.#isTool = isTool;
    this.#wasTooLarge = wasTooLarge;
    if (inner.hasPerRequestStream === true) this.hasPerRequestStream = true;
    if ("stderr" in inner && "pid" in inner) {
      Object.assign(this, { stderr: inner.stderr, pid: inner.pid });
    }
    // Removes secrets before any part is quoted, because a server may repeat secrets that were
    // sent to it.
    inner.onmessage = (message, extra) => this.#receive(redactor.data(message), extra);
    inner.onerror = (error) => this.onerror?.(error);
    inner.onclose = () => this.#closed();
  }

  readonly hasPerRequestStream?: boolean;

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Tracks the request that has these arguments. */
  follow(args: object): RequestState {
    const state = newRequestState();
    this.#requests.set(args, state);
    return state;
  }

  /**
   * Adds a listener for all notifications, because the SDK allows only one handler per
   * notification. Returns a function that removes it.
   */
  listen(listener: NotificationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    if (!("method" in message && "id" in message)) return this.#inner.send(message, options);
    const { id, method, params } = message;
    const args: unknown = params?.["arguments"];
    const state = (isRecord(args) ? this.#requests.get(args) : undefined) ?? newRequestState();
    state.isSent = true;
    this.#pending.set(id, { method, state, hasProgress: false, hasOwnId: true });
    const onRequestStreamEnd =
      options?.onRequestStreamEnd ?? (() => this.lose(id, this.#wasTooLarge()));
    try {
      await this.#inner.send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      this.#pending.delete(id);
      throw error;
    }
  }

  /** Fails a request whose answer can no longer arrive. */
  lose(id: RequestId, isTooLarge = false): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    pending.state.isLost = true;
    pending.state.isTooLarge = isTooLarge;
    const error = { code: LOST_CODE, message: "The answer was lost" };
    this.onmessage?.({ jsonrpc: "2.0", id, error });
  }

  #receive(message: JSONRPCMessage, extra: Extra): void {
    if ("method" in message) {
      if (!("id" in message)) this.#tell(message);
      unmarkIntegers(message, "number");
      this.#noteProgress(message);
      this.onmessage?.(message, extra);
      return;
    }
    const pending = this.#take(message);
    const answer = pending === undefined ? message : this.#answer(message, pending);
    // Delays the answer, because the SDK delivers progress a little later and would drop it if
    // the answer came first.
    if (pending?.hasProgress === true) setImmediate(() => this.onmessage?.(answer, extra));
    else this.onmessage?.(answer, extra);
  }

  #tell({ method, params: given }: { method: string; params?: unknown }): void {
    if (this.#listeners.size === 0) return;
    const { value: params, integers } = unmarkIntegers(structuredClone(given));
    const notification = { method, ...(params !== undefined && { params }), integers };
    for (const { onNotification } of this.#listeners) onNotification(notification);
  }

  #noteProgress({ method, params }: { method: string; params?: object | undefined }): void {
    if (method !== "notifications/progress" || params === undefined) return;
    const pending = this.#pending.get(Reflect.get(params, "progressToken") as RequestId);
    if (pending !== undefined) pending.hasProgress = true;
  }

  /** Finds the request of an answer. A string id matches the number that was sent, as in the SDK. */
  #take(message: JSONRPCMessage): Pending | undefined {
    const told = Reflect.get(message, "id") as RequestId;
    const hasOwnId = this.#pending.has(told);
    const id = hasOwnId ? told : Number(told);
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending === undefined ? undefined : { ...pending, hasOwnId };
  }

  #answer(message: JSONRPCMessage, pending: Pending): JSONRPCMessage {
    const { method, state } = pending;
    if ("error" in message) {
      state.rpcError = readError(unmarkIntegers(message.error).value);
      // Rewrites the response, because the SDK ignores one that has more than an error, or an error
      // in another form.
      return { jsonrpc: "2.0", id: Reflect.get(message, "id") as RequestId, error: state.rpcError };
    }
    const problem = answerProblem(message, pending);
    if (problem !== undefined) return failedAnswer(message, state, problem);
    state.isAnswered = true;
    const exact = unmarkIntegers(
      Reflect.get(message, "result"),
      READ_RAW.has(method) ? "digits" : "number",
    );
    state.integers = exact.integers;
    return { ...message, result: standIn(method, exact.value, this.#isTool) } as JSONRPCMessage;
  }

  #closed(): void {
    for (const { state } of this.#pending.values()) state.isLost = true;
    this.#pending.clear();
    for (const { onClosed } of this.#listeners) onClosed();
    this.onclose?.();
  }
}
