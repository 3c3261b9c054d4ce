import { CallError, errorFromUnknown, isResponseEnvelope } from "../envelope/index.ts";
import type { CallErrorCode, CallErrorDetails, ResponseEnvelope } from "../envelope/index.ts";
import { deadlineError } from "../operation/index.ts";
import type { OperationCaller, OperationSummary } from "../operation/index.ts";
import { abortedError, nextRequestId } from "../registry/index.ts";
import type { CallOptions } from "../registry/index.ts";
import type { AnswerEvent, CallEvent, CallRequestedEvent } from "./events.ts";
import { inProcessTransport } from "./in-process-transport.ts";
import { problemWith } from "./limits.ts";
import { PendingCall } from "./pending-call.ts";
import type { PendingRequest } from "./pending-call.ts";
import { DEFAULT_WINDOW, PendingSubscription } from "./pending-subscription.ts";
import type { SubscribeOptions } from "./pending-subscription.ts";
import { RequestTable } from "./request-table.ts";
import { ServedCall } from "./served-call.ts";
import type { AnswerListener, CallTransport, Exchange } from "./transport.ts";

/**
 * Runs a request and publishes its answer through the same map. Calls that the handler makes can
 * pass `parent`, so that they are aborted together with the request.
 */
export type CallHandler = (request: CallRequestedEvent, parent?: ServedCall) => Promise<void>;

/** Options of a PendingRequestMap. */
export interface PendingRequestMapOptions {
  /** The transport for events (default: in this process). */
  readonly transport?: CallTransport;
  /** Sees every event, for logs and tests. Errors that it throws are ignored (default: none). */
  readonly observe?: (event: CallEvent) => void;
}

function requestEvent(
  requestId: string,
  operationId: string,
  input: unknown,
  options: CallOptions,
): CallRequestedEvent {
  return {
    type: "call.requested",
    requestId,
    operationId,
    // Omits undefined values, because JSON cannot represent them.
    input: input === undefined ? {} : input,
    parentRequestId: options.parentRequestId,
    identity: options.identity,
    deadline: options.deadline,
    idempotencyKey: options.idempotencyKey,
    trace: options.trace,
  };
}

/** Errors of the observer are ignored, because observing never changes an answer. */
function quiet(observe: (event: CallEvent) => void): (event: CallEvent) => void {
  return (event) => {
    try {
      observe(event);
    } catch {
      // Ignored, because observing never changes an answer.
    }
  };
}

/**
 * Runs a handler and turns thrown errors into rejections. A handler without types may also
 * return no promise.
 */
function started(
  handler: CallHandler,
  request: CallRequestedEvent,
  served: ServedCall,
): Promise<void> {
  try {
    return Promise.resolve(handler(request, served));
  } catch (thrown) {
    return Promise.reject(errorFromUnknown(thrown));
  }
}

/** Returns why a request must not be sent, or undefined. */
function subscribeError(options: SubscribeOptions): CallError | undefined {
  const problem = problemWith(options);
  if (problem !== undefined) return new CallError("VALIDATION_ERROR", problem);
  const { deadline, signal, parent } = options;
  if (deadline !== undefined && deadline <= Date.now()) return deadlineError();
  return signal?.aborted === true ? abortedError(signal.reason) : parent?.aborted;
}

/**
 * Wraps the error of a transport that failed to send. If the transport set an outcome, it is
 * kept.
 */
function notSent(thrown: unknown): CallError {
  const error = errorFromUnknown(thrown);
  return error.with({ outcome: "not_applied", ...error.details });
}

/**
 * Both ends of the call protocol: requests that wait for an answer, and requests that are being
 * served. An answer goes to the requester through the exchange of its request.
 *
 * @example
 * ```ts
 * import { buildCallHandler, defineOperation, OperationRegistry, PendingRequestMap } from "@waybill/core";
 *
 * const registry = new OperationRegistry();
 * registry.register(
 *   defineOperation({ id: "hello.say", description: "", effect: "read", handler: () => "Hello" }),
 * );
 * const callMap = new PendingRequestMap();
 * callMap.serve(buildCallHandler({ registry, callMap }));
 * console.log((await callMap.call("hello.say")).data);
 * ```
 *
 * ```text
 * Hello
 * ```
 */
export class PendingRequestMap implements OperationCaller {
  readonly #transport: CallTransport;
  readonly #observe: ((event: CallEvent) => void) | undefined;
  readonly #pending = new RequestTable<PendingRequest>();
  readonly #served = new RequestTable<ServedCall>();

  /** Connects to a transport (default: one inside this process). */
  constructor(options: PendingRequestMapOptions = {}) {
    this.#transport = options.transport ?? inProcessTransport();
    this.#observe = options.observe && quiet(options.observe);
  }

  /** How many requests wait for an answer. */
  get size(): number {
    return this.#pending.size;
  }

