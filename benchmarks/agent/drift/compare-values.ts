import type { Width } from "./change.ts";

/** The types of values. A schema without `type` allows all. */
const TYPES = ["null", "boolean", "number", "integer", "string", "array", "object"];

function typesIn(type: unknown): readonly string[] {
  if (type === undefined) return TYPES;
  const names = (Array.isArray(type) ? type : [type]).map(String);
  return names.includes("number") ? [...names, "integer"] : names;
}

function findWidth<Item>(before: readonly Item[], after: readonly Item[]): Width | undefined {
  const isGone = before.some((item) => !after.includes(item));
  const isNew = after.some((item) => !before.includes(item));
  if (isGone && isNew) return "other";
  return isGone ? "narrower" : isNew ? "wider" : undefined;
}

export function typeWidth(before: unknown, after: unknown): Width | undefined {
  return findWidth(typesIn(before), typesIn(after));
}

/** The values that `enum` or `const` allow, as strings; undefined if any value is allowed. */
export function valuesIn(schema: Readonly<Record<string, unknown>>): string[] | undefined {
  if ("const" in schema) return [JSON.stringify(schema["const"])];
  const values = schema["enum"];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined;
}

export function valuesWidth(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): Width | undefined {
  if (before === undefined) return after === undefined ? undefined : "narrower";
  return after === undefined ? "wider" : findWidth(before, after);
}

const LEAST = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]);
const MOST = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]);

/** A higher minimum allows less, and a higher maximum allows more. */
function boundWidth(keyword: string, before: unknown, after: unknown): Width {
  if (before === undefined) return "narrower";
  if (after === undefined) return "wider";
  return Number(after) > Number(before) === LEAST.has(keyword) ? "narrower" : "wider";
}

/** For other keywords: removed means wider, added means narrower, changed means unknown. */
export function keywordWidth(keyword: string, before: unknown, after: unknown): Width {
  if (LEAST.has(keyword) || MOST.has(keyword)) return boundWidth(keyword, before, after);
  if (before === undefined) return "narrower";
  return after === undefined ? "wider" : "other";
}
