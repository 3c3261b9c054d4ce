import { CallError, errorFromUnknown, isCallError } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { AbortNode, buildEnv, deadlineClock, deadlineError } from "../operation/index.ts";
import type {
  CallMetadata,
  DeadlineEntry,
  Effect,
  Identity,
  OperationContext,
  OperationEnv,
} from "../operation/index.ts";
import { nextRequestId } from "./request-id.ts";
import { abortWith, callController } from "./signal-node.ts";

/** The options of a nested call. */
export interface CallOptions extends CallMetadata {
  /** Aborts the call (default: none). */
  readonly signal?: AbortSignal | undefined;
  /** The outer call. Its abort, deadline and identity apply here too (default: none). */
  readonly parent?: AbortNode | undefined;
  /**
   * The effect that the outermost call was approved for. Calls within it need no other approval
   * (default: none).
   */
  readonly approvedFor?: Effect | undefined;
}

/** Runs the calls that a handler makes through its context. */
export interface Dispatcher {
  execute(operationId: string, input: unknown, options: CallOptions): Promise<ResponseEnvelope>;
}

export function abortedError(reason: unknown): CallError {
  if (isCallError(reason)) return errorFromUnknown(reason);
  if (reason instanceof Error && reason.name === "TimeoutError") return deadlineError();
  const why = typeof reason === "string" && reason !== "" ? `: ${reason}` : "";
  return new CallError(
    "ABORTED",
    `The call was aborted by its caller${why}`,
    {},
    { cause: reason },
  );
}

const nestedErrors = new WeakMap<object, string>();

/**
 * The nested operation that the error came from. Undefined if the error did not come from a
 * nested call.
 */
export function nestedOperation(error: CallError): string | undefined {
  return nestedErrors.get(error);
}

/** Waits for a part of a call, at most until the call must end. */
export async function waitWithin<T>(context: CallContext, work: () => Promise<T>): Promise<T> {
  context.start();
  try {
    if (context.aborted !== undefined) throw context.aborted;
    return await context.wait(work());
  } finally {
    context.finish();
  }
}

/**
 * One running call, in the form that its handler sees. Signal, env and ids are created when they
 * are first read.
 */
export class CallContext extends AbortNode implements OperationContext {
  operationId: string;
  /** Called once, when the call is aborted. */
  reject: ((error: CallError) => void) | undefined;
  readonly #dispatcher: Dispatcher;
  readonly request: CallOptions;
  /** The effect that the outermost call was approved for. */
  approvedFor: Effect | undefined;
  #isStarted = false;
  #requestId: string | undefined;
  #controller: AbortController | undefined;
  #env: OperationEnv | undefined;
  #timer: DeadlineEntry | undefined;
  #stopListening: (() => void) | undefined;

  constructor(operationId: string, dispatcher: Dispatcher, options: CallOptions) {
    super();
    this.operationId = operationId;
    this.#dispatcher = dispatcher;
    this.#requestId = options.requestId;
    this.request = options;
    this.approvedFor = options.approvedFor;
  }

  get deadline(): number | undefined {
    return this.request.deadline;
  }

  get identity(): Identity | undefined {
    return this.request.identity;
  }

  get account(): string | undefined {
    return this.request.account;
  }

  get parentRequestId(): string | undefined {
    return this.request.parentRequestId;
  }

  get idempotencyKey(): string | undefined {
    return this.request.idempotencyKey;
  }

  get trace(): Readonly<Record<string, string>> | undefined {
    return this.request.trace;
  }

  get readsOnly(): boolean | undefined {
    return this.request.readsOnly;
  }

  get requestId(): string {
    return (this.#requestId ??= nextRequestId());
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = callController();
      if (this.aborted !== undefined) this.#controller.abort(this.aborted);
    }
    return this.#controller.signal;
  }

  get env(): OperationEnv {
    return (this.#env ??= buildEnv(this));
  }

  /** Whether an abort or a deadline can end this call before its handler does. */
  get canAbort(): boolean {
    const { deadline, parent, signal } = this.request;
    return deadline !== undefined || parent !== undefined || signal !== undefined;
  }

  call(operationId: string, input?: unknown): Promise<ResponseEnvelope> {
    return this.#nested(operationId, input, this.readsOnly, this.deadline);
  }

  look(operationId: string, input?: unknown, deadline?: number): Promise<ResponseEnvelope> {
    const until = Math.min(deadline ?? Infinity, this.deadline ?? Infinity);
    return this.#nested(operationId, input, true, until === Infinity ? undefined : until);
  }

  #nested(
    operationId: string,
    input: unknown,
    readsOnly: boolean | undefined,
    deadline: number | undefined,
  ): Promise<ResponseEnvelope> {
    const answered = this.#dispatcher.execute(operationId, input, {
      parentRequestId: this.requestId,
      identity: this.identity,
      account: this.account,
      deadline,
      trace: this.trace,
      readsOnly,
      approvedFor: this.approvedFor,
      parent: this.canAbort ? this : undefined,
    });
    // Handles rejections here, because an aborted handler may never await its calls, and an
    // unhandled rejection would end the process.
    answered.catch((error: unknown) => {
      if (typeof error === "object" && error !== null) nestedErrors.set(error, operationId);
    });
    return answered;
  }

  /** Waits for work that was started, or for the abort if that comes first. */
  wait<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.reject = reject;
      // The call may have been aborted while the work was being started.
      if (this.aborted !== undefined) reject(this.aborted);
      work.then(resolve, reject);
    });
  }

  /** Starts to listen for an abort, if that has not started yet. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { deadline, signal, parent } = this.request;
    // A deadline that is NaN counts as passed, because every comparison with it is false.
    if (deadline !== undefined && !(deadline > Date.now())) this.abort(deadlineError());
    if (signal?.aborted === true) this.abort(abortedError(signal.reason));
    if (this.aborted !== undefined) return;
    if (deadline !== undefined) this.#timer = deadlineClock.add(this, deadline);
    if (signal !== undefined) this.#stopListening = abortWith(signal, this, abortedError);
    parent?.attach(this);
  }

  finish(): void {
    if (this.#timer !== undefined) deadlineClock.remove(this.#timer);
    this.#stopListening?.();
    this.request.parent?.detach(this);
  }

  protected override onAbort(error: CallError): void {
    this.#controller?.abort(error);
    this.reject?.(error);
  }
}
