import { CallError, errorFromUnknown, isCallError } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { AbortNode, buildEnv, deadlineClock, deadlineError } from "../operation/index.ts";
import type {
  CallFacts,
  DeadlineEntry,
  Effect,
  Identity,
  OperationContext,
  OperationEnv,
} from "../operation/index.ts";
import { nextRequestId } from "./request-id.ts";
import { abortWith, callController } from "./signal-node.ts";

/** What a caller may say about a call. */
export interface CallOptions extends CallFacts {
  /** Gives the call up when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** The call this one belongs to: its abort, deadline and identity hold here too. */
  readonly parent?: AbortNode | undefined;
  /** What the call at the door was let in for; what it calls may need no approval beyond that. */
  readonly approvedFor?: Effect | undefined;
}

/** What a context needs of the registry to make nested calls. */
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

const nestedErrors = new WeakSet<object>();

function noteNested(error: unknown): void {
  if (typeof error === "object" && error !== null) nestedErrors.add(error);
}

/** Whether an error is that of a call inside the call it is looked at from. */
export function isNested(error: CallError): boolean {
  return nestedErrors.has(error);
}

/** Waits for work that belongs to a call, but no longer than the call may take. */
export function waitWithin<T>(context: CallContext, work: () => Promise<T>): Promise<T> {
  const waiting = new Promise<T>((resolve, reject) => {
    context.reject = reject;
    context.start();
    if (context.aborted === undefined) work().then(resolve, reject);
    else reject(context.aborted);
  });
  return waiting.finally(() => context.finish());
}

/** One running call, as its handler sees it. Signal, env and ids are made when they are asked for. */
export class CallContext extends AbortNode implements OperationContext {
  readonly operationId: string;
  readonly deadline: number | undefined;
  readonly identity: Identity | undefined;
  readonly parentRequestId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly trace: Readonly<Record<string, string>> | undefined;
  readonly readsOnly: boolean | undefined;
  /** Told once, when the call is aborted. */
  reject: ((error: CallError) => void) | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #parent: AbortNode | undefined;
  readonly #outerSignal: AbortSignal | undefined;
  readonly #approvedFor: Effect | undefined;
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
    this.#parent = options.parent;
    this.#outerSignal = options.signal;
    this.#approvedFor = options.approvedFor;
    this.deadline = options.deadline;
    this.identity = options.identity;
    this.parentRequestId = options.parentRequestId;
    this.idempotencyKey = options.idempotencyKey;
    this.trace = options.trace;
    this.readsOnly = options.readsOnly;
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

  /** Whether anything can end this call before its handler does. */
  get canAbort(): boolean {
    return (
      this.deadline !== undefined || this.#parent !== undefined || this.#outerSignal !== undefined
    );
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
      deadline,
      trace: this.trace,
      readsOnly,
      approvedFor: this.#approvedFor,
      parent: this.canAbort ? this : undefined,
    });
    // Noted before the handler sees it. A handler that was aborted may never look at what it
    // started, and a rejection nobody looks at would end the process.
    answered.catch(noteNested);
    return answered;
  }

  /** Begins to listen for what may end the call. */
  start(): void {
    const { deadline } = this;
    const signal = this.#outerSignal;
    // Written so that a deadline that is no number has passed as well.
    if (deadline !== undefined && !(deadline > Date.now())) this.abort(deadlineError());
    if (signal?.aborted === true) this.abort(abortedError(signal.reason));
    if (this.aborted !== undefined) return;
    if (deadline !== undefined) this.#timer = deadlineClock.add(this, deadline);
    if (signal !== undefined) this.#stopListening = abortWith(signal, this, abortedError);
    this.#parent?.attach(this);
  }

  finish(): void {
    if (this.#timer !== undefined) deadlineClock.remove(this.#timer);
    this.#stopListening?.();
    this.#parent?.detach(this);
  }

  protected override onAbort(error: CallError): void {
    this.#controller?.abort(error);
    this.reject?.(error);
  }
}
