import { estimateTokens } from "../budget/index.ts";
import { errorFromUnknown } from "../envelope/index.ts";
import type { ResponseEnvelope, ResponseMeta } from "../envelope/index.ts";
import type { WatchOptions } from "./run-subscription.ts";
import type { Waybill } from "./waybill.ts";

/** How many events of a subscription to collect. */
export interface CollectOptions extends Pick<WatchOptions, "account" | "approve" | "signal"> {
  /** Maximum number of events (default: 20). */
  readonly limit?: number;
  /** How long to wait for events, in milliseconds (default: 30000). */
  readonly wait_ms?: number;
  /** Maximum tokens of all events together (default: no limit). */
  readonly max_tokens?: number;
  /** Called for each event (default: none). */
  readonly onEvent?: (data: unknown, number: number, meta: ResponseMeta) => void | Promise<void>;
}

/** The collected events of a subscription. */
export interface CollectedEvents {
  /** The data of each event, in order. */
  readonly events: readonly unknown[];
  /** Why the collection ended: the subscription ended, or a limit was reached. */
  readonly stopped_by: "end" | "limit" | "time" | "tokens";
  /** The warnings of all events, each once. */
  readonly warnings: readonly string[];
}

/** How many events to pass on. */
export interface EventLimits {
  /** Maximum number of events (default: no limit). */
  readonly limit?: number | undefined;
  /** Maximum tokens of all events together. The first event is passed on always (default: no limit). */
  readonly max_tokens?: number | undefined;
}

/** Passes on events until there are no more or a limit is reached. Returns which it was. */
export async function* limitEvents(
  events: AsyncIterable<ResponseEnvelope>,
  { limit = Infinity, max_tokens = Infinity }: EventLimits,
): AsyncGenerator<ResponseEnvelope, Exclude<CollectedEvents["stopped_by"], "time">, undefined> {
  let [count, tokens] = [0, 0];
  for await (const event of events) {
    if (max_tokens < Infinity) tokens += estimateTokens(JSON.stringify(event.data ?? null));
    if (tokens > max_tokens && count > 0) return "tokens";
    yield event;
    count += 1;
    if (count >= limit) return "limit";
  }
  return "end";
}

const DEFAULT_LIMIT = 20;
const DEFAULT_WAIT_MS = 30_000;

/** Stops waiting after a time limit, or when the caller gives up. */
class Patience {
  readonly #stop = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  isOver = false;

  constructor(ms: number) {
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#stop.abort();
    }, ms);
  }

  signalWith(given: AbortSignal | undefined): AbortSignal {
    const own = this.#stop.signal;
    return given === undefined ? own : AbortSignal.any([own, given]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Collects events of a subscription until it ends or a limit is reached. Throws the subscription's
 * error.
 */
export async function collectEvents(
  waybill: Pick<Waybill, "subscribe">,
  capability_id: string,
  params: unknown,
  options: CollectOptions = {},
): Promise<CollectedEvents> {
  const { limit = DEFAULT_LIMIT, wait_ms = DEFAULT_WAIT_MS, max_tokens } = options;
  const { account, approve, onEvent } = options;
  const patience = new Patience(wait_ms);
  const signal = patience.signalWith(options.signal);
  const watch = {
    strict: true,
    signal,
    ...(account !== undefined && { account }),
    ...(approve !== undefined && { approve }),
  };
  const events: unknown[] = [];
  const seen = new Set<string>();
  const collected = (stopped_by: CollectedEvents["stopped_by"]): CollectedEvents => ({
    events,
    stopped_by,
    warnings: [...seen],
  });
  const subscribed = waybill.subscribe(capability_id, params, watch);
  const limited = limitEvents(subscribed, { limit, max_tokens });
  try {
    for (;;) {
      const { done, value } = await limited.next();
      if (done === true) return collected(value);
      events.push(value.data);
      value.meta.warnings?.forEach((warning) => seen.add(warning));
      await onEvent?.(value.data, events.length, value.meta);
    }
  } catch (thrown) {
    if (!patience.isOver) throw errorFromUnknown(thrown);
    return collected("time");
  } finally {
    await limited.return("end");
    patience.end();
  }
}
