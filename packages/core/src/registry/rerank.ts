import type { OperationSpec } from "../operation/index.ts";
import { findSynonyms } from "./synonyms.ts";
import { actionTokens, idTokens, tokenise } from "./tokens.ts";

/** The share of its score that an operation loses if its id has none of the search words. */
const UNASKED_SHARE = 0.5;
/**
 * The factor for a write that was not searched for. In a search for a read, a write is the worst
 * wrong result.
 */
const OTHER_WRITE = 0.45;
/** The factor for an operation whose id and description have none of the searched objects. */
const OTHER_THING = 0.6;
/** The factor for an operation with another action. */
const OTHER_DEED = 0.8;

export interface Found {
  readonly id: string;
  readonly score: number;
  readonly spec: OperationSpec;
}

interface Asked {
  readonly text: string;
  /** The search words, in their indexed form. */
  readonly words: readonly string[];
  /** Returns how specific a word of an id is. */
  readonly rarity: (word: string) => number;
}

/** The action that is searched for, which is usually the first word. */
function firstWord(text: string): string {
  const [word = ""] = /^[\p{L}-]+/u.exec(text.trim().slice(0, 40)) ?? [];
  return word;
}

function actionIn(text: string): string | undefined {
  return actionTokens(firstWord(text))[0];
}

interface SpecWords {
  /** The action of the operation: the first word of its description. */
  readonly action: string | undefined;
  /** All actions of the operation, including the last word of its id. */
  readonly actions: readonly string[];
  readonly idWords: readonly string[];
  readonly words: ReadonlySet<string>;
}

const KNOWN_WORDS = new WeakMap<OperationSpec, SpecWords>();

function getSpecWords(spec: OperationSpec): SpecWords {
  const known = KNOWN_WORDS.get(spec);
  if (known !== undefined) return known;
  const { id, description } = spec;
  const action = actionIn(description);
  const last = actionTokens(/\w+$/u.exec(id)?.[0] ?? "");
  const actions = action === undefined ? last : [action, ...last];
  const idWords = [...new Set(idTokens(id))];
  const words = new Set([...idWords, ...tokenise(description)]);
  const specWords = { action, actions, idWords, words };
  KNOWN_WORDS.set(spec, specWords);
  return specWords;
}

function withSynonyms(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => [word, ...findSynonyms(word)]));
}

/** Rare words count more: `rerun` in an id lowers the score, while `list` hardly does. */
function aptness(
  { idWords }: SpecWords,
  asked: ReadonlySet<string>,
  rarity: Asked["rarity"],
): number {
  let all = 0;
  let unasked = 0;
  for (const word of idWords) {
    const weight = rarity(word);
    all += weight;
    if (!asked.has(word)) unasked += weight;
  }
  return all === 0 ? 1 : 1 - (UNASKED_SHARE * unasked) / all;
}

/**
 * Sorts the results again. Operations with the requested action come first, then those whose
 * description has the fewest extra words.
 */
export function rerank(
  found: readonly Found[],
  { text, words, rarity }: Asked,
): { id: string; score: number }[] {
  const asked = withSynonyms([...words, ...tokenise(text)]);
  const action = actionIn(text);
  // If the first word is an action of one of the results, it is the requested action.
  const isNamed =
    action !== undefined && found.some(({ spec }) => getSpecWords(spec).action === action);
  const wanted = withSynonyms(isNamed ? [action] : actionTokens(text));
  // The other words name objects. If the action is not clear, all words do.
  const meant = withSynonyms(action === undefined ? [] : [action]);
  const isAction = found.some(({ spec }) =>
    getSpecWords(spec).actions.some((word) => meant.has(word)),
  );
  const things = withSynonyms(isAction ? words.filter((word) => !meant.has(word)) : []);
  const isAbout = ({ words: own }: SpecWords): boolean =>
    things.size === 0 || [...things].some((word) => own.has(word));
  const fitness = (spec: OperationSpec): number => {
    if (getSpecWords(spec).actions.some((word) => wanted.has(word))) return 1;
    return (isNamed ? OTHER_DEED : 1) * (spec.effect === "read" ? 1 : OTHER_WRITE);
  };
  return found
    .map(({ id, score, spec }) => {
      const specWords = getSpecWords(spec);
      const thing = isAbout(specWords) ? 1 : OTHER_THING;
      return { id, score: score * thing * fitness(spec) * aptness(specWords, asked, rarity) };
    })
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
