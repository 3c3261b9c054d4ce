import { Evaluation } from "./evaluation.ts";
import type { MappingScope } from "./evaluation.ts";
import { MappingError } from "./mapping-error.ts";
import { MISSING } from "./plain-path.ts";
import type { PreparedMapping } from "./prepared-mapping.ts";

export interface Evaluated {
  /** The mapped value. Undefined if it is missing. */
  readonly value: unknown;
  /** Paths in the result that have no value, such as `items.*.title`. */
  readonly missing: readonly string[];
}

/**
 * Evaluates a mapping. Absent values are omitted and listed in `missing`; null is kept. Throws a
 * MappingError for a value that the mapping does not cover.
 */
export function evaluate(prepared: PreparedMapping, scope: MappingScope): Evaluated {
  const evaluation = new Evaluation(scope);
  const value = evaluation.run(prepared, scope.value, "");
  if (value === MISSING) return { value: undefined, missing: [""] };
  return { value, missing: [...evaluation.missing] };
}

/** Whether a condition is true in JMESPath. A condition that cannot be evaluated is false. */
export function holds(prepared: PreparedMapping, scope: MappingScope): boolean {
  try {
    const { value } = evaluate(prepared, scope);
    if (value === undefined || value === null || value === false || value === "") return false;
    return typeof value !== "object" || Object.keys(value).length > 0;
  } catch (error) {
    if (error instanceof MappingError) return false;
    throw error;
  }
}
