import type { OperationSpec } from "../operation/index.ts";
import { searchedText } from "./operation-words.ts";
import { findSynonyms } from "./synonyms.ts";
import { idTokens, isLittle, tokenise } from "./tokens.ts";

/** Words of a guessed id that mean a change, in their indexed form. */
const WRITING: ReadonlySet<string> = new Set(
  tokenise("create add new make write update edit change set delete remove commit submit push"),
);

const READING: ReadonlySet<string> = new Set(tokenise("list view show get read see all"));

/**
 * The weight of a word that is not in the id, but is an alternative name, a synonym or an input.
 */
const OTHER_WORD = 0.9;
const ACTION = 0.5;
/** The bonus for an operation on the first object in the guessed id. */
const SAME_OBJECT = 0.25;
/** The bonus for a listed operation, because unlisted ones are rarely wanted. */
const LISTED = 0.15;
/** The factor for a write instead of a read, or a read instead of a write. */
const OTHER_EFFECT = 0.75;

/** The words of a wrong id. */
interface Guess {
  readonly things: readonly string[];
  readonly actions: readonly string[];
}

/** An operation that the wrong id may mean. */
interface Meant {
  readonly id: string;
  readonly score: number;
  /** Whether the operation has every word of the guessed id. */
  readonly isWhole: boolean;
}

function isAction(word: string): boolean {
  return WRITING.has(word) || READING.has(word);
}

/**
 * Separates the objects of a guessed id from its actions. The word before the first dot is an
 * object, even if it may also be an action: `commit.status`.
 */
function readGuess(guess: string, words: readonly string[]): Guess {
  const before = new Set(guess.includes(".") ? idTokens(guess.split(".")[0]!) : []);
  const telling = words.filter((word) => !isLittle(word));
  const actions = telling.filter((word) => isAction(word) && !before.has(word));
  return { things: telling.filter((word) => !actions.includes(word)), actions };
}

/** The words of an operation: those of its id, its other ids and its inputs. */
interface Words {
  readonly id: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
  readonly inputs: ReadonlySet<string>;
}

function searchedWords(spec: OperationSpec): Words {
  return {
    id: new Set(idTokens(spec.id)),
    others: new Set((spec.alsoCalled ?? []).flatMap((name) => idTokens(name))),
    inputs: new Set(searchedText(spec).parameters.flatMap((name) => tokenise(name))),
  };
}

function matchWord(word: string, { id, others }: Words): number {
  if (id.has(word)) return 1;
  const isMeant = others.has(word) || findSynonyms(word).some((other) => id.has(other));
  return isMeant ? OTHER_WORD : 0;
}

/**
 * Whether the guessed id means another effect than this operation has. False if the operation
 * has the action by name.
 */
function isOtherEffect({ actions }: Guess, spec: OperationSpec, { id }: Words): boolean {
  if (actions.length === 0 || actions.some((word) => id.has(word))) return false;
  return actions.some((word) => WRITING.has(word)) !== (spec.effect !== "read");
}

/** Rates how well an operation matches the guess. Undefined if it has none of the objects. */
function rate(guess: Guess, spec: OperationSpec): Meant | undefined {
  const words = searchedWords(spec);
  const named = guess.things.map((word) => matchWord(word, words));
  const action = Math.max(0, ...guess.actions.map((word) => matchWord(word, words)));
  const isAbout = guess.things.length === 0 ? action > 0 : named.some((score) => score > 0);
  if (!isAbout) return undefined;
  const found = guess.things.map((word, index) =>
    named[index] === 0 && words.inputs.has(word) ? OTHER_WORD : named[index]!,
  );
  const isOther = isOtherEffect(guess, spec, words);
  const isActing = guess.actions.length === 0 || action > 0;
  return {
    id: spec.id,
    score:
      found.reduce((sum, one) => sum + one, 0) +
      action * ACTION +
      (named[0] === 1 ? SAME_OBJECT : 0) +
      (spec.exposed === false ? 0 : LISTED) -
      (isOther ? OTHER_EFFECT : 0),
    isWhole: !isOther && isActing && found.every((one) => one > 0),
  };
}

/**
 * The operations that a wrong id may mean, judged by its words and not by its letters. Those on
 * the same object with the same action come first. `file.create` means `file.commit`, because
 * that is also called `file.write`.
 */
export function rankByMeaning(
  guess: string,
  words: readonly string[],
  found: readonly OperationSpec[],
): Meant[] {
  const meant = readGuess(guess, words);
  return found.flatMap((spec) => rate(meant, spec) ?? []).toSorted((a, b) => b.score - a.score);
}
