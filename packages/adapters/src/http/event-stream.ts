import { fail } from "@waybill/core";
import { createParser } from "eventsource-parser";

/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

const MAX_EVENT = 8_000_000;

/**
 * Parses events from the chunks of a stream. An event without an id has the id of the previous
 * event.
 */
export class EventParser {
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({
    onEvent: ({ event = "message", data, id }) => {
      this.#id = id ?? this.#id;
      this.#size = 0;
      this.#events.push({ event, data, ...(this.#id !== undefined && { id: this.#id }) });
    },
  });
  #events: StreamEvent[] = [];
  #id: string | undefined;
  /** Number of characters since the last event. */
  #size = 0;

  /** Returns the events that a chunk completes. */
  push(chunk: Uint8Array): StreamEvent[] {
    const text = this.#decoder.decode(chunk, { stream: true });
    this.#events = [];
    this.#size += text.length;
    this.#parser.feed(text);
    if (this.#size > MAX_EVENT) {
      throw fail(
        "TOO_LARGE",
        `An event has more than ${MAX_EVENT} characters, so the stream was closed. Request less data`,
      );
    }
    return this.#events;
  }
}
