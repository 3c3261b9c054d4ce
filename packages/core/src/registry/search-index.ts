import type { OperationSpec } from "../operation/index.ts";
import { splitId } from "../operation/index.ts";
import { editDistance, nearestNames } from "../schema/index.ts";
import { rankByMeaning } from "./nearest-ids.ts";
import { searchedText, weightedWords } from "./operation-words.ts";
import type { FoundWord, Postings, WordIndex } from "./postings.ts";
import { rerank } from "./rerank.ts";
import type { Found } from "./rerank.ts";
import { findSynonyms } from "./synonyms.ts";
import { idTokens, isLittle, queryTokens, stateTokens, tokenise } from "./tokens.ts";
import { TopHits } from "./top-hits.ts";

/**
 * The usual BM25 constants: how fast repetitions of a word stop to count, and how much long
 * descriptions are discounted.
 */
const K1 = 1.2;
const B = 0.75;
const MAX_QUERY_LENGTH = 1_000;
const MAX_QUERY_WORDS = 12;
const MAX_EXPANSIONS = 8;
/**
 * In a large registry, a word that occurs in this share of all operations does not distinguish
 * them.
 */
const COMMON_SHARE = 0.3;
const COMMON_MATTERS_BELOW = 2_000;
const MAX_NEAR_CANDIDATES = 100;
/** The minimum length of each part of a word that is split in two. */
const MIN_PART = 3;
/** A shorter word that is like another is usually no typing mistake: `foo` is not `for`. */
const MIN_MISTYPED = 4;
/** The weight of a synonym relative to the word itself. */
const SYNONYM_WEIGHT = 0.35;
/** The weight of a filler word if the query has other words. */
const ASIDE_WEIGHT = 0.2;
/**
 * The weight of unlisted capabilities. They are found too, but listed ones are wanted more
 * often.
 */
const UNLISTED_WEIGHT = 0.6;
/**
 * The weight of a word for a state, because it says less about an operation than the object
 * does.
 */
const PARTICIPLE_WEIGHT = 0.5;
/** At least this many of the best results are ranked again by their action. */
const MIN_CANDIDATES = 50;
/** With fewer removed operations, the index is not rebuilt. */
const MANY_REMOVED = 1_000;

/** A word of the query in its indexed form, with its weight. */
interface Term {
  readonly found: FoundWord;
  readonly weight: number;
  /** Whether the word only changes the ranking, and finds no results itself. */
  readonly isAside?: boolean;
}

interface Hit {
  readonly id: string;
  readonly score: number;
}

const acceptAny = (): boolean => true;

/** Words that are indexed here. Operations are numbered across all indexes. */
interface OwnPostings extends Postings {
  readonly documents: number[];
  readonly weights: number[];
}

/** Operations with a prepared index. Their numbers start at `base`. */
interface Adopted {
  readonly index: WordIndex;
  readonly base: number;
  left: number;
}

/**
 * Finds operations by words, ranked by BM25 and then by their action. Nothing is indexed before
 * the first search. Operations that are added later are indexed, prepared indexes are used
 * unchanged, and removed operations are only marked.
 */
export class SearchIndex {
  readonly #pending = new Map<string, OperationSpec>();
  readonly #words = new Map<string, OwnPostings>();
  #adopted: Adopted[] = [];
  /** Words by their first letter, used to find prefixes and misspellings. */
  readonly #initials = new Map<string, string[]>();
  readonly #specs: (OperationSpec | undefined)[] = [];
  readonly #numbers = new Map<string, number>();
  /** How many operations the map from ids to numbers has. */
  #numbered = 0;
  readonly #lengths: number[] = [];
  #totalLength = 0;
  #scores = new Float64Array(0);

  add(spec: OperationSpec): void {
    this.#pending.set(spec.id, spec);
  }

  /** Adds a prepared index of operations, in its order. */
  adopt(index: WordIndex, specs: readonly OperationSpec[]): void {
    const base = this.#specs.length;
    this.#adopted.push({ index, base, left: specs.length });
    specs.forEach((spec, number) => {
      this.#pending.delete(spec.id);
      this.#number(spec, index.lengthAt(number));
    });
  }

  remove(id: string): void {
    if (this.#pending.delete(id)) return;
    const number = this.#numberOf(id);
    if (number === undefined) return;
    this.#specs[number] = undefined;
    this.#numbers.delete(id);
    this.#removeAdopted(number);
    const removed = this.#specs.length - this.#numbers.size;
    if (removed > MANY_REMOVED && removed > this.#numbers.size) this.#startAfresh();
  }

  /** Drops an index whose operations were all removed. */
  #removeAdopted(number: number): void {
    const part = this.#adopted.find(
      ({ base, index }) => number >= base && number < base + index.size,
    );
    if (part === undefined) return;
    part.left -= 1;
    if (part.left === 0) this.#adopted = this.#adopted.filter((other) => other !== part);
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
    const rarities = new Map<string, number>();
    const rarity = (word: string): number => {
      const known = rarities.get(word) ?? this.#rarity(this.#count(word));
      rarities.set(word, known);
      return known;
    };
    return rerank(found, { text, words: asked, rarity }).slice(0, Math.max(0, limit));
  }

