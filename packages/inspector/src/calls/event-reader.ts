export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** The longest line of an event. The server sends no longer one. */
const MAX_PENDING = 8 * 1_048_576;

/** Parses events from a stream of text that arrives in pieces. */
export class EventReader {
  #pending = "";

  push(piece: string): ServerEvent[] {
    const text = (this.#pending + piece).replaceAll("\r\n", "\n");
    const frames = text.split("\n\n");
    this.#pending = frames.pop() ?? "";
    if (this.#pending.length > MAX_PENDING)
      throw new Error("The server sent an event that is too long. Reload the page");
    return frames.flatMap(eventIn);
  }
}

function eventIn(frame: string): ServerEvent[] {
  let event = "message";
  const data: string[] = [];
  for (const line of frame.split("\n")) {
    const [, name, value = ""] = /^([^:]*): ?(.*)$/su.exec(line) ?? [];
    if (name === "event") event = value;
    else if (name === "data") data.push(value);
  }
  return data.length === 0 ? [] : [{ event, data: data.join("\n") }];
}
