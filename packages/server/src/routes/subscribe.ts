import { CallError, errorFromUnknown } from "@waybill/core";
import { failureResult, toResultError } from "@waybill/core/protocol";
import { parseStrictJson } from "@waybill/core/schema";
import type { ResponseEnvelope } from "@waybill/core";
import type { Asked, Route } from "./route.ts";
import { KEEP_ALIVE_MS, SSE_HEADERS, frame } from "./sse.ts";

type Events = AsyncGenerator<ResponseEnvelope, void, undefined>;
type Next = IteratorResult<ResponseEnvelope, void>;
type Controller = ReadableStreamDefaultController<Uint8Array>;

function failureEvent(thrown: unknown, capability_id: string): string {
  const request_id = crypto.randomUUID();
  const facts = { requestId: request_id, isWrite: false, isRepeatable: true };
  const error = toResultError(errorFromUnknown(thrown), facts);
  return frame("error", failureResult(error, { capability_id, request_id }));
}

function paramsIn({ query, limits }: Asked): unknown {
  const given = query.get("params");
  const stray = [...query.keys()].find((name) => name !== "params");
  const { maxDepth } = limits;
  if (stray === undefined) {
    return given === null ? {} : parseStrictJson(given, { what: "params", maxDepth });
  }
  const message = `A subscription takes its input as JSON in params; not ${stray}`;
  throw new CallError("VALIDATION_ERROR", message);
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
   * Asks for the next event only when the client has taken the last one, so a slow client slows
   * only its own source.
   */
  async pull(controller: Controller): Promise<void> {
    try {
      const { done, value } = this.#next ?? (await this.#events.next());
      this.#next = undefined;
      if (done === true) this.#end(controller, frame("end", {}));
      else this.#send(controller, frame("data", value, (this.#sequence += 1)));
    } catch (thrown) {
      this.#end(controller, failureEvent(thrown, this.#id));
    }
  }

  cancel(): void {
    clearInterval(this.#timer);
    this.#leave();
    // Does not wait for a handler that ignores the end.
    this.#events.return().catch(() => {});
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
 * `GET /v1/subscribe/{id}?params={…}`: errors before the first event are answered as usual, without
 * a stream.
 */
export const subscribe: Route = async (asked) => {
  const { id, caller, signal, ending } = asked;
  const end = new AbortController();
  const stop = (): void => end.abort(ending.aborted ? ending.reason : signal.reason);
  const both = [signal, ending];
  for (const one of both) one.addEventListener("abort", stop, { once: true });
  const leave = (): void => {
    for (const one of both) one.removeEventListener("abort", stop);
    end.abort();
  };
  const events = caller.waybill.subscribe(id, paramsIn(asked), {
    signal: end.signal,
    strict: true,
  });
  try {
    const first = await events.next();
    return new Response(new ReadableStream(new EventStream(id, events, first, leave)), {
      headers: SSE_HEADERS,
    });
  } catch (thrown) {
    leave();
    throw thrown;
  }
};
