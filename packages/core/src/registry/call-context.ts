import { CallError } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { AbortNode, buildEnv, deadlineClock, deadlineError } from "../operation/index.ts";
import type {
  CallFacts,
  DeadlineEntry,
  Identity,
  OperationContext,
  OperationEnv,
} from "../operation/index.ts";
import { nextRequestId } from "./request-id.ts";

/** What a caller may say about a call. */
export interface CallOptions extends CallFacts {
  /** Gives the call up when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** The call this one belongs to: its abort, deadline and identity hold here too. */
  readonly parent?: AbortNode | undefined;
}

/** What a context needs of the registry to make nested calls. */
export interface Dispatcher {
  execute(operationId: string, input: unknown, options: CallOptions): Promise<ResponseEnvelope>;
}

export function abortedError(reason: unknown): CallError {
  if (reason instanceof CallError) return reason;
  if (reason instanceof Error && reason.name === "TimeoutError") return deadlineError();
  const why = typeof reason === "string" && reason !== "" ? `: ${reason}` : "";
  return new CallError(
    "ABORTED",
    `The call was aborted by its caller${why}`,
    {},
    { cause: reason },
  );
}

/** One running call, as its handler sees it. Signal, env and ids are made when they are asked for. */
export class CallContext extends AbortNode implements OperationContext {
  readonly operationId: string;
  readonly deadline: number | undefined;
  readonly identity: Identity | undefined;
  readonly parentRequestId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly trace: Readonly<Record<string, string>> | undefined;
  /** Told once, when the call is aborted. */
  reject: ((error: CallError) => void) | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #parent: AbortNode | undefined;
  readonly #outerSignal: AbortSignal | undefined;
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
    this.deadline = options.deadline;
    this.identity = options.identity;
    this.parentRequestId = options.parentRequestId;
    this.idempotencyKey = options.idempotencyKey;
    this.trace = options.trace;
  }

  get requestId(): string {
    return (this.#requestId ??= nextRequestId());
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
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
    return this.#dispatcher.execute(operationId, input, {
      parentRequestId: this.requestId,
      identity: this.identity,
      deadline: this.deadline,
      trace: this.trace,
      parent: this.canAbort ? this : undefined,
    });
  }

  /** Begins to listen for what may end the call. */
  start(): void {
    const { deadline } = this;
    const signal = this.#outerSignal;
    if (deadline !== undefined && deadline <= Date.now()) this.abort(deadlineError());
    if (signal?.aborted === true) this.abort(abortedError(signal.reason));
    if (this.aborted !== undefined) return;
    if (deadline !== undefined) this.#timer = deadlineClock.add(this, deadline);
    if (signal !== undefined) this.#listenTo(signal);
    this.#parent?.attach(this);
  }

  finish(): void {
    if (this.#timer !== undefined) deadlineClock.remove(this.#timer);
    this.#stopListening?.();
    this.#parent?.detach(this);
  }

  #listenTo(signal: AbortSignal): void {
    const abort = (): void => this.abort(abortedError(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    this.#stopListening = () => signal.removeEventListener("abort", abort);
  }

  protected override onAbort(error: CallError): void {
    this.#controller?.abort(error);
    this.reject?.(error);
  }
}
