import { readFile, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { CodeGraph } from "../graph/index.ts";
import { fitsTerm, wordsIn } from "../query/index.ts";
import type { FileWords } from "../query/index.ts";

/** The longest file to search. A longer file is data. */
const MAX_BYTES = 512 * 1024;
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
const MAX_WORDS = 2_000_000;
const READ_AT_ONCE = 32;
const SEARCHED =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|go|java|kt|kts|cs|rs|rb|php|c|h|cc|cpp|hpp|md|mdx|graphql|proto|sql|ya?ml)$/;

interface Read {
  readonly stamp: string;
  /** The numbers of the file's words, each once. */
  readonly words: Uint32Array;
}

/** The words of each file of a graph, by the number of the file. */
interface GraphWords {
  readonly graph: CodeGraph;
  readonly words: readonly Uint32Array[];
}

const NO_WORDS = new Uint32Array();

/** The words of all files of a tree. After an edit only changed files are read again. */
export class SourceWords {
  readonly #root: string;
  readonly #numbers = new Map<string, number>();
  #files = new Map<string, Read>();
  #known: GraphWords | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** Finds the terms that each file of a graph contains. */
  async find(graph: CodeGraph, terms: readonly string[], signal?: AbortSignal): Promise<FileWords> {
    const words = await this.#wordsOfFiles(graph, signal);
    const marks = this.#marks(terms);
    const inFile = new Uint32Array(graph.files.count);
    const counts = new Uint32Array(terms.length);
    for (let file = 0; file < words.length; file++) {
      let bits = 0;
      for (const word of words[file]!) bits |= marks[word]!;
      if (bits === 0) continue;
      inFile[file] = bits;
      for (let at = 0; at < counts.length; at++) counts[at]! += (bits >> at) & 1;
    }
    return {
      fileCount: graph.files.count,
      filesWith: (term) => counts[term] ?? 0,
      termsIn: (file) => inFile[file] ?? 0,
    };
  }

  /** A graph does not change, so its words are collected once. */
  async #wordsOfFiles(
    graph: CodeGraph,
    signal: AbortSignal | undefined,
  ): Promise<readonly Uint32Array[]> {
    if (this.#known?.graph === graph) return this.#known.words;
    const read = await this.#update(graph, signal);
    const words = Array.from(
      { length: graph.files.count },
      (_, file) => read.get(graph.files.path(file))?.words ?? NO_WORDS,
    );
    this.#known = { graph, words };
    return words;
  }

  /** The terms that each known word matches, as bits. */
  #marks(terms: readonly string[]): Uint32Array {
    const marks = new Uint32Array(this.#numbers.size);
    for (const [word, number] of this.#numbers) {
      for (const [at, term] of terms.entries()) {
        if (fitsTerm(word, term)) marks[number]! |= 1 << at;
      }
    }
    return marks;
  }

  async #update(
    graph: CodeGraph,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, Read>> {
    const { files } = graph;
    const next = new Map<string, Read>();
    const stale: { path: string; stamp: string }[] = [];
    let bytes = 0;
    for (let file = 0; file < files.count; file++) {
      const path = files.path(file);
      bytes += files.bytes(file);
      if (!SEARCHED.test(path) || files.bytes(file) > MAX_BYTES || bytes > MAX_TOTAL_BYTES)
        continue;
      const { hashLow, hashHigh } = files.columns;
      const stamp = `${hashLow[file]} ${hashHigh[file]} ${files.bytes(file)}`;
      const known = this.#files.get(path);
      if (known?.stamp === stamp) next.set(path, known);
      else stale.push({ path, stamp });
    }
    for (let at = 0; at < stale.length; at += READ_AT_ONCE) {
      signal?.throwIfAborted();
      const some = stale.slice(at, at + READ_AT_ONCE);
      const texts = await Promise.all(some.map(({ path }) => this.#text(path)));
      for (const [place, { path, stamp }] of some.entries()) {
        next.set(path, { stamp, words: this.#wordsOf(texts[place]!) });
      }
    }
    this.#files = next;
    return next;
  }

  /** Empty if the file cannot be read, or is outside of the root. */
  async #text(path: string): Promise<string> {
    try {
      const real = await realpath(join(this.#root, path));
      return real.startsWith(this.#root + sep) ? await readFile(real, "utf8") : "";
    } catch {
      return "";
    }
  }

  #wordsOf(text: string): Uint32Array {
    const found = new Set<number>();
    for (const word of wordsIn(text)) {
      let number = this.#numbers.get(word);
      if (number === undefined && this.#numbers.size < MAX_WORDS) {
        this.#numbers.set(word, (number = this.#numbers.size));
      }
      if (number !== undefined) found.add(number);
    }
    return Uint32Array.from(found);
  }
}
