import { EFFECTS } from "../operation/index.ts";
import type { OperationSummary } from "../operation/index.ts";
import { weightedWords } from "./operation-words.ts";
import type { SearchedText } from "./operation-words.ts";
import type { Postings, WordIndex } from "./postings.ts";

/*
 * Operations and their words in one block of bytes, so that thousands of them can be searched
 * without being read one by one. Sections in this order, numbers in the machine's own byte order:
 *
 *   head        8 numbers: mark, sizes of the sections
 *   starts      where the text of each operation begins, and where the last one ends
 *   lengths     the weights of all words of each operation together
 *   wordStarts  where each word begins, and where the last one ends
 *   wordFirsts  the first posting of each word, and the end of the last one's
 *   documents   postings: the number of an operation …
 *   weights     … and how much the word weighs in it
 *   signatureStarts  where each signature begins, and where the last one ends; absent without any
 *   flags       a byte for each operation
 *   words       sorted by their bytes
 *   ids         of all operations, as JSON
 *   details     each operation as JSON: [description, ...parameters]
 *   signatures  of each operation; absent from lists that were packed without them
 */
const MARK = 0x57_42_49_32;
const HEAD = 8;
const NUMBER_BYTES = 4;
const MAX_OPERATIONS = 200_000;

const FLAGS = {
  idempotent: 4,
  subscription: 8,
  hidden: 16,
  assumed: 32,
  safe: 64,
  raw: 128,
} as const;
const EFFECT_BITS = 3;

type Packed = SearchedText & Omit<OperationSummary, "parameters" | "needsTrust">;

function packFlags(summary: Packed): number {
  let flags = EFFECTS.indexOf(summary.effect);
  if (summary.idempotent) flags |= FLAGS.idempotent;
  if (summary.kind === "subscription") flags |= FLAGS.subscription;
  if (summary.exposed === false) flags |= FLAGS.hidden;
  if (summary.assumed === true) flags |= FLAGS.assumed;
  if (summary.safe === true) flags |= FLAGS.safe;
  if (summary.raw === true) flags |= FLAGS.raw;
  return flags;
}

interface Texts {
  readonly bytes: Uint8Array;
  /** The position where each entry begins, and where the last one ends. */
  readonly starts: Uint32Array;
}

function joinedTexts(texts: readonly Uint8Array[]): Texts {
  const starts = new Uint32Array(texts.length + 1);
  texts.forEach((text, index) => (starts[index + 1] = starts[index]! + text.length));
  const bytes = new Uint8Array(starts[texts.length]!);
  texts.forEach((text, index) => bytes.set(text, starts[index]));
  return { bytes, starts };
}

/** Empty if no operation has a signature. */
function packSignatures(operations: readonly Packed[], encoder: TextEncoder): Texts {
  const all = operations.map(({ signature = "" }) => signature);
  if (all.some((text) => text !== "")) return joinedTexts(all.map((text) => encoder.encode(text)));
  return { bytes: new Uint8Array(0), starts: new Uint32Array(0) };
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    if (a[index] !== b[index]) return a[index]! - b[index]!;
  }
  return a.length - b.length;
}

interface WordEntry {
  readonly bytes: Uint8Array;
  readonly documents: number[];
  readonly weights: number[];
}

function collectWords(operations: readonly Packed[]): {
  words: WordEntry[];
  lengths: Float32Array;
} {
  const encoder = new TextEncoder();
  const byWord = new Map<string, WordEntry>();
  const lengths = new Float32Array(operations.length);
  operations.forEach((operation, number) => {
    for (const [word, weight] of weightedWords(operation)) {
      let entry = byWord.get(word);
      if (entry === undefined) {
        entry = { bytes: encoder.encode(word), documents: [], weights: [] };
        byWord.set(word, entry);
      }
      entry.documents.push(number);
      entry.weights.push(weight);
      lengths[number]! += weight;
    }
  });
  return {
    words: [...byWord.values()].toSorted((a, b) => compareBytes(a.bytes, b.bytes)),
    lengths,
  };
}

function asBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Packs operations and their word index into bytes. */
export function packOperations(operations: readonly Packed[]): Uint8Array {
  const encoder = new TextEncoder();
  const { words, lengths } = collectWords(operations);
  const ids = encoder.encode(JSON.stringify(operations.map(({ id }) => id)));
  const texts = joinedTexts(
    operations.map(({ description, parameters }) =>
      encoder.encode(JSON.stringify([description, ...parameters])),
    ),
  );
  const signatures = packSignatures(operations, encoder);
  const names = joinedTexts(words.map(({ bytes }) => bytes));
  const firsts = new Uint32Array(words.length + 1);
  words.forEach(({ documents }, index) => (firsts[index + 1] = firsts[index]! + documents.length));
  const postings = firsts[words.length]!;
  const flags = Uint8Array.from(operations, packFlags);
  const lengthsInBytes = [names.bytes, ids, texts.bytes, signatures.bytes].map(
    ({ length }) => length,
  );
  const sections = [
    Uint32Array.of(MARK, operations.length, words.length, postings, ...lengthsInBytes),
    texts.starts,
    lengths,
    names.starts,
    firsts,
    Uint32Array.from(words.flatMap(({ documents }) => documents)),
    Float32Array.from(words.flatMap(({ weights }) => weights)),
    signatures.starts,
    flags,
    names.bytes,
    ids,
    texts.bytes,
    signatures.bytes,
  ].map(asBytes);
  return joinedTexts(sections).bytes;
}

let lastWord = "";
let lastBytes = new Uint8Array(0);

/** Cached, because one word is searched for in many indexes. */
function encodedWord(word: string): Uint8Array {
  if (word !== lastWord) [lastWord, lastBytes] = [word, new TextEncoder().encode(word)];
  return lastBytes;
}

/** One operation. Its text is parsed only when needed. */
class PackedSummary implements OperationSummary {
  readonly #index: PackedIndex;
  readonly #number: number;
  readonly #flags: number;
  readonly id: string;

  constructor(index: PackedIndex, number: number, id: string, flags: number) {
    this.#index = index;
    this.#number = number;
    this.#flags = flags;
    this.id = id;
  }