  /** Sends a call and waits for its answer. Throws a CallError if it fails. */
  call(operationId: string, input?: unknown, options: CallOptions = {}): Promise<ResponseEnvelope> {
    const requestId = options.requestId ?? nextRequestId();
    return new Promise((resolve, reject) => {
      const pending = new PendingCall(requestId, options, this.#forget);
      pending.resolve = resolve;
      pending.reject = reject;
      this.#send(pending, requestEvent(requestId, operationId, input, options), options);
    });
  }

  /** Subscribes, and yields one envelope per value. */
  subscribe(
    operationId: string,
    input?: unknown,
    options: SubscribeOptions = {},
  ): AsyncIterableIterator<ResponseEnvelope> {
    const requestId = options.requestId ?? nextRequestId();
    const pending = new PendingSubscription(requestId, options, this.#forget);
    const { window = DEFAULT_WINDOW } = options;
    const request = { ...requestEvent(requestId, operationId, input, options), window };
    this.#send(pending, request, options);
    return pending;
  }

  /** Aborts a request. Its caller gets ABORTED, and the serving side is notified. */
  abort(requestId: string, reason?: string): boolean {
    const pending = this.#pending.get(requestId);
    if (pending === undefined) return false;
    pending.abort(new CallError("ABORTED", reason ?? "The call was aborted by its caller"));
    return true;
  }

  /** Passes requests to the handler until the returned function is called. */
  serve(handler: CallHandler, describe: () => readonly OperationSummary[] = () => []): () => void {
    return this.#transport.serve(
      (request, requester) => this.#accept(handler, request, requester),
      describe,
    );
  }

  /** Lists the operations of the other end. */
  discover(): Promise<readonly OperationSummary[]> {
    return this.#transport.discover();
  }

  /** Answers a request that is being served here. Returns false if nobody waits for it. */
  respond(requestId: string, output: ResponseEnvelope): boolean {
    if (!isResponseEnvelope(output)) {
      throw new TypeError(
        "respond() takes a ResponseEnvelope; wrap the value, for example with localEnvelope()",
      );
    }
    return this.#answer({ type: "call.responded", requestId, output });
  }

  /** Answers a request that is being served with an error. */
  emitError(
    requestId: string,
    code: CallErrorCode,
    message: string,
    details?: CallErrorDetails,
  ): boolean {
    const event = { type: "call.error", requestId, code, message } as const;
    return this.#answer(details === undefined ? event : { ...event, details });
  }

  /** Ends a subscription that is being served here. */
  complete(requestId: string): boolean {
    return this.#answer({ type: "call.completed", requestId });
  }

  /** Ends all requests and closes the transport. */
  close(): Promise<void> {
    for (const { requestId } of this.#pending.values()) {
      this.abort(requestId, "The transport was closed; create a new one");
    }
    return this.#transport.close();
  }

  readonly #forget = (request: PendingRequest): void => {
    if (request.isSent) this.#pending.delete(request.requestId);
  };

  #send(pending: PendingRequest, request: CallRequestedEvent, options: CallOptions): void {
    const { requestId } = request;
    const refused = subscribeError(options);
    if (refused !== undefined) {
      pending.abort(refused);
      return;
    }
    if (!this.#pending.add(requestId, pending)) {
      pending.abort(
        new CallError("VALIDATION_ERROR", `The request id ${requestId} is in use. Use another id`),
      );
      return;
    }
    pending.isSent = true;
    this.#observe?.(request);
    this.#hand(pending, request);
  }

  #hand(pending: PendingRequest, request: CallRequestedEvent): void {
    let exchange: Exchange;
    try {
      exchange = this.#transport.request(request, pending);
    } catch (thrown) {
      pending.refuse(notSent(thrown));
      return;
    }
    pending.begin(exchange);
  }

  #accept(handler: CallHandler, request: CallRequestedEvent, requester: AnswerListener): Exchange {
    const served = new ServedCall(request, requester, this.#observe);
    const problem = problemWith(request);
    if (problem !== undefined) return served.refuse(problem);
    if (!this.#served.add(request.requestId, served)) {
      return served.refuse("The request id is in use. Use another id");
    }
    const end = (): void => {
      // The handler has ended and cannot answer any more. A requester that still waits is told
      // that the request ended.
      if (!served.isAnswered) this.complete(request.requestId);
      this.#served.delete(request.requestId);
    };
    started(handler, request, served).then(end, (thrown: unknown) => {
      const { code, message, details } = errorFromUnknown(thrown);
      this.emitError(request.requestId, code, message, details);
      end();
    });
    return served;
  }

  #answer(event: AnswerEvent): boolean {
    const served = this.#served.get(event.requestId);
    if (served === undefined || served.isEnded) return false;
    this.#observe?.(event);
    served.answer(event);
    return true;
  }
}
