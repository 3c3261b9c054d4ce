import { isRecord } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import { splitId } from "../operation/index.ts";
import { editDistance, nearestNames } from "../schema/index.ts";
import { rerank } from "./rerank.ts";
import type { Found } from "./rerank.ts";
import { synonymsOf } from "./synonyms.ts";
import { idTokens, isLittle, queryTokens, stateTokens, tokenise } from "./tokens.ts";
import { TopHits } from "./top-hits.ts";

/** How much a word counts by where it stands. */
const WEIGHTS = { id: 5, description: 1, parameter: 0.5 } as const;
/** BM25's usual constants: how fast repetition stops to help, how much long texts are discounted. */
const K1 = 1.2;
const B = 0.75;
const MAX_QUERY_LENGTH = 1_000;
const MAX_QUERY_WORDS = 12;
const MAX_DESCRIPTION = 400;
const MAX_EXPANSIONS = 8;
/** In a large registry a word that stands in this share of all operations tells nothing apart. */
const COMMON_SHARE = 0.3;
const COMMON_MATTERS_BELOW = 2_000;
const MAX_NEAR_CANDIDATES = 50;
/** What another word for the same counts beside the word itself. */
const SYNONYM_WEIGHT = 0.35;
/** What a word counts that says little beside others. */
const ASIDE_WEIGHT = 0.2;
/** What lists do not show is found, but what they do show is more often meant. */
const UNLISTED_WEIGHT = 0.6;
/** The state of a thing tells less of the operation than the thing. */
const PARTICIPLE_WEIGHT = 0.5;
/** So many of the best are looked at once more. */
const MIN_CANDIDATES = 50;
/** Fewer removed operations than this are not worth indexing the others again. */
const MANY_REMOVED = 1_000;

/** Where a word occurs: document numbers and how much it weighs in each. */
interface Postings {
  readonly documents: number[];
  readonly weights: number[];
}

/** A word of the query as found in the index, and how much it counts. */
interface Term {
  readonly postings: Postings;
  readonly weight: number;
  /** Tells apart what other words found, and finds nothing by itself. */
  readonly isAside?: boolean;
}

interface Hit {
  readonly id: string;
  readonly score: number;
}

const acceptAny = (): boolean => true;

/** Words of a guess that mean a change, as they are indexed. */
const WRITING: ReadonlySet<string> = new Set(
  tokenise("create add new make write update edit change set delete remove commit submit"),
);

const READING: ReadonlySet<string> = new Set(tokenise("list view show get read see all"));

function parameterNames(spec: OperationSpec): readonly string[] {
  if (spec.parameters !== undefined) return spec.parameters;
  const schema = spec.inputSchema;
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? Object.keys(properties) : [];
}

/** The words of an operation, each with its weight. */
function weightedWords(spec: OperationSpec): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (words: readonly string[], weight: number): void => {
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  add(idTokens(spec.id), WEIGHTS.id);
  add(tokenise(spec.description.slice(0, MAX_DESCRIPTION)), WEIGHTS.description);
  for (const name of parameterNames(spec)) add(tokenise(name), WEIGHTS.parameter);
  return weights;
}

/**
 * Finds operations by words, ranked as BM25 does and then by what they do. Nothing is indexed
 * before the first search; what is registered later is added to the index, and what is removed is
 * only marked.
 */
export class SearchIndex {
  readonly #pending = new Map<string, OperationSpec>();
  readonly #words = new Map<string, Postings>();
  /** Words by their first letter: beginnings and misspellings are looked for among these. */
  readonly #initials = new Map<string, string[]>();
  readonly #specs: (OperationSpec | undefined)[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #lengths: number[] = [];
  #totalLength = 0;
  #scores = new Float64Array(0);

  add(spec: OperationSpec): void {
    this.#pending.set(spec.id, spec);
  }

