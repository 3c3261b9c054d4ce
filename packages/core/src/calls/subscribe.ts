import { CallError, errorFromUnknown } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import type { SubscriptionHandler } from "../operation/index.ts";
import { deadlineClock } from "../operation/index.ts";
import {
  CallContext,
  assertAccess,
  checkInput,
  parseInput,
  toEnvelope,
} from "../registry/index.ts";
import type { CallOptions, Entry, OperationRegistry, Schemas } from "../registry/index.ts";
import type { SubscribeOptions } from "./pending-subscription.ts";

async function checkedInput(entry: Entry, schemas: Schemas, input: unknown): Promise<unknown> {
  const parse = entry.spec.parseInput;
  return parse === undefined
    ? checkInput(entry.id, schemas.input, input)
    : parseInput(entry.id, parse, input);
}

function openIterator(entry: Entry, input: unknown, context: CallContext): AsyncIterator<unknown> {
  const handler = entry.handler as SubscriptionHandler | undefined;
  if (handler === undefined) {
    throw new CallError("OPERATION_NOT_FOUND", `No handler registered for operation: ${entry.id}`);
  }
  const values: Partial<AsyncIterable<unknown>> | undefined = handler(input, context);
  const iterator = values?.[Symbol.asyncIterator]?.();
  if (iterator !== undefined) return iterator;
  throw new CallError("EXECUTION_ERROR", `${entry.id} returned no async iterable to subscribe to`);
}

/** The next value or the abort; a race with one lasting promise would keep every value alive. */
function valueOrAbort(
  iterator: AsyncIterator<unknown>,
  context: CallContext,
): Promise<IteratorResult<unknown>> {
  return new Promise((resolve, reject) => {
    context.reject = reject;
    Promise.resolve(iterator.next()).then(resolve, reject);
  });
}

/** The next value, or TIMEOUT when it does not come within the idle time. */
async function nextValue(
  iterator: AsyncIterator<unknown>,
  context: CallContext,
  idleTimeout: number | undefined,
): Promise<IteratorResult<unknown>> {
  if (context.aborted !== undefined) throw context.aborted;
  const idle =
    idleTimeout === undefined ? undefined : deadlineClock.add(context, Date.now() + idleTimeout);
  try {
    return await valueOrAbort(iterator, context);
  } finally {
    if (idle !== undefined) deadlineClock.remove(idle);
  }
}

/** A generator that ignores its signal may never come back from `return`, so nobody waits for it. */
function closeIterator(iterator: AsyncIterator<unknown>): void {
  void Promise.resolve(iterator.return?.()).catch(() => {});
}

/** A call is a subscription of one value, which must come within the idle time too. */
function asOneValue(options: SubscribeOptions): CallOptions {
  const { idleTimeout, deadline = Infinity } = options;
  if (idleTimeout === undefined) return options;
  return { ...options, deadline: Math.min(deadline, Date.now() + idleTimeout) };
}

/**
 * Runs a subscription, each value in an envelope of its own with its place in the sequence. The
 * handler is asked for the next value only when the consumer is.
 */
export async function* subscribe(
  registry: OperationRegistry,
  operationId: string,
  input?: unknown,
  options: SubscribeOptions = {},
): AsyncGenerator<ResponseEnvelope, void, undefined> {
  const entry = registry.resolve(operationId);
  if (options.identity !== undefined) assertAccess(entry.spec, options);
  if (entry.spec.kind !== "subscription") {
    const { data, meta } = await registry.execute(operationId, input, asOneValue(options));
    yield { data, meta: { ...meta, sequence: 0 } };
    return;
  }
  const schemas = entry.schemas ?? (await entry.prepare());
  const checked = await checkedInput(entry, schemas, input);
  const context = new CallContext(entry.id, registry, options);
  let iterator: AsyncIterator<unknown> | undefined;
  try {
    context.start();
    if (context.aborted !== undefined) throw context.aborted;
    iterator = openIterator(entry, checked, context);
    for (let sequence = 0; ; sequence++) {
      const next = await nextValue(iterator, context, options.idleTimeout);
      if (next.done === true) return;
      const envelope = toEnvelope(entry.spec, schemas, next.value);
      yield { data: envelope.data, meta: { ...envelope.meta, sequence } };
    }
  } catch (thrown) {
    throw errorFromUnknown(thrown);
  } finally {
    if (context.aborted === undefined) {
      context.abort(new CallError("ABORTED", "The subscriber stopped listening"));
    }
    context.finish();
    if (iterator !== undefined) closeIterator(iterator);
  }
}