  /** The best of the scored operations. All scores are then reset for the next search. */
  #best(touched: readonly number[], count: number, accepts: (id: string) => boolean): Found[] {
    const hits = new TopHits(count, (number) => this.#specs[number]!.id);
    for (const number of touched) {
      const score = this.#scores[number]!;
      this.#scores[number] = 0;
      // Skips most operations with a common word, because their score is too low.
      if (score < hits.least) continue;
      const spec = this.#specs[number];
      if (spec === undefined || !accepts(spec.id)) continue;
      hits.offer(number, spec.exposed === false ? score * UNLISTED_WEIGHT : score);
    }
    return hits.ranked().map(({ number, score }) => {
      const spec = this.#specs[number]!;
      return { id: spec.id, score, spec };
    });
  }

  /**
   * Ids similar to a wrong one: first by all its words, then by its letters, then by some of its
   * words.
   */
  nearest(id: string, count: number): string[] {
    const guess = String(id).slice(0, 200);
    const found = this.search(guess, MAX_NEAR_CANDIDATES).map((hit) => hit.id);
    const byLetters = nearestNames(guess, found, count);
    const { name } = splitId(guess);
    const sameName = found.filter((other) => splitId(other).name === name);
    const specs = found.map((other) => this.#specOf(other));
    const meant = rankByMeaning(guess, this.#wordsOf(guess), specs);
    const related = meant.map((one) => one.id);
    const whole = meant.filter(({ isWhole }) => isWhole).map((one) => one.id);
    const mistyped = byLetters.filter((other) => related.includes(other));
    // If the wrong id is a typing mistake, one suggestion is enough.
    const others = whole.length === 0 && mistyped.length > 0 ? [] : related;
    const near = new Set([...whole, ...mistyped, ...others, ...byLetters, ...sameName]);
    if (near.size > 0) return [...near].slice(0, count);
    const words = tokenise(guess).filter((word) => word.length > 1);
    return found.filter((other) => this.#isAbout(other, words)).slice(0, count);
  }

  /** The words of a guessed id. `subissue` is read as the two indexed words `sub` and `issue`. */
  #wordsOf(guess: string): string[] {
    return [...new Set(idTokens(guess).flatMap((word) => this.#parts(word) ?? [word]))];
  }

  /** The two indexed words that an unknown word consists of. */
  #parts(word: string): string[] | undefined {
    if (this.#count(word) > 0) return undefined;
    for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
      const parts = [word.slice(0, at), word.slice(at)];
      if (parts.every((part) => this.#count(part) > 0)) return parts;
    }
    return undefined;
  }

  /**
   * Whether an id contains the words. A search also finds words in descriptions, which make poor
   * suggestions for an id.
   */
  #isAbout(id: string, words: readonly string[]): boolean {
    const spec = this.#specOf(id);
    const inId = idTokens(id);
    const known = weightedWords(searchedText(spec));
    const isNear = (word: string): boolean =>
      word.length >= MIN_MISTYPED && nearestNames(word, inId, 1).length > 0;
    return words.some((word) => known.has(word) || isNear(word));
  }

  #specOf(id: string): OperationSpec {
    return this.#specs[this.#numberOf(id)!]!;
  }

  /** Filled on first use, because many commands search once and need no map of ids. */
  #numberOf(id: string): number | undefined {
    for (; this.#numbered < this.#specs.length; this.#numbered++) {
      const spec = this.#specs[this.#numbered];
      if (spec !== undefined) this.#numbers.set(spec.id, this.#numbered);
    }
    return this.#numbers.get(id);
  }

  #indexPending(): void {
    for (const spec of this.#pending.values()) this.#index(spec);
    this.#pending.clear();
    if (this.#scores.length < this.#specs.length) {
      this.#scores = new Float64Array(Math.ceil(this.#specs.length * 1.5));
    }
  }

  /** Rebuilds the index, which removes the words of removed sources. */
  #startAfresh(): void {
    const left = this.#specs.filter((spec) => spec !== undefined);
    const added = [...this.#pending.values()];
    this.clear();
    for (const spec of [...added, ...left]) this.add(spec);
  }

  clear(): void {
    this.#pending.clear();
    this.#specs.length = 0;
    this.#lengths.length = 0;
    this.#totalLength = 0;
    this.#words.clear();
    this.#adopted = [];
    this.#initials.clear();
    this.#numbers.clear();
    this.#numbered = 0;
  }

  #number(spec: OperationSpec, length: number): number {
    const number = this.#specs.push(spec) - 1;
    this.#lengths.push(length);
    this.#totalLength += length;
    return number;
  }

  #index(spec: OperationSpec): void {
    const words = weightedWords(searchedText(spec));
    let length = 0;
    for (const weight of words.values()) length += weight;
    const number = this.#number(spec, length);
    for (const [word, weight] of words) {
      const postings = this.#words.get(word) ?? this.#addWord(word);
      postings.documents.push(number);
      postings.weights.push(weight);
    }
  }

  #addWord(word: string): OwnPostings {
    const postings: OwnPostings = { documents: [], weights: [] };
    this.#words.set(word, postings);
    const initial = word.slice(0, 1);
    const words = this.#initials.get(initial);
    if (words === undefined) this.#initials.set(initial, [word]);
    else words.push(word);
    return postings;
  }

