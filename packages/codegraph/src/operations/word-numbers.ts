import { fitsTerm, MIN_STEM, wordsIn } from "../query/index.ts";

const MAX_WORDS = 2_000_000;

/** Gives each word a number, so that the words of a file need little memory. */
export class WordNumbers {
  readonly #numbers = new Map<string, number>();
  /** The words with the same first letters. A term is compared only with these. */
  readonly #byStart = new Map<string, string[]>();

  /** The numbers of the words in a text, each once. */
  of(text: string): Uint32Array {
    const found = new Set<number>();
    for (const word of wordsIn(text)) {
      const number = this.#numbers.get(word) ?? this.#add(word);
      if (number !== undefined) found.add(number);
    }
    return Uint32Array.from(found);
  }

  #add(word: string): number | undefined {
    const number = this.#numbers.size;
    if (number >= MAX_WORDS) return undefined;
    this.#numbers.set(word, number);
    const start = word.slice(0, MIN_STEM);
    const known = this.#byStart.get(start);
    if (known) known.push(word);
    else this.#byStart.set(start, [word]);
    return number;
  }

  /** The terms that each word matches, as bits, by the number of the word. */
  marks(terms: readonly string[]): Uint32Array {
    const marks = new Uint32Array(this.#numbers.size);
    for (const [at, term] of terms.entries()) {
      for (const word of this.#byStart.get(term.slice(0, MIN_STEM)) ?? []) {
        if (fitsTerm(word, term)) marks[this.#numbers.get(word)!]! |= 1 << at;
      }
    }
    return marks;
  }
}
