import { isRecord, projectSchema } from "@waybill/core/schema";
import type { OperationSpec } from "@waybill/core";
import type { Comparison } from "../sandbox/index.ts";

const MAX_SCHEMA_CHARS = 60_000;
const MAX_DEPTH = 10;
/** The most outputs to compare. Comparing more would block this process. */
const MAX_SPECS = 30;
const MAX_WARNINGS = 3;

/** The values that outputs allow, by member. Undefined stands for any value. */
type AllowedValues = Map<string, (readonly unknown[] | undefined)[]>;

/** Adds the allowed values of these members, at any depth of a schema. */
function addAllowed(schema: unknown, allowed: AllowedValues, depth = 0): void {
  if (Array.isArray(schema)) for (const each of schema) addAllowed(each, allowed, depth);
  if (!isRecord(schema) || depth > MAX_DEPTH) return;
  const own = isRecord(schema["properties"]) ? schema["properties"] : {};
  for (const [name, member] of Object.entries(own)) {
    allowed.get(name)?.push(listValues(member));
    addAllowed(member, allowed, depth + 1);
  }
  for (const keyword of ["items", "anyOf", "oneOf", "allOf"]) {
    addAllowed(schema[keyword], allowed, depth + 1);
  }
}

function listValues(schema: unknown): readonly unknown[] | undefined {
  const values = isRecord(schema) ? schema["enum"] : undefined;
  return Array.isArray(values) ? (values as unknown[]) : undefined;
}

function isSimilar(value: unknown, other: string): boolean {
  return typeof value === "string" && value.toLowerCase() === other.toLowerCase();
}

function neverEqual(
  { member, value, line }: Comparison,
  allowed: AllowedValues,
): string | undefined {
  const lists = allowed.get(member) ?? [];
  if (lists.some((values) => values?.includes(value) !== false)) return undefined;
  const meant = lists.flat().find((each) => isSimilar(each, value));
  if (meant === undefined) return undefined;
  const [wrong, right] = [JSON.stringify(value), JSON.stringify(meant)];
  return `Line ${line}: ${member} is never ${wrong}. Compare it with ${right}.`;
}

/**
 * Warns of comparisons that are never true, such as `state === "open"` if the state is "OPEN". Only
 * values that differ in case are reported, because an object of the program may have the same
 * member.
 */
export function comparisonWarnings(
  compared: readonly Comparison[],
  specs: readonly OperationSpec[],
): readonly string[] {
  if (compared.length === 0 || specs.length > MAX_SPECS) return [];
  const allowed: AllowedValues = new Map(compared.map(({ member }) => [member, []]));
  for (const { outputSchema } of specs) {
    addAllowed(projectSchema(outputSchema, MAX_SCHEMA_CHARS).schema, allowed);
  }
  const found = compared.flatMap((each) => neverEqual(each, allowed) ?? []);
  return [...new Set(found)].slice(0, MAX_WARNINGS);
}