  remove(id: string): void {
    if (this.#pending.delete(id)) return;
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#specs[number] = undefined;
    this.#numbers.delete(id);
    const removed = this.#specs.length - this.#numbers.size;
    if (removed > MANY_REMOVED && removed > this.#numbers.size) this.#startAfresh();
  }

  search(words: string, limit: number, accepts: (id: string) => boolean = acceptAny): Hit[] {
    this.#indexPending();
    const text = words.slice(0, MAX_QUERY_LENGTH);
    const query = queryTokens(text);
    const asked = query.words.slice(0, MAX_QUERY_WORDS);
    const states = new Set(stateTokens(text));
    const touched = this.#score([
      ...asked.flatMap((word) => this.#expand(word, states.has(word) ? PARTICIPLE_WEIGHT : 1)),
      ...query.asides.slice(0, MAX_QUERY_WORDS).flatMap((word) => this.#aside(word)),
    ]);
    const found = this.#best(touched, Math.max(limit, MIN_CANDIDATES), accepts);
    const rarity = (word: string): number => this.#rarity(this.#words.get(word)!);
    return rerank(found, { text, words: asked, rarity }).slice(0, Math.max(0, limit));
  }

  /** The best of what was touched, whose scores are cleared for the next search. */
  #best(touched: readonly number[], count: number, accepts: (id: string) => boolean): Found[] {
    const hits = new TopHits(count, (number) => this.#specs[number]!.id);
    for (const number of touched) {
      const score = this.#scores[number]!;
      this.#scores[number] = 0;
      // Most of what a common word touches is not worth a look at its operation.
      if (score < hits.least) continue;
      const spec = this.#specs[number];
      if (spec === undefined || !accepts(spec.id)) continue;
      hits.offer(number, spec.exposed === false ? score * UNLISTED_WEIGHT : score);
    }
    return hits.ranked().map((hit) => ({ ...hit, spec: this.#specOf(hit.id) }));
  }

  /** Ids near a wrong one: by its words, then by its letters. */
  nearest(id: string, count: number): string[] {
    const guess = String(id).slice(0, 200);
    const found = this.search(guess, MAX_NEAR_CANDIDATES).map((hit) => hit.id);
    const byLetters = nearestNames(guess, found, count);
    const { name } = splitId(guess);
    const sameName = found.filter((other) => splitId(other).name === name);
    const related = this.#related(guess, found);
    const isRelated = (other: string): boolean => related.includes(other);
    const near = new Set([...byLetters.filter(isRelated), ...related, ...byLetters, ...sameName]);
    if (near.size > 0) return [...near].slice(0, count);
    const words = tokenise(guess).filter((word) => word.length > 1);
    return found.filter((other) => this.#isAbout(other, words)).slice(0, count);
  }

  /** What is about the same thing, and does what the guess says: `file.create` → `file.commit`. */
  #related(guess: string, found: readonly string[]): string[] {
    const [thing, ...rest] = idTokens(guess);
    if (thing === undefined || rest.length === 0) return [];
    const about = found.filter((other) => idTokens(other).includes(thing));
    const isWrite = rest.some((word) => WRITING.has(word));
    if (!isWrite && !rest.some((word) => READING.has(word))) {
      return about.filter((other) => rest.some((word) => idTokens(other).includes(word)));
    }
    return about.filter((other) => (this.#specOf(other).effect !== "read") === isWrite);
  }

  /** A search also finds what is only like a word somewhere in a text, which is nobody's guess. */
  #isAbout(id: string, words: readonly string[]): boolean {
    const spec = this.#specOf(id);
    const inId = idTokens(id);
    const known = weightedWords(spec);
    return words.some((word) => known.has(word) || nearestNames(word, inId, 1).length > 0);
  }

  #specOf(id: string): OperationSpec {
    return this.#specs[this.#numbers.get(id)!]!;
  }

  #indexPending(): void {
    for (const spec of this.#pending.values()) this.#index(spec);
    this.#pending.clear();
    if (this.#scores.length < this.#specs.length) {
      this.#scores = new Float64Array(Math.ceil(this.#specs.length * 1.5));
    }
  }

  /** Sources that come and go would otherwise leave their words behind for ever. */
  #startAfresh(): void {
    for (const spec of this.#specs) if (spec !== undefined) this.#pending.set(spec.id, spec);
    this.#specs.length = 0;
    this.#lengths.length = 0;
    this.#totalLength = 0;
    this.#words.clear();
    this.#initials.clear();
    this.#numbers.clear();
  }

  #index(spec: OperationSpec): void {
    const number = this.#specs.push(spec) - 1;
    this.#numbers.set(spec.id, number);
    let length = 0;
    for (const [word, weight] of weightedWords(spec)) {
      const postings = this.#words.get(word) ?? this.#addWord(word);
      postings.documents.push(number);
      postings.weights.push(weight);
      length += weight;
    }
    this.#lengths.push(length);
    this.#totalLength += length;
  }

  #addWord(word: string): Postings {
    const postings: Postings = { documents: [], weights: [] };
    this.#words.set(word, postings);
    const initial = word.slice(0, 1);
    const words = this.#initials.get(initial);
    if (words === undefined) this.#initials.set(initial, [word]);
    else words.push(word);
    return postings;
  }

  /** A word as indexed, or what it may be the beginning or a misspelling of, counting less. */
  #expand(word: string, weight: number): Term[] {
    const exact = this.#words.get(word);
    const same = synonymsOf(word).flatMap((other) => this.#words.get(other) ?? []);
    const isAside = exact !== undefined;
    const meant = same.map((postings) => ({ postings, weight: weight * SYNONYM_WEIGHT, isAside }));
    if (exact !== undefined) return [{ postings: exact, weight }, ...meant];
    if (meant.length > 0 || isLittle(word)) return meant;
    const begun = this.#matching(word, (known) => word.length > 1 && known.startsWith(word));
    if (begun.length > 0) return begun.map((postings) => ({ postings, weight: weight * 0.7 }));
    const limit = word.length < 5 ? 1 : 2;
    const near = this.#matching(word, (known) => editDistance(word, known, limit) <= limit);
    return near.map((postings) => ({ postings, weight: weight * 0.4 }));
  }

  #aside(word: string): Term[] {
    const postings = this.#words.get(word);
    return postings === undefined ? [] : [{ postings, weight: ASIDE_WEIGHT, isAside: true }];
  }

  #matching(word: string, fits: (known: string) => boolean): Postings[] {
    const matching: Postings[] = [];
    for (const known of this.#initials.get(word.slice(0, 1)) ?? []) {
      if (matching.length >= MAX_EXPANSIONS) break;
      if (fits(known)) matching.push(this.#words.get(known)!);
    }
    return matching;
  }

  #isTelling({ postings }: Term): boolean {
    const total = this.#specs.length;
    return total < COMMON_MATTERS_BELOW || postings.documents.length < total * COMMON_SHARE;
  }

  #score(terms: readonly Term[]): number[] {
    const touched: number[] = [];
    const all = terms.filter((term) => this.#isTelling(term));
    const telling = all.some(({ isAside }) => isAside !== true) ? all : terms;
    // What was found by other words is known only when those are through.
    const inOrder = telling.toSorted(
      (a, b) => Number(a.isAside ?? false) - Number(b.isAside ?? false),
    );
    for (const term of inOrder) this.#scoreTerm(term, touched);
    return touched;
  }

  #rarity({ documents }: Postings): number {
    const total = this.#specs.length;
    return Math.log(1 + (total - documents.length + 0.5) / (documents.length + 0.5));
  }

  #scoreTerm({ postings, weight: factor, isAside = false }: Term, touched: number[]): void {
    const { documents, weights } = postings;
    const boost = factor * this.#rarity(postings);
    const averageLength = this.#totalLength / Math.max(1, this.#specs.length);
    for (let index = 0; index < documents.length; index++) {
      const number = documents[index]!;
      const isNew = this.#scores[number] === 0;
      if (isNew && isAside) continue;
      if (isNew) touched.push(number);
      const weight = weights[index]!;
      const discount = K1 * (1 - B + (B * this.#lengths[number]!) / averageLength);
      this.#scores[number]! += (boost * weight * (K1 + 1)) / (weight + discount);
    }
  }
}