  /** The operations in which a word occurs, in this index and in the prepared ones. */
  #find(word: string): FoundWord | undefined {
    const own = this.#words.get(word);
    const parts: (Postings & { base: number })[] = own === undefined ? [] : [{ ...own, base: 0 }];
    for (const { index, base } of this.#adopted) {
      const found = index.find(word);
      if (found !== undefined) parts.push({ ...found, base });
    }
    if (parts.length === 0) return undefined;
    return { count: parts.reduce((sum, { documents }) => sum + documents.length, 0), parts };
  }

  /**
   * An indexed word, or the words that it may be a prefix or a misspelling of. The latter have
   * less weight.
   */
  #expand(word: string, weight: number): Term[] {
    const exact = this.#find(word);
    const same = findSynonyms(word).flatMap((other) => this.#find(other) ?? []);
    const isAside = exact !== undefined;
    const meant = same.map((found) => ({ found, weight: weight * SYNONYM_WEIGHT, isAside }));
    if (exact !== undefined) return [{ found: exact, weight }, ...meant];
    if (meant.length > 0 || isLittle(word)) return meant;
    const parts = this.#parts(word);
    if (parts !== undefined) return parts.flatMap((part) => this.#expand(part, weight));
    const begun = this.#matching(word, (known) => word.length > 1 && known.startsWith(word));
    if (begun.length > 0) return begun.map((found) => ({ found, weight: weight * 0.7 }));
    const limit = word.length < 5 ? 1 : 2;
    const near = this.#matching(word, (known) => editDistance(word, known, limit) <= limit);
    return near.map((found) => ({ found, weight: weight * 0.4 }));
  }

  #aside(word: string): Term[] {
    const found = this.#find(word);
    return found === undefined ? [] : [{ found, weight: ASIDE_WEIGHT, isAside: true }];
  }

  /** The most common words that match, regardless of the order of indexing. */
  #matching(word: string, fits: (known: string) => boolean): FoundWord[] {
    const matching = new Set<string>();
    const initial = word.slice(0, 1);
    for (const known of this.#initials.get(initial) ?? []) if (fits(known)) matching.add(known);
    for (const { index } of this.#adopted) {
      for (const known of index.beginningWith(initial)) if (fits(known)) matching.add(known);
    }
    return [...matching]
      .toSorted()
      .map((known) => this.#find(known)!)
      .toSorted((a, b) => b.count - a.count)
      .slice(0, MAX_EXPANSIONS);
  }

  #isTelling({ found }: Term): boolean {
    const total = this.#specs.length;
    return total < COMMON_MATTERS_BELOW || found.count < total * COMMON_SHARE;
  }

  #score(terms: readonly Term[]): number[] {
    const touched: number[] = [];
    const all = terms.filter((term) => this.#isTelling(term));
    const telling = all.some(({ isAside }) => isAside !== true) ? all : terms;
    // Filler words come last, because they only rank the results of the other words.
    const inOrder = telling.toSorted(
      (a, b) => Number(a.isAside ?? false) - Number(b.isAside ?? false),
    );
    for (const term of inOrder) this.#scoreTerm(term, touched);
    return touched;
  }

  #count(word: string): number {
    let count = this.#words.get(word)?.documents.length ?? 0;
    for (const { index } of this.#adopted) count += index.count(word);
    return count;
  }

  #rarity(count: number): number {
    const total = this.#specs.length;
    return Math.log(1 + (total - count + 0.5) / (count + 0.5));
  }

  #scoreTerm({ found, weight: factor, isAside = false }: Term, touched: number[]): void {
    const boost = factor * this.#rarity(found.count);
    const averageLength = this.#totalLength / Math.max(1, this.#specs.length);
    for (const { documents, weights, base } of found.parts) {
      for (let index = 0; index < documents.length; index++) {
        const number = base + documents[index]!;
        const isNew = this.#scores[number] === 0;
        if (isNew && isAside) continue;
        if (isNew) touched.push(number);
        const weight = weights[index]!;
        const discount = K1 * (1 - B + (B * this.#lengths[number]!) / averageLength);
        this.#scores[number]! += (boost * weight * (K1 + 1)) / (weight + discount);
      }
    }
  }
}
