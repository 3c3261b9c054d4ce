import { fail } from "@waybill/core";

/** A parsed pattern. `any` is one character of a segment; `all` also matches a slash. */
export type Part =
  | { readonly type: "char"; readonly code: number }
  | { readonly type: "any" }
  | { readonly type: "all" }
  | { readonly type: "set"; readonly ranges: readonly (readonly [number, number])[]; not: boolean }
  | { readonly type: "many"; readonly of: Part }
  | { readonly type: "maybe"; readonly of: Part }
  | { readonly type: "list"; readonly parts: readonly Part[] }
  | { readonly type: "one"; readonly parts: readonly Part[] }
  | { readonly type: "capture"; readonly of: Part; readonly index: number };

const MAX_LENGTH = 512;
const MAX_DEPTH = 8;
const SLASH = "/".charCodeAt(0);

function patternProblem(pattern: string, why: string): Error {
  const shown = pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern;
  return fail("VALIDATION", `The pattern ${JSON.stringify(shown)} ${why}`, {
    hint: "Patterns support *, **, ?, [a-z], {a,b} and (…) to capture; \\ escapes them",
  });
}

/** Reads `*`, `**`, `?`, `[…]`, `{a,b}`, `(a|b)` (which captures) and `\` before a character. */
export class PatternReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  captures = 0;

  constructor(text: string) {
    if (text.length > MAX_LENGTH) {
      throw patternProblem(text, `is longer than ${MAX_LENGTH} characters`);
    }
    this.#text = text;
  }

  read(): Part {
    const part = this.#alternatives("", "");
    if (this.#at < this.#text.length)
      throw this.#problem(`has one ${this.#text[this.#at]} too many`);
    return part;
  }

  #problem(why: string): Error {
    return patternProblem(this.#text, why);
  }

  /** The alternatives up to the closing character, which is not consumed. */
  #alternatives(separator: string, close: string): Part {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw this.#problem(`must not nest deeper than ${MAX_DEPTH} levels`);
    const choices = [this.#sequence(separator, close)];
    while (this.#text[this.#at] === separator) {
      this.#at += 1;
      choices.push(this.#sequence(separator, close));
    }
    this.#depth -= 1;
    return choices.length === 1 ? choices[0]! : { type: "one", parts: choices };
  }

  #sequence(separator: string, close: string): Part {
    const parts: Part[] = [];
    while (this.#at < this.#text.length) {
      const next = this.#text[this.#at]!;
      if (next === close || next === separator) break;
      if ((next === ")" || next === "}") && close === "") break;
      parts.push(this.#part(next));
    }
    return { type: "list", parts };
  }

  #part(next: string): Part {
    if (next === "*") return this.#star();
    this.#at += 1;
    if (next === "?") return { type: "any" };
    if (next === "[") return this.#set();
    if (next === "{") return this.#group("{", ",", "}");
    if (next === "(") return this.#capture();
    if (next === "\\") return this.#escaped();
    return { type: "char", code: next.charCodeAt(0) };
  }

  #escaped(): Part {
    const next = this.#text[this.#at++];
    if (next === undefined) throw this.#problem("ends in a \\");
    return { type: "char", code: next.charCodeAt(0) };
  }

  /** Two stars as a whole segment match several folders; any other star stays in its segment. */
  #star(): Part {
    const start = this.#at;
    while (this.#text[this.#at] === "*") this.#at += 1;
    const before = this.#text[start - 1];
    const after = this.#text[this.#at];
    const opens = before === undefined || "/({,|".includes(before);
    const closes = after === undefined || "/)},|".includes(after);
    if (this.#at - start < 2 || !opens || !closes) return { type: "many", of: { type: "any" } };
    const all: Part = { type: "many", of: { type: "all" } };
    if (after !== "/") return all;
    this.#at += 1;
    return { type: "maybe", of: { type: "list", parts: [all, { type: "char", code: SLASH }] } };
  }

  #group(open: string, separator: string, close: string): Part {
    const part = this.#alternatives(separator, close);
    if (this.#text[this.#at] !== close) throw this.#problem(`has a ${open} without its ${close}`);
    this.#at += 1;
    return part;
  }

  #capture(): Part {
    this.captures += 1;
    const index = this.captures;
    return { type: "capture", of: this.#group("(", "|", ")"), index };
  }

  #set(): Part {
    const not = this.#text[this.#at] === "!" || this.#text[this.#at] === "^";
    if (not) this.#at += 1;
    const end = this.#text.indexOf("]", this.#at + 1);
    if (end < 0) throw this.#problem("has a [ without its ]");
    const ranges: (readonly [number, number])[] = [];
    while (this.#at < end) ranges.push(this.#range(end));
    this.#at = end + 1;
    return { type: "set", ranges, not };
  }

  #range(end: number): readonly [number, number] {
    const low = this.#text.charCodeAt(this.#at);
    if (this.#text[this.#at + 1] !== "-" || this.#at + 2 >= end) {
      this.#at += 1;
      return [low, low];
    }
    const high = this.#text.charCodeAt(this.#at + 2);
    this.#at += 3;
    return [low, high];
  }
}
