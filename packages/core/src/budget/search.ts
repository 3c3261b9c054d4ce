import { formatPath } from "./path.ts";

export interface SearchHit {
  readonly path: string;
  /** The first line of the excerpt, counted from 1. */
  readonly line: number;
  readonly text: string;
}

const MAX_HITS = 1_000;
const LINES_AROUND = 2;
const CHARACTERS_AROUND = 240;

/**
 * The start of an excerpt: a few lines before the match, but not more than the maximum length
 * before it.
 */
function excerptStart(text: string, at: number): number {
  const limit = Math.max(0, at - CHARACTERS_AROUND);
  let start = at;
  for (let line = 0; line <= LINES_AROUND; line++) {
    const previous = start === 0 ? -1 : text.lastIndexOf("\n", start - 1);
    if (previous < limit) return limit;
    start = previous;
  }
  return start + 1;
}

function excerptEnd(text: string, at: number): number {
  const limit = Math.min(text.length, at + CHARACTERS_AROUND);
  let end = at;
  for (let line = 0; line <= LINES_AROUND; line++) {
    const next = text.indexOf("\n", line === 0 ? end : end + 1);
    if (next === -1 || next > limit) return limit;
    end = next;
  }
  return end;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) {
    lines += 1;
  }
  return lines;
}

class Search {
  readonly hits: SearchHit[] = [];
  readonly #words: string;
  readonly #keys: (string | number)[] = [];

  constructor(words: string) {
    this.#words = words.toLowerCase();
  }

  visit(value: unknown): void {
    if (this.hits.length >= MAX_HITS) return;
    if (typeof value === "string") this.#visitText(value);
    else if (typeof value === "object" && value !== null) this.#visitMembers(value);
    else if (value !== null) this.#visitText(JSON.stringify(value));
  }

  #visitMembers(value: object): void {
    for (const [key, member] of Object.entries(value)) {
      this.#keys.push(Array.isArray(value) ? Number(key) : key);
      this.visit(member);
      this.#keys.pop();
    }
  }

  #visitText(text: string): void {
    const lower = text.toLowerCase();
    let line = 1;
    let counted = 0;
    let at = lower.indexOf(this.#words);
    while (at !== -1 && this.hits.length < MAX_HITS) {
      const start = excerptStart(text, at);
      const end = excerptEnd(text, at + this.#words.length);
      line += countLines(text, counted, start);
      counted = Math.max(counted, start);
      this.hits.push({ path: formatPath(this.#keys), line, text: text.slice(start, end) });
      at = lower.indexOf(this.#words, end);
    }
  }
}

/**
 * Finds every string that contains the words, in any letter case, and returns a few lines around
 * each match (at most 1,000 matches).
 */
export function searchData(data: unknown, words: string): SearchHit[] {
  const search = new Search(words);
  search.visit(data);
  return search.hits;
}
