import { estimateTokens } from "../budget/index.ts";
import { errorFromUnknown } from "../envelope/index.ts";
import type { ResponseMeta } from "../envelope/index.ts";
import type { WatchOptions } from "./watch.ts";
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
  const { limit = DEFAULT_LIMIT, wait_ms = DEFAULT_WAIT_MS, max_tokens = Infinity } = options;
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
  let tokens = 0;
  try {
    for await (const { data, meta } of waybill.subscribe(capability_id, params, watch)) {
      tokens += estimateTokens(JSON.stringify(data ?? null));
      if (tokens > max_tokens && events.length > 0) return collected("tokens");
      events.push(data);
      meta.warnings?.forEach((warning) => seen.add(warning));
      await onEvent?.(data, events.length, meta);
      if (events.length >= limit) return collected("limit");
    }
    return collected("end");
  } catch (thrown) {
    if (!patience.isOver) throw errorFromUnknown(thrown);
    return collected("time");
  } finally {
    patience.end();
  }
}
