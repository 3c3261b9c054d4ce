type Schema = Readonly<Record<string, unknown>>;

const MAX_VALUES = 12;
/** How deep references, lists and alternatives are followed. */
const MAX_DEPTH = 6;

/** The type of a schema as in TypeScript: `string | integer`, `"OPEN" | "CLOSED"`, `string[]`. */
export function schemaType(schema: unknown, root: unknown, depth = 0): string {
  const target = resolveRef(schema, root);
  if (target === undefined || depth > MAX_DEPTH) return "any";
  const types = listTypes(target, root, depth);
  return types.length === 0 ? "any" : [...new Set(types)].join(" | ");
}

function listTypes(schema: Schema, root: unknown, depth: number): string[] {
  const { type, anyOf, oneOf } = schema;
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  if (Array.isArray(values)) return valueNames(values);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives) && type === undefined) {
    return alternatives.map((one) => schemaType(one, root, depth + 1));
  }
  const named = [type].flat().filter((one) => typeof one === "string");
  return named.map((name) => (name === "array" ? listName(schema, root, depth) : name));
}

function valueNames(values: readonly unknown[]): string[] {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  return values.length > MAX_VALUES ? [...shown, "…"] : shown;
}

function listName({ items }: Schema, root: unknown, depth: number): string {
  const item = schemaType(items, root, depth + 1);
  return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
}

/** Follows a reference within the same schema; undefined if its target does not exist. */
export function resolveRef(schema: unknown, root: unknown): Schema | undefined {
  let target = schema;
  for (let step = 0; step < MAX_DEPTH; step += 1) {
    if (!isSchemaObject(target)) return undefined;
    const { $ref } = target;
    if (typeof $ref !== "string" || !$ref.startsWith("#/")) return target;
    target = $ref.slice(2).split("/").reduce(memberAt, root);
  }
  return undefined;
}

function memberAt(parent: unknown, part: string): unknown {
  const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
  return isSchemaObject(parent) ? parent[name] : undefined;
}

export function isSchemaObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
