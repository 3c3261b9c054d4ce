import { isRecord } from "../envelope/index.ts";
import type { JsonSchema } from "../envelope/index.ts";
import type { CardRouteName } from "./card.ts";
import { choosePart } from "./choose-part.ts";
import { isKeys } from "./mapping/index.ts";
import type { PreparedMapping } from "./mapping/index.ts";
import type { PreparedCard } from "./prepared.ts";
import type { CardScope } from "./request.ts";

type AnswerPath = readonly (string | number)[];

function propertySchema(schema: JsonSchema, name: string): unknown {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? properties[name] : undefined;
}

/** Whether the schema clearly allows null. */
function takesNull(schema: unknown): boolean {
  if (!isRecord(schema)) return schema !== false;
  const { type, anyOf, oneOf } = schema;
  if (type !== undefined) return type === "null" || (Array.isArray(type) && type.includes("null"));
  const choices: unknown = anyOf ?? oneOf;
  return Array.isArray(choices) ? choices.some(takesNull) : schema["enum"] === undefined;
}

/** The path in the answer that a mapping reads. Empty if the mapping is not a plain path. */
function getSource(mapping: PreparedMapping): AnswerPath {
  if (isKeys(mapping)) return mapping;
  const isOver = mapping.is === "from" || mapping.is === "each" || mapping.is === "map";
  return isOver ? getSource(mapping.of) : [];
}

interface Inner {
  readonly path: AnswerPath;
  readonly mapping: PreparedMapping;
}

/** Follows every `from` at the start of an output mapping. */
function inside(mapping: PreparedMapping, path: AnswerPath = []): Inner {
  if (isKeys(mapping) || mapping.is !== "from") return { path, mapping };
  return inside(mapping.value, [...path, ...getSource(mapping.of)]);
}

function getRequired(schema: JsonSchema): string[] {
  const required = isRecord(schema) ? schema["required"] : undefined;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/**
 * Paths of required values that the answer does not have: the whole answer, or members that may
 * not be null.
 */
export function lackingPaths(
  card: PreparedCard,
  route: CardRouteName,
  scope: CardScope,
  data: unknown,
): AnswerPath[] {
  const { path, mapping } = inside(choosePart(card, route, scope).output ?? []);
  if (data === null) return takesNull(card.outputSchema) ? [] : [path];
  if (!isRecord(data)) return [];
  const fields = !isKeys(mapping) && mapping.is === "object" ? mapping.fields : [];
  return getRequired(card.outputSchema)
    .filter((name) => (data[name] ?? null) === null)
    .filter(
      (name) => !takesNull(propertySchema(card.outputSchema, name) ?? true) || !(name in data),
    )
    .map((name) => {
      const field = fields.find(([key]) => key === name)?.[1];
      return [...path, ...(field === undefined ? [] : getSource(field))];
    });
}
