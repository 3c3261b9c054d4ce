import { fail } from "@waybill/core";
import type { Asked, Route } from "../routes/route.ts";
import { KEEP_ALIVE_MS, SSE_HEADERS, frame } from "../routes/sse.ts";
import { Feed } from "./feed.ts";
import type { CallsFilter, InspectedHistory } from "./inspector.ts";
import { eventsQuery } from "./query.ts";
import type { HelloEvent } from "./wire.ts";

const MAX_STREAMS = 50;
const BATCH = 500;
/** The pause before an unreadable history is read again. */
const AGAIN_MS = 1_000;

type Controller = ReadableStreamDefaultController<Uint8Array>;

interface StreamOptions {
  readonly history: InspectedHistory;
  readonly feed: Feed;
  readonly filter: CallsFilter;
  readonly hello: HelloEvent;
  readonly after: number;
  readonly signal: AbortSignal;
  readonly leave: () => void;
}

/** The stream of one listener. It starts at the first call that the listener has not seen. */
class CallStream {
  readonly #options: StreamOptions;
  readonly #encoder = new TextEncoder();
  #at: HelloEvent;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#at = { ...options.hello, last_seq: Math.min(options.after, options.hello.last_seq) };
  }

  start(controller: Controller): void {
    const { hello, signal } = this.#options;
    if (signal.aborted) return this.#end(controller);
    this.#send(controller, frame("hello", hello));
    this.#timer = setInterval(() => {
      if ((controller.desiredSize ?? 0) > 0) this.#send(controller, ": still here\n\n");
    }, KEEP_ALIVE_MS);
    signal.addEventListener("abort", () => this.#end(controller), { once: true });
  }

  /**
   * Reads the next calls only after the client has taken the last ones, so that a slow client
   * does not block others.
   */
  async pull(controller: Controller): Promise<void> {
    const { signal, feed } = this.#options;
    while (!signal.aborted) {
      const text = await this.#read().catch(() => this.#pause());
      if (signal.aborted) return;
      if (text !== "") return this.#send(controller, text);
      await feed.next(this.#at, signal);
    }
  }

  cancel(): void {
    clearInterval(this.#timer);
    this.#options.leave();
  }

  /** The events since the last read; empty if there is no new call. */
  async #read(): Promise<string> {
    const { history, filter } = this.#options;
    const now = await history.mark();
    if (now.instance !== this.#at.instance) {
      this.#at = { ...now, last_seq: 0 };
      return frame("hello", now);
    }
    if (now.last_seq <= this.#at.last_seq) return "";
    const calls = await history.since(this.#at.last_seq, filter, BATCH);
    const last_seq = calls.length < BATCH ? now.last_seq : 0;
    this.#at = { ...this.#at, last_seq: Math.max(last_seq, calls.at(-1)?.seq ?? 0) };
    return calls.length === 0 ? "" : frame("calls", { calls });
  }

  async #pause(): Promise<string> {
    await new Promise((resolve) => {
      setTimeout(resolve, AGAIN_MS);
    });
    return "";
  }

  #send(controller: Controller, text: string): void {
    controller.enqueue(this.#encoder.encode(text));
  }

  #end(controller: Controller): void {
    this.cancel();
    try {
      controller.close();
    } catch {
      // Ignored, because the client closed the stream first.
    }
  }
}

/** `GET /v1/inspect/events`: finished calls of all processes, as they end. */
export function eventsRoute(history: InspectedHistory): Route {
  const feed = new Feed(history);
  let streams = 0;
  return async ({ query, signal, ending }: Asked) => {
    const { filter, after } = eventsQuery(query);
    if (streams >= MAX_STREAMS) {
      throw fail(
        "RATE_LIMIT",
        `${MAX_STREAMS} pages already listen for calls, which is the limit`,
        {
          hint: "Close one of the inspector pages",
        },
      );
    }
    const hello = await history.mark();
    streams += 1;
    let isOpen = true;
    const leave = (): void => {
      if (isOpen) streams -= 1;
      isOpen = false;
    };
    const stream = new CallStream({
      history,
      feed,
      filter,
      hello,
      after: after ?? hello.last_seq,
      signal: AbortSignal.any([signal, ending]),
      leave,
    });
    return new Response(new ReadableStream(stream), { headers: SSE_HEADERS });
  };
}