  get effect(): OperationSummary["effect"] {
    return EFFECTS[this.#flags & EFFECT_BITS] ?? "destructive";
  }

  get idempotent(): boolean {
    return (this.#flags & FLAGS.idempotent) !== 0;
  }

  get kind(): OperationSummary["kind"] {
    return (this.#flags & FLAGS.subscription) === 0 ? "call" : "subscription";
  }

  get exposed(): boolean {
    return (this.#flags & FLAGS.hidden) === 0;
  }

  get assumed(): boolean {
    return (this.#flags & FLAGS.assumed) !== 0;
  }

  get safe(): boolean {
    return (this.#flags & FLAGS.safe) !== 0;
  }

  get raw(): boolean {
    return (this.#flags & FLAGS.raw) !== 0;
  }

  get description(): string {
    return this.#index.textAt(this.#number)[0];
  }

  get parameters(): readonly string[] {
    return this.#index.textAt(this.#number).slice(1);
  }

  get signature(): string | undefined {
    return this.#index.signatureAt(this.#number);
  }
}

/** Reads operations and their words from the bytes that `packOperations` wrote. */
export class PackedIndex implements WordIndex {
  readonly size: number;
  readonly #decoder = new TextDecoder();
  readonly #starts: Uint32Array;
  readonly #lengths: Float32Array;
  readonly #wordStarts: Uint32Array;
  readonly #firsts: Uint32Array;
  readonly #documents: Uint32Array;
  readonly #weights: Float32Array;
  readonly #flags: Uint8Array;
  readonly #words: Uint8Array;
  readonly #ids: Uint8Array;
  readonly #texts: Uint8Array;
  readonly #signatureStarts: Uint32Array;
  readonly #signatures: Uint8Array;

  constructor(buffer: ArrayBufferLike, at: number, sizes: Sizes) {
    let offset = at + HEAD * NUMBER_BYTES;
    const take = (count: number): [ArrayBufferLike, number, number] => {
      const section: [ArrayBufferLike, number, number] = [buffer, offset, count];
      offset += count * NUMBER_BYTES;
      return section;
    };
    const takeBytes = (count: number): Uint8Array => {
      offset += count;
      return new Uint8Array(buffer, offset - count, count);
    };
    this.size = sizes.operations;
    this.#starts = new Uint32Array(...take(sizes.operations + 1));
    this.#lengths = new Float32Array(...take(sizes.operations));
    this.#wordStarts = new Uint32Array(...take(sizes.words + 1));
    this.#firsts = new Uint32Array(...take(sizes.words + 1));
    this.#documents = new Uint32Array(...take(sizes.postings));
    this.#weights = new Float32Array(...take(sizes.postings));
    this.#signatureStarts = new Uint32Array(...take(signatureNumbers(sizes)));
    this.#flags = takeBytes(sizes.operations);
    this.#words = takeBytes(sizes.wordBytes);
    this.#ids = takeBytes(sizes.idBytes);
    this.#texts = takeBytes(sizes.textBytes);
    this.#signatures = takeBytes(sizes.signatureBytes);
  }

  /** Undefined if the bytes have another format or another byte order. */
  static read(given: Uint8Array): PackedIndex | undefined {
    // Copies the bytes if needed, because numbers can be read only at aligned addresses. `slice`
    // of a Node Buffer copies nothing.
    const bytes = given.byteOffset % NUMBER_BYTES === 0 ? given : new Uint8Array(given);
    if (bytes.length < HEAD * NUMBER_BYTES) return undefined;
    const head = new Uint32Array(bytes.buffer, bytes.byteOffset, HEAD);
    const [mark = 0, operations = 0, words = 0, postings = 0, ...bytesIn] = head;
    const [wordBytes = 0, idBytes = 0, textBytes = 0, signatureBytes = 0] = bytesIn;
    const sizes = { operations, words, postings, wordBytes, idBytes, textBytes, signatureBytes };
    if (mark !== MARK || operations > MAX_OPERATIONS || wholeSize(sizes) !== bytes.length) {
      return undefined;
    }
    return new PackedIndex(bytes.buffer, bytes.byteOffset, sizes);
  }

  summaries(): OperationSummary[] {
    const ids = JSON.parse(this.#decoder.decode(this.#ids)) as string[];
    return ids.map((id, number) => new PackedSummary(this, number, id, this.#flags[number]!));
  }

  textAt(number: number): [description: string, ...parameters: string[]] {
    const text = this.#texts.subarray(this.#starts[number], this.#starts[number + 1]);
    return JSON.parse(this.#decoder.decode(text)) as [string, ...string[]];
  }

  get hasSignatures(): boolean {
    return this.#signatures.length > 0;
  }

  /** Undefined if the signature of the operation is not known. */
  signatureAt(number: number): string | undefined {
    const [start, end] = [this.#signatureStarts[number], this.#signatureStarts[number + 1]];
    return start === end ? undefined : this.#decoder.decode(this.#signatures.subarray(start, end));
  }

  lengthAt(number: number): number {
    return this.#lengths[number]!;
  }

  find(word: string): Postings | undefined {
    const index = this.#indexOf(word);
    if (index === undefined) return undefined;
    const [start, end] = [this.#firsts[index], this.#firsts[index + 1]];
    return {
      documents: this.#documents.subarray(start, end),
      weights: this.#weights.subarray(start, end),
    };
  }

  count(word: string): number {
    const index = this.#indexOf(word);
    return index === undefined ? 0 : this.#firsts[index + 1]! - this.#firsts[index]!;
  }

  #indexOf(word: string): number | undefined {
    const wanted = encodedWord(word);
    const index = this.#firstFrom(wanted);
    const isThere = index < this.#wordCount && this.#compareAt(index, wanted) === 0;
    return isThere ? index : undefined;
  }

  *beginningWith(initial: string): Iterable<string> {
    for (let at = this.#firstFrom(new TextEncoder().encode(initial)); at < this.#wordCount; at++) {
      const word = this.#decoder.decode(this.#wordAt(at));
      if (!word.startsWith(initial)) return;
      yield word;
    }
  }

  get #wordCount(): number {
    return this.#firsts.length - 1;
  }

  #wordAt(index: number): Uint8Array {
    return this.#words.subarray(this.#wordStarts[index], this.#wordStarts[index + 1]);
  }

  /** Like `compareBytes`, but without creating an object for the word. */
  #compareAt(index: number, wanted: Uint8Array): number {
    const start = this.#wordStarts[index]!;
    const length = this.#wordStarts[index + 1]! - start;
    const shared = Math.min(length, wanted.length);
    for (let at = 0; at < shared; at++) {
      const difference = this.#words[start + at]! - wanted[at]!;
      if (difference !== 0) return difference;
    }
    return length - wanted.length;
  }

  /** The index of the first word that is not sorted before this one. */
  #firstFrom(wanted: Uint8Array): number {
    let low = 0;
    let high = this.#wordCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareAt(middle, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface Sizes {
  readonly operations: number;
  readonly words: number;
  readonly postings: number;
  readonly wordBytes: number;
  readonly idBytes: number;
  readonly textBytes: number;
  /** 0 if the operations were packed without signatures. */
  readonly signatureBytes: number;
}

function signatureNumbers({ operations, signatureBytes }: Sizes): number {
  return signatureBytes === 0 ? 0 : operations + 1;
}

function wholeSize(sizes: Sizes): number {
  const { operations, words, postings, wordBytes, idBytes, textBytes, signatureBytes } = sizes;
  const counts = HEAD + 2 * operations + 1 + 2 * (words + 1) + 2 * postings;
  const numbers = counts + signatureNumbers(sizes);
  return numbers * NUMBER_BYTES + operations + wordBytes + idBytes + textBytes + signatureBytes;
}
