import { evaluateExpression } from "../play/expression.ts";
import type { Json, Step } from "../types.ts";

/** The answers so far, by step id. */
export type Known = ReadonlyMap<string, unknown>;

function referenceIn(value: Json): string | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  return typeof value["$from"] === "string" ? value["$from"] : undefined;
}

function filled(value: Json, known: Known): Json {
  const reference = referenceIn(value);
  if (reference !== undefined) {
    const [id = ""] = /^\w+/.exec(reference) ?? [];
    // The cast is safe, because evaluateExpression returns a part of a JSON value.
    return known.has(id) ? (evaluateExpression(reference, { [id]: known.get(id) }) as Json) : value;
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, known));
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).map(([name, inner]) => [name, filled(inner, known)]);
  return Object.fromEntries(members) as Json;
}

/** A step that is sent alone: references to other steps are replaced by their values. */
export function fillStep(step: Step, known: Known): Step {
  const params = Object.entries(step.params).map(([name, value]) => [name, filled(value, known)]);
  return { ...step, params: Object.fromEntries(params) as Step["params"] };
}
