import type { TrialIssue, TrialPull, TrialRepository, TrialWorld } from "./facts.ts";

interface Outcome {
  readonly before: TrialWorld;
  readonly after: TrialWorld;
  /** The last answer that the reader wrote (default: empty). */
  readonly answer: string;
}

/** A task as text, with a check whether it was done. */
export interface Task {
  /** The kind of task. A `loop` handles many items. */
  readonly kind: "read" | "write" | "loop";
  readonly text: string;
  /** Returns the problem, or undefined if the task is solved. */
  readonly check: (outcome: Outcome) => string | undefined;
  /** The parts of the world that the task may change, such as `ferry#12` or `ferry:branches`. */
  readonly touches?: (before: TrialWorld) => readonly string[];
}

export function listIssues({ issues }: TrialRepository): TrialIssue[] {
  return Object.values(issues);
}

export function listPulls({ pulls }: TrialRepository): TrialPull[] {
  return Object.values(pulls);
}

export function isOpenIssue({ state }: { readonly state: string }): boolean {
  return state === "OPEN";
}

function parts(answer: string): string[] {
  return answer
    .split(/[,;\n]/u)
    .map((part) =>
      part
        .trim()
        .replace(/^[-*#\s]+/u, "")
        .replaceAll("`", "")
        .toLowerCase(),
    )
    .filter((part) => part !== "")
    .toSorted();
}

/** Checks a list of answers in any order, separated by commas. */
export function answers(
  answer: string,
  expected: readonly (string | number)[],
): string | undefined {
  const wanted = expected.map((each) => String(each).toLowerCase()).toSorted();
  const given = parts(answer);
  const isSame = JSON.stringify(given) === JSON.stringify(wanted);
  return isSame ? undefined : `answered ${given.join(", ")}; it is ${wanted.join(", ")}`;
}

/** The first statement that is false. */
export function failedStatements(
  statements: Readonly<Record<string, boolean>>,
): string | undefined {
  return Object.entries(statements).find(([, holds]) => !holds)?.[0];
}

export function sameMembers(left: readonly string[], right: readonly string[]): boolean {
  return JSON.stringify(left.toSorted()) === JSON.stringify(right.toSorted());
}

/** Checks every item that the rule selects, and names those that were not done. */
export function forEach<Item extends { readonly number: number }>(
  items: readonly Item[],
  isDone: (item: Item) => boolean,
): string | undefined {
  if (items.length === 0) return "the world has nothing for this task";
  const missing = items.filter((item) => !isDone(item)).map(({ number }) => number);
  return missing.length === 0 ? undefined : `not done for ${missing.join(", ")}`;
}
