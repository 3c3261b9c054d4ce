import {
  isTrue,
  looksOnlyAt,
  plainPath,
  prepareInput,
  readExpression,
  stepsNeeded,
} from "../../cards/index.ts";
import type { NamedStep, PreparedInput, StepExpression, orderSteps } from "../../cards/index.ts";
import { errorFromUnknown, fail } from "../../envelope/index.ts";
import type { CallError } from "../../envelope/index.ts";
import { nearestNames } from "../../schema/index.ts";
import type { ChainTasks, TaskInfo } from "./chain-calls.ts";

type Given = Readonly<Record<string, unknown>>;

/** A step with everything that is known before anything is sent. */
export interface PreparedStep {
  readonly step: NamedStep;
  readonly facts: TaskInfo | undefined;
  readonly input: PreparedInput | undefined;
  readonly when: StepExpression | undefined;
  /** The ids of the steps that it refers to. */
  readonly needs: readonly string[];
  /** Why the step cannot be called. */
  readonly problem: CallError | undefined;
}

/** Refuses a reference to a step that does not exist, before anything is sent. */
function assertSteps(needs: readonly string[], all: readonly NamedStep[]): void {
  const ids = all.map(({ id }) => id);
  const missing = needs.find((id) => !ids.includes(id));
  if (missing === undefined) return;
  const near = nearestNames(missing, ids, 1);
  throw fail(
    "VALIDATION",
    `There is no step called ${missing}. Use the id of a step, or s0 for the first`,
    {
      outcome: "not_applied",
      ...(near.length > 0 && { did_you_mean: near }),
    },
  );
}

/** Whether the condition of a step is false and does not depend on other steps. */
function isLeftOut(when: StepExpression | undefined, given: Given): boolean {
  return when !== undefined && looksOnlyAt(when, given) && !isTrue(when, given);
}

/** Reads and validates a step. An error becomes its `problem`. Never throws. */
export async function prepareStep(
  step: NamedStep,
  all: readonly NamedStep[],
  tasks: ChainTasks,
  given: Given,
): Promise<PreparedStep> {
  const byId = new Map(all.filter(({ id }) => id !== step.id).map(({ id, task }) => [id, task]));
  let facts: TaskInfo | undefined;
  let input: PreparedInput | undefined;
  try {
    facts = tasks.facts(step);
    const when = step.when === undefined ? undefined : await readExpression(step.when);
    // A skipped step is not validated, because it may lack the inputs that its condition tests.
    const isOut = isLeftOut(when, given);
    input = await prepareInput(isOut ? {} : step.input, given);
    const read = input.references.map(({ expression }) => expression);
    const expressions = when === undefined ? read : [...read, when];
    const needs = expressions
      .flatMap((one) => stepsNeeded(one, [...byId.keys()]))
      .filter((id) => !Object.hasOwn(given, id));
    assertSteps(needs, all);
    for (const one of expressions) tasks.checkReference(plainPath(one), byId);
    if (!isOut) await tasks.check(step, input);
    return { step, facts, input, when, needs, problem: undefined };
  } catch (thrown) {
    const problem = errorFromUnknown(thrown);
    return { step, facts, input, when: undefined, needs: [], problem };
  }
}

/**
 * The properties that decide the order of a step. If its task is unknown, no other step waits
 * for it.
 */
export function stepOrder({
  step: { id },
  facts,
  needs,
}: PreparedStep): Parameters<typeof orderSteps>[0][number] {
  return { isWrite: false, source: "", ...facts, id, needs };
}
