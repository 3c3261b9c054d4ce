import { fail, thrownMessage } from "../../envelope/index.ts";
import { evaluate, holds, MappingError, prepareMapping } from "../mapping/index.ts";
import type { PreparedMapping } from "../mapping/index.ts";

/** A parsed expression over the envelopes of the other steps. */
export type StepExpression = PreparedMapping;

/**
 * Parses an expression of a step. The error of an invalid expression names the step and the
 * expression.
 */
export async function readExpression(expression: unknown): Promise<StepExpression> {
  try {
    if (typeof expression !== "string") throw new TypeError("it must be a string");
    return await prepareMapping(expression);
  } catch (cause) {
    const why = thrownMessage(cause);
    const shown = JSON.stringify(expression)?.slice(0, 200);
    throw fail(
      "VALIDATION",
      `The expression ${shown} is invalid: ${why}`,
      { outcome: "not_applied" },
      { cause },
    );
  }
}

/**
 * The result of an expression; undefined or null if there is none. If the expression cannot use
 * the steps' results, such as `trim` of an object, the error names the step.
 */
export function stepValue(expression: StepExpression, scope: object): unknown {
  try {
    return evaluate(expression, { value: scope, variables: {} }).value;
  } catch (cause) {
    if (!(cause instanceof MappingError)) throw cause;
    const details = { outcome: "not_applied" } as const;
    throw fail(
      "VALIDATION",
      `A reference to an earlier step has no usable value: ${cause.message}`,
      details,
      { cause },
    );
  }
}

export function isTrue(expression: StepExpression, scope: object): boolean {
  return holds(expression, { value: scope, variables: {} });
}

/** The paths that an expression reads from its scope. */
function getReads(expression: StepExpression): readonly (readonly unknown[])[] {
  if (Array.isArray(expression)) return [expression as readonly unknown[]];
  const node = expression as Exclude<StepExpression, readonly unknown[]>;
  return node.is === "expression" ? node.reads.map(({ keys }) => keys) : [];
}

/**
 * The steps that an expression uses. For `s0.data.s1` that is only `s0`, because `s1` is a
 * member there. If the expression uses the whole scope, it uses all steps.
 */
export function stepsNeeded(expression: StepExpression, others: readonly string[]): string[] {
  const reads = getReads(expression);
  const seesAll = reads.some((keys) => keys.length === 0);
  return seesAll ? [...others] : [...new Set(reads.map(([first]) => String(first)))];
}

/** Whether an expression uses only values that are known before the first step. */
export function looksOnlyAt(expression: StepExpression, given: object): boolean {
  return stepsNeeded(expression, [""]).every((root) => Object.hasOwn(given, root));
}

/** The keys of a plain path such as `s0.data.id`, or undefined for anything else. */
export function plainPath(expression: StepExpression): string[] | undefined {
  return Array.isArray(expression) ? expression.map(String) : undefined;
}
