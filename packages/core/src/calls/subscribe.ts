import { CallError, errorFromUnknown } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { AbortNode } from "../operation/index.ts";
import type { Effect } from "../operation/index.ts";
import { assertAccess } from "../registry/index.ts";
import type { CallOptions, Registry } from "../registry/index.ts";
import { HandlerValues } from "./handler-values.ts";
import type { Values } from "./handler-values.ts";
import { problemWith } from "./limits.ts";
import type { SubscribeOptions } from "./pending-subscription.ts";

/**
 * A call is treated as a subscription with one value, which must also arrive within the idle
 * time.
 */
function asOneValue(options: SubscribeOptions): CallOptions {
  const { idleTimeout, deadline = Infinity } = options;
  if (idleTimeout === undefined) return options;
  return { ...options, deadline: Math.min(deadline, Math.ceil(Date.now() + idleTimeout)) };
}

function oneValue(
  registry: Registry,
  operationId: string,
  input: unknown,
  options: SubscribeOptions,
): Values {
  let isAsked = false;
  return {
    async next() {
      if (isAsked) return undefined;
      isAsked = true;
      return registry.execute(operationId, input, asOneValue(options));
    },
    close() {},
  };
}

async function openValues(
  registry: Registry,
  operationId: string,
  input: unknown,
  options: SubscribeOptions,
): Promise<Values> {
  const problem = problemWith({ idleTimeout: options.idleTimeout });
  if (problem !== undefined) throw new CallError("VALIDATION_ERROR", problem);
  const entry = registry.resolve(operationId);
  if (options.identity !== undefined) assertAccess(entry.spec, options);
  return entry.spec.kind === "subscription"
    ? HandlerValues.open(registry, operationId, input, options)
    : oneValue(registry, operationId, input, options);
}

async function* numbered(
  open: () => Promise<Values>,
): AsyncGenerator<ResponseEnvelope, void, undefined> {
  const values = await open();
  try {
    for (let sequence = 0; ; sequence++) {
      const envelope = await values.next();
      if (envelope === undefined) return;
      yield { data: envelope.data, meta: { ...envelope.meta, sequence } };
    }
  } finally {
    values.close();
  }
}

/** Delivers the values of a subscription to the subscriber. */
interface Outlet {
  show(envelope: ResponseEnvelope): ResponseEnvelope;
  showError(error: CallError): CallError;
  /** Called once at the end, with the error if there was one. */
  onEnd?(error?: CallError): void;
}

const AS_IT_IS: Outlet = { show: (envelope) => envelope, showError: (error) => error };

/** The checks between a subscriber and an operation. */
export interface SubscriptionDoor extends Outlet {
  /** Returns the validated input and the approved effect. Throws if the subscription is refused. */
  open(): Promise<{ readonly input: unknown; readonly approvedFor: Effect }>;
}

type Result = Promise<IteratorResult<ResponseEnvelope, void>>;

/**
 * An async generator would not end early: its `return` waits for a `next` that a hanging handler
 * never answers. This class aborts the handler first.
 */
class Subscription extends AbortNode implements AsyncGenerator<ResponseEnvelope, void, undefined> {
  readonly #values: AsyncGenerator<ResponseEnvelope, void, undefined>;
  readonly #parent: AbortNode | undefined;
  readonly #outlet: Outlet;
  #isStopped = false;
  #hasEnded = false;

  constructor(
    open: (parent: AbortNode) => Promise<Values>,
    parent: AbortNode | undefined,
    outlet: Outlet = AS_IT_IS,
  ) {
    super();
    this.#parent = parent;
    this.#outlet = outlet;
    this.#values = numbered(() => {
      parent?.attach(this);
      return open(this);
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Result {
    try {
      const result = await this.#values.next();
      if (result.done !== true) return { done: false, value: this.#outlet.show(result.value) };
      this.#end();
      return result;
    } catch (thrown) {
      const error = errorFromUnknown(thrown);
      this.#end(error);
      if (this.#isStopped) return { done: true, value: undefined };
      throw this.#outlet.showError(error);
    }
  }

  return(): Result {
    this.#isStopped = true;
    this.#stop();
    return this.#values.return();
  }

  throw(thrown: unknown): Result {
    this.#stop();
    return this.#values.throw(thrown);
  }

  protected override onAbort(): void {}

  #end(error?: CallError): void {
    this.#parent?.detach(this);
    if (!this.#hasEnded) this.#outlet.onEnd?.(error);
    this.#hasEnded = true;
  }

  #stop(): void {
    this.#end();
    this.abort(new CallError("ABORTED", "The subscriber stopped listening"));
  }
}

/** Like `subscribe`, but the input is created when the first value is requested. */
export function subscribeWith(
  registry: Registry,
  operationId: string,
  options: SubscribeOptions,
  door: SubscriptionDoor,
): AsyncGenerator<ResponseEnvelope, void, undefined> {
  const open = async (parent: AbortNode): Promise<Values> => {
    const { input, approvedFor } = await door.open();
    return openValues(registry, operationId, input, { ...options, approvedFor, parent });
  };
  return new Subscription(open, options.parent, door);
}

/**
 * Runs a subscription. Each value has its own envelope with its number in the sequence. The handler
 * is asked for the next value only when the consumer asks.
 */
export function subscribe(
  registry: Registry,
  operationId: string,
  input?: unknown,
  options: SubscribeOptions = {},
): AsyncGenerator<ResponseEnvelope, void, undefined> {
  return new Subscription(
    (parent) => openValues(registry, operationId, input, { ...options, parent }),
    options.parent,
  );
}
