import { readFile, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { CodeGraph } from "../graph/index.ts";
import type { FileWords } from "../query/index.ts";
import { WordNumbers } from "./word-numbers.ts";

/** The longest file to search. A longer file is data. */
const MAX_BYTES = 512 * 1024;
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
const READ_AT_ONCE = 32;
const SEARCHED =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|go|java|kt|kts|cs|rs|rb|php|c|h|cc|cpp|hpp|md|mdx|graphql|proto|sql|ya?ml)$/;

/** The words of one file. They stay valid as long as its content does. */
interface Read {
  readonly path: string;
  readonly hashLow: number;
  readonly hashHigh: number;
  readonly bytes: number;
  /** The numbers of the words in the text, each once. */
  readonly words: Uint32Array;
  /** The numbers of the words in the path. */
  readonly inPath: Uint32Array;
}

/** The words of each file of a graph, by the number of the file. */
interface GraphWords {
  readonly graph: CodeGraph;
  readonly reads: readonly Read[];
}

const NO_WORDS = new Uint32Array();

/** The words of all files of a tree. After an edit only changed files are read again. */
export class SourceWords {
  readonly #root: string;
  readonly #numbers = new WordNumbers();
  #files = new Map<string, Read>();
  #known: GraphWords | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** Finds the terms that each file of a graph contains. */
  async find(graph: CodeGraph, terms: readonly string[], signal?: AbortSignal): Promise<FileWords> {
    const reads = await this.#readsOf(graph, signal);
    const marks = this.#numbers.marks(terms);
    const [inText, inPath] = [new Uint32Array(reads.length), new Uint32Array(reads.length)];
    const counts = new Uint32Array(terms.length);
    for (const [file, read] of reads.entries()) {
      inPath[file] = joinMarks(read.inPath, marks);
      const bits = joinMarks(read.words, marks);
      if (bits === 0) continue;
      inText[file] = bits;
      for (let at = 0; at < counts.length; at++) counts[at]! += (bits >> at) & 1;
    }
    return {
      fileCount: graph.files.count,
      filesWith: (term) => counts[term] ?? 0,
      termsIn: (file) => inText[file] ?? 0,
      termsInPath: (file) => inPath[file] ?? 0,
    };
  }

  /** A graph does not change, so its words are collected once. */
  async #readsOf(graph: CodeGraph, signal: AbortSignal | undefined): Promise<readonly Read[]> {
    if (this.#known?.graph === graph) return this.#known.reads;
    const reads = await this.#update(graph, signal);
    this.#known = { graph, reads };
    // Files that are gone are forgotten.
    if (this.#files.size > reads.length) {
      this.#files = new Map(reads.map((read) => [read.path, read]));
    }
    return reads;
  }

  async #update(graph: CodeGraph, signal: AbortSignal | undefined): Promise<Read[]> {
    const { files } = graph;
    const reads: Read[] = [];
    const stale: number[] = [];
    let bytes = 0;
    for (let file = 0; file < files.count; file++) {
      const path = files.path(file);
      bytes += files.bytes(file);
      const known = this.#files.get(path);
      const read = known && isCurrent(known, graph, file) ? known : this.#unread(graph, file);
      reads.push(read);
      const isSearched = files.bytes(file) <= MAX_BYTES && bytes <= MAX_TOTAL_BYTES;
      const isUnread = read.words === NO_WORDS;
      if (isUnread && isSearched && SEARCHED.test(path)) stale.push(file);
      else this.#files.set(path, read);
    }
    for (let at = 0; at < stale.length; at += READ_AT_ONCE) {
      signal?.throwIfAborted();
      const some = stale.slice(at, at + READ_AT_ONCE);
      const texts = await Promise.all(some.map((file) => this.#text(reads[file]!.path)));
      for (const [place, file] of some.entries()) {
        const read = { ...reads[file]!, words: this.#numbers.of(texts[place]!) };
        reads[file] = read;
        this.#files.set(read.path, read);
      }
    }
    return reads;
  }

  /** The entry of a file whose text was not read yet. */
  #unread({ files }: CodeGraph, file: number): Read {
    const path = files.path(file);
    return {
      path,
      hashLow: files.columns.hashLow[file]!,
      hashHigh: files.columns.hashHigh[file]!,
      bytes: files.bytes(file),
      words: NO_WORDS,
      inPath: this.#numbers.of(path),
    };
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
}

function isCurrent(read: Read, { files }: CodeGraph, file: number): boolean {
  const { hashLow, hashHigh } = files.columns;
  return (
    read.hashLow === hashLow[file] &&
    read.hashHigh === hashHigh[file] &&
    read.bytes === files.bytes(file)
  );
}

function joinMarks(words: Uint32Array, marks: Uint32Array): number {
  let bits = 0;
  for (const word of words) bits |= marks[word]!;
  return bits;
}
