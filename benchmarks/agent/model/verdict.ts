import { isDeepStrictEqual } from "node:util";
import { missingFact } from "./facts.ts";
import type { Task } from "./run-model.ts";

/** A scenario as far as a model's play is concerned. */
export interface Asked extends Task {
  /** `equals` where GitHub has to be changed, so that its state is what counts. */
  readonly oracle: { readonly equals?: unknown };
  /** How a scripted answer is compared. */
  readonly answer?: string | undefined;
  /** A text says why there is no way by `gh`. */
  readonly gh: unknown;
}

export interface Ending {
  readonly answer: string;
  /** The oracle's answer. */
  readonly truth: unknown;
  /** Writes that took place. */
  readonly applied: number;
}

const SHOWN = 300;
const DENIES =
  /\b(?:no|not|none|never|cannot|unable|impossible|fail(?:s|ed|ure)?|missing|conflicts?|error|refused|unknown)\b|n['’]t\b/iu;

function shownFact(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, SHOWN);
}

/** If a task is impossible, the answer must say so and nothing may be written instead. */
function wrongRefusal({ writes = 0 }: Asked, { answer, applied }: Ending): string | undefined {
  if (applied > writes) return `${applied} changes were made`;
  return DENIES.test(answer) ? undefined : `it cannot be done, and the answer is: ${answer}`;
}

/** A script may ask whether a phrase is in what it read; then the phrase is what an answer names. */
function phraseIn(expression = ""): string | undefined {
  const [, phrase] = /^contains\(.*, '((?:[^'\\]|\\.)*)'\)$/su.exec(expression) ?? [];
  return phrase?.replaceAll(/\\(.)/gu, "$1");
}

function wrongAnswer({ answer: expression }: Asked, { answer, truth }: Ending): string | undefined {
  const missing = missingFact(truth === true ? phraseIn(expression) : truth, answer);
  return missing === undefined ? undefined : `“${missing}” is not in the answer: ${answer}`;
}

/** Why the end of a play is not what the task wants; undefined when it is. */
export function verdictOn(scenario: Asked, ending: Ending): string | undefined {
  const { equals } = scenario.oracle;
  if (equals === undefined) {
    const wrong = scenario.kind === "error" ? wrongRefusal : wrongAnswer;
    return wrong(scenario, ending)?.slice(0, SHOWN);
  }
  if (isDeepStrictEqual(ending.truth, equals)) return undefined;
  return `GitHub has ${shownFact(ending.truth)}, wanted is ${shownFact(equals)}`;
}
