import { CallError, errorFromUnknown } from "@waybill/core";
import { failureResult, limitEvents, loadTokenList, toResultError } from "@waybill/core/protocol";
import { parseStrictJson } from "@waybill/core/schema";
import type { Asked, Route } from "./route.ts";
import { KEEP_ALIVE_MS, SSE_HEADERS, frame } from "./sse.ts";

type Events = ReturnType<typeof limitEvents>;
type Next = Awaited<ReturnType<Events["next"]>>;
type Controller = ReadableStreamDefaultController<Uint8Array>;

function failureEvent(thrown: unknown, capability_id: string): string {
  const request_id = crypto.randomUUID();
  const facts = { requestId: request_id, isWrite: false, isRepeatable: true };
  const error = toResultError(errorFromUnknown(thrown), facts);
  return frame("error", failureResult(error, { capability_id, request_id }));
}

const LIMITS = ["limit", "max_tokens"] as const;

function readLimit(query: URLSearchParams, name: (typeof LIMITS)[number]): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  throw new CallError("VALIDATION_ERROR", `${name} must be an integer above 0, not ${text}`);
}

function paramsIn({ query, limits }: Asked): unknown {
  const given = query.get("params");
  const known: readonly string[] = ["params", ...LIMITS];
  const stray = [...query.keys()].find((name) => !known.includes(name));
  const { maxDepth } = limits;
  if (stray === undefined) {
    return given === null ? {} : parseStrictJson(given, { what: "params", maxDepth });
  }
  const message = `Unknown parameter ${stray}; use params (the input as JSON), ${LIMITS.join(" or ")}`;
  throw new CallError("VALIDATION_ERROR", message);
}

/** The last event says which limit was reached, if any. */
function endEvent(stopped_by: string): string {
  return frame("end", stopped_by === "end" ? {} : { stopped_by });
}

/** One stream, from its first event to its end. */
class EventStream {
  readonly #id: string;
  readonly #events: Events;
  readonly #leave: () => void;
  readonly #encoder = new TextEncoder();
  #next: Next | undefined;
  #sequence = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(id: string, events: Events, first: Next, leave: () => void) {
    this.#id = id;
    this.#events = events;
    this.#next = first;
    this.#leave = leave;
  }

  start(controller: Controller): void {
    this.#timer = setInterval(() => {
      if ((controller.desiredSize ?? 0) > 0) this.#send(controller, ": still here\n\n");
    }, KEEP_ALIVE_MS);
  }

  /**
   * Requests the next event only after the client has taken the last one, so that a slow client
   * slows down only its own source.
   */
  async pull(controller: Controller): Promise<void> {
    try {
      const { done, value } = this.#next ?? (await this.#events.next());
      this.#next = undefined;
      if (done === true) this.#end(controller, endEvent(value));
      else this.#send(controller, frame("data", value, (this.#sequence += 1)));
    } catch (thrown) {
      this.#end(controller, failureEvent(thrown, this.#id));
    }
  }

  cancel(): void {
    clearInterval(this.#timer);
    this.#leave();
    // Does not wait, because a handler may ignore that the stream has ended.
    this.#events.return("end").catch(() => {});
  }

  #send(controller: Controller, text: string): void {
    controller.enqueue(this.#encoder.encode(text));
  }

  #end(controller: Controller, text: string): void {
    this.#send(controller, text);
    controller.close();
    this.cancel();
  }
}

/**
 * `GET /v1/subscribe/{id}?params={…}&limit=…&max_tokens=…`: errors before the first event are
 * answered as usual, without a stream.
 */
export const subscribe: Route = async (asked) => {
  const { id, caller, signal, ending, query } = asked;
  const params = paramsIn(asked);
  ending.throwIfAborted();
  const limit = readLimit(query, "limit");
  const max_tokens = readLimit(query, "max_tokens");
  const end = new AbortController();
  const stop = (): void => end.abort(ending.aborted ? ending.reason : signal.reason);
  const both = [signal, ending];
  for (const one of both) one.addEventListener("abort", stop, { once: true });
  const leave = (): void => {
    for (const one of both) one.removeEventListener("abort", stop);
    end.abort();
  };
  const watched = caller.waybill.subscribe(id, params, { signal: end.signal, strict: true });
  const events = limitEvents(watched, { limit, max_tokens });
  try {
    if (max_tokens !== undefined) await loadTokenList();
    const first = await events.next();
    return new Response(new ReadableStream(new EventStream(id, events, first, leave)), {
      headers: SSE_HEADERS,
    });
  } catch (thrown) {
    leave();
    throw thrown;
  }
};
