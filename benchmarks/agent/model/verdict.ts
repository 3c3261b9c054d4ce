import { isDeepStrictEqual } from "node:util";
import { missingFact } from "./facts.ts";
import type { Task } from "./run-model.ts";

/** The part of a scenario that a model's play needs. */
export interface Asked extends Task {
  /** With `equals`, the task changes GitHub, and its state is checked. */
  readonly oracle: { readonly equals?: unknown };
  /** The expression for the answer of a scripted play. */
  readonly answer?: string | undefined;
  /** A string says why `gh` cannot do the task. */
  readonly gh: unknown;
}

export interface Ending {
  readonly answer: string;
  /** The oracle's answer. */
  readonly truth: unknown;
  /** The number of applied writes. */
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

/** If a script only checks for a phrase, the phrase is what an answer must contain. */
function phraseIn(expression = ""): string | undefined {
  const [, phrase] = /^contains\(.*, '((?:[^'\\]|\\.)*)'\)$/su.exec(expression) ?? [];
  return phrase?.replaceAll(/\\(.)/gu, "$1");
}

function wrongAnswer({ answer: expression }: Asked, { answer, truth }: Ending): string | undefined {
  const missing = missingFact(truth === true ? phraseIn(expression) : truth, answer);
  return missing === undefined ? undefined : `“${missing}” is not in the answer: ${answer}`;
}

/** Why the result of a play is wrong; undefined if it is correct. */
export function verdictOn(scenario: Asked, ending: Ending): string | undefined {
  const { equals } = scenario.oracle;
  if (equals === undefined) {
    const wrong = scenario.kind === "error" ? wrongRefusal : wrongAnswer;
    return wrong(scenario, ending)?.slice(0, SHOWN);
  }
  if (isDeepStrictEqual(ending.truth, equals)) return undefined;
  return `GitHub has ${shownFact(ending.truth)} instead of ${shownFact(equals)}`;
}
