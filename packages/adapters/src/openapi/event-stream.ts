import { fail } from "@waybill/core";

/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

const MAX_EVENT = 8_000_000;

/**
 * Reads events however the text was cut into pieces: within a line, between the two signs of a line
 * end, or between the last line of an event and the empty one that ends it.
 */
export class EventParser {
  readonly #decoder = new TextDecoder();
  #text = "";
  #isAfterReturn = false;
  #data: string[] = [];
  #size = 0;
  #event = "";
  #id: string | undefined;

  /** The events that a piece completes. */
  push(chunk: Uint8Array): StreamEvent[] {
    this.#text += this.#decoder.decode(chunk, { stream: true });
    const events: StreamEvent[] = [];
    for (let line = this.#nextLine(); line !== undefined; line = this.#nextLine()) {
      const event = this.#read(line);
      if (event !== undefined) events.push(event);
    }
    if (this.#text.length + this.#size > MAX_EVENT) {
      throw fail("TOO_LARGE", `An event is larger than ${MAX_EVENT} characters`);
    }
    return events;
  }

  /** A line without its end, which may be CR, LF or both. */
  #nextLine(): string | undefined {
    if (this.#isAfterReturn && this.#text !== "") {
      if (this.#text.startsWith("\n")) this.#text = this.#text.slice(1);
      this.#isAfterReturn = false;
    }
    const end = this.#text.search(/[\r\n]/u);
    if (end < 0) return undefined;
    const line = this.#text.slice(0, end);
    this.#isAfterReturn = this.#text[end] === "\r";
    this.#text = this.#text.slice(end + 1);
    return line;
  }

  #read(line: string): StreamEvent | undefined {
    if (line === "") return this.#end();
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if (field === "data") {
      this.#data.push(value);
      this.#size += value.length;
    } else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return undefined;
  }

  #end(): StreamEvent | undefined {
    const data = this.#data;
    const event = this.#event === "" ? "message" : this.#event;
    this.#data = [];
    this.#size = 0;
    this.#event = "";
    if (data.length === 0) return undefined;
    return { event, data: data.join("\n"), ...(this.#id !== undefined && { id: this.#id }) };
  }
}
