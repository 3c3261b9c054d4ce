import { CallError } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import type { SubscriptionHandler } from "../operation/index.ts";
import { deadlineClock } from "../operation/index.ts";
import { CallContext, missingHandler, toEnvelope } from "../registry/index.ts";
import type { CheckedInput, Entry, Registry, Schemas } from "../registry/index.ts";
import type { SubscribeOptions } from "./pending-subscription.ts";

/** The values of a subscription, one per request. Undefined after the last. */
export interface Values {
  next(): Promise<ResponseEnvelope | undefined>;
  close(): void;
}

function openIterator(entry: Entry, input: unknown, context: CallContext): AsyncIterator<unknown> {
  if (entry.run?.kind !== "local") {
    throw missingHandler(entry.id);
  }
  const handler = entry.run.handler as SubscriptionHandler;
  const values: Partial<AsyncIterable<unknown>> | undefined = handler(input, context);
  const iterator = values?.[Symbol.asyncIterator]?.();
  if (iterator !== undefined) return iterator;
  throw new CallError(
    "EXECUTION_ERROR",
    `${entry.id} did not return an async iterable; write its handler as an async generator`,
  );
}

/**
 * Waits for the next value or for an abort. It does not use `Promise.race`, which would keep
 * every value in memory as long as the abort promise lives.
 */
function valueOrAbort(
  iterator: AsyncIterator<unknown>,
  context: CallContext,
): Promise<IteratorResult<unknown>> {
  return new Promise((resolve, reject) => {
    context.reject = reject;
    Promise.resolve(iterator.next()).then(resolve, reject);
  });
}

/**
 * Closes a generator without waiting, because one that ignores its signal may never return. Errors
 * after the last value are ignored.
 */
async function closeIterator(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // Ignored, because the subscription has already ended.
  }
}

/** The values of a subscription's handler, each validated and in an envelope. */
export class HandlerValues implements Values {
  readonly #entry: Entry;
  readonly #schemas: Schemas;
  readonly #context: CallContext;
  readonly #idleTimeout: number | undefined;
  #iterator: AsyncIterator<unknown> | undefined;
  /** Warnings about the input. They are added to the first value. */
  #warnings: readonly string[];

  private constructor(
    { entry, schemas, warnings }: CheckedInput,
    context: CallContext,
    idleTimeout: number | undefined,
  ) {
    this.#entry = entry;
    this.#schemas = schemas;
    this.#warnings = warnings;
    this.#context = context;
    this.#idleTimeout = idleTimeout;
  }

  static async open(
    registry: Registry,
    id: string,
    input: unknown,
    options: SubscribeOptions,
  ): Promise<HandlerValues> {
    const checked = await registry.check(id, input, options);
    const context = new CallContext(checked.entry.id, registry, options);
    const values = new HandlerValues(checked, context, options.idleTimeout);
    values.#start(checked.input);
    return values;
  }

  async next(): Promise<ResponseEnvelope | undefined> {
    const result = await this.#nextResult();
    if (result.done === true) return undefined;
    const envelope = toEnvelope(this.#entry.spec, this.#schemas, result.value);
    const warnings = [...this.#warnings, ...(envelope.meta.warnings ?? [])];
    this.#warnings = [];
    return warnings.length === 0
      ? envelope
      : { data: envelope.data, meta: { ...envelope.meta, warnings } };
  }

  close(): void {
    if (this.#context.aborted === undefined) {
      this.#context.abort(new CallError("ABORTED", "The subscriber stopped listening"));
    }
    this.#context.finish();
    if (this.#iterator !== undefined) void closeIterator(this.#iterator);
  }

  #start(input: unknown): void {
    const context = this.#context;
    try {
      context.start();
      if (context.aborted !== undefined) throw context.aborted;
      this.#iterator = openIterator(this.#entry, input, context);
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /** Throws TIMEOUT if no value comes within the idle time. */
  async #nextResult(): Promise<IteratorResult<unknown>> {
    const context = this.#context;
    if (context.aborted !== undefined) throw context.aborted;
    const idle =
      this.#idleTimeout === undefined
        ? undefined
        : deadlineClock.add(context, Date.now() + this.#idleTimeout);
    try {
      return await valueOrAbort(this.#iterator!, context);
    } finally {
      if (idle !== undefined) deadlineClock.remove(idle);
    }
  }
}
