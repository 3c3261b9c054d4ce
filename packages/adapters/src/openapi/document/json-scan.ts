/** The range of a value in the text. Outer objects also have the ranges of their members. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
  readonly members?: ReadonlyMap<string, JsonSpan>;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;
/** Added to the character code of a square bracket, this gives the code of a curly bracket. */
const CURLY = 0x20;
const NEAR = 48;

export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";

  constructor(position: number, isAtEnd: boolean) {
    super(
      isAtEnd ? "it is cut off in the middle of a value" : `it is not JSON at byte ${position}`,
    );
  }
}

/**
 * Finds the members of JSON objects without creating values. Indexing a large description this
 * way takes a fraction of the time and memory of parsing it.
 */
export class JsonScanner {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * The range of the whole text, with its members down to a depth. In the member `deeper`, one
   * more level is included.
   */
  whole(depth: number, deeper: string): JsonSpan {
    const place = this.#place(this.#skipSpace(0), depth, deeper);
    const rest = this.#skipSpace(place.end);
    if (rest < this.#bytes.length) throw new JsonSyntaxError(rest, false);
    return place;
  }

  parse({ start, end }: JsonSpan): unknown {
    return this.#bytes[start] === QUOTE ? this.#text(start, end) : this.#value(start, end);
  }

  #value(start: number, end: number): unknown {
    try {
      return JSON.parse(this.#bytes.toString("utf8", start, end)) as unknown;
    } catch {
      throw new JsonSyntaxError(start, false);
    }
  }

  #place(start: number, depth: number, deeper?: string): JsonSpan {
    return depth > 0 && this.#bytes[start] === OPEN_BRACE
      ? this.#object(start, depth, deeper)
      : { start, end: this.#endOf(start) };
  }

  /** If a name occurs twice, the last one counts, as in JSON.parse. */
  #object(start: number, depth: number, deeper: string | undefined): JsonSpan {
    const members = new Map<string, JsonSpan>();
    let at = this.#skipSpace(start + 1);
    while (this.#bytes[at] !== CLOSE_BRACE) {
      const keyEnd = this.#endOfString(at);
      const name = this.#text(at, keyEnd);
      at = this.#expect(this.#skipSpace(keyEnd), COLON);
      const inner = name === deeper ? depth : depth - 1;
      const value = this.#place(this.#skipSpace(at), inner);
      members.set(name, value);
      at = this.#skipSpace(value.end);
      if (this.#bytes[at] === COMMA) at = this.#skipSpace(at + 1);
      else if (this.#bytes[at] !== CLOSE_BRACE) throw this.#unexpected(at);
    }
    return { start, end: at + 1, members };
  }

  #text(start: number, end: number): string {
    const text = this.#bytes.toString("utf8", start + 1, end - 1);
    return text.includes("\\") ? String(this.#value(start, end)) : text;
  }

  #unexpected(at: number): JsonSyntaxError {
    return new JsonSyntaxError(at, at >= this.#bytes.length);
  }

  #expect(at: number, byte: number): number {
    if (this.#bytes[at] !== byte) throw this.#unexpected(at);
    return at + 1;
  }

  #skipSpace(from: number): number {
    let at = from;
    while (this.#bytes[at]! <= SPACE) at++;
    return at;
  }

  /** Uses a loop, because most strings are short names, for which a native search is slower. */
  #endOfString(start: number): number {
    const bytes = this.#bytes;
    if (bytes[start] !== QUOTE) throw this.#unexpected(start);
    const near = start + NEAR;
    for (let at = start + 1; at < near; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at++;
    }
    return this.#farEndOfString(start);
  }

  #farEndOfString(start: number): number {
    for (let at = start; ;) {
      at = this.#bytes.indexOf(QUOTE, at + 1);
      if (at < 0) throw new JsonSyntaxError(start, true);
      let escapes = 0;
      while (this.#bytes[at - 1 - escapes] === BACKSLASH) escapes++;
      if (escapes % 2 === 0) return at + 1;
    }
  }

  #endOf(start: number): number {
    const first = this.#bytes[start];
    if (first === QUOTE) return this.#endOfString(start);
    if (first === OPEN_BRACE || first === OPEN_BRACKET) return this.#endOfNested(start);
    return this.#endOfPlain(start);
  }

  /**
   * Only counts brackets, because parsing the value later checks that they match. White space is
   * tested first, because most characters are white space.
   */
  #endOfNested(start: number): number {
    const bytes = this.#bytes;
    const end = bytes.length;
    let depth = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte <= SPACE) continue;
      if (byte === QUOTE) at = this.#endOfString(at) - 1;
      else if ((byte | CURLY) === OPEN_BRACE) depth++;
      else if ((byte | CURLY) === CLOSE_BRACE && --depth === 0) return at + 1;
    }
    throw new JsonSyntaxError(end, true);
  }

  #endOfPlain(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    while (at < bytes.length && !isDelimiter(bytes[at]!)) at++;
    if (at === start) throw this.#unexpected(start);
    return at;
  }
}

function isDelimiter(byte: number): boolean {
  return byte <= SPACE || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
}
