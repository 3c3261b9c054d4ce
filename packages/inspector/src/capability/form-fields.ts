import { isSchemaObject, resolveRef, schemaType } from "./schema-type.ts";

/** The kind of form control for an input. */
export type FieldKind =
  | "text"
  | "paragraph"
  | "number"
  | "switch"
  | "choice"
  | "lines"
  | "json"
  | "repository";

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** The type of the input, written as in TypeScript. */
  readonly type: string;
  readonly description?: string;
  /** The choices, each as JSON. */
  readonly choices?: readonly string[];
  readonly integer?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The default value, as text for the field. */
  readonly fallback?: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** How many nested references and alternatives of a schema are followed. */
const MAX_STEPS = 8;

/** The fields of an object's schema; undefined if it cannot be split into fields. */
export function readFields(schema: unknown): Field[] | undefined {
  const root = followed(schema, schema);
  const { properties, required } = root;
  if (!isSchemaObject(properties) || Object.keys(properties).length === 0) return undefined;
  const needed = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(([name, member]) =>
    getField(name, followed(member, schema), {
      required: needed.includes(name),
      type: schemaType(member, schema),
    }),
  );
  return fields.toSorted((a, b) => Number(b.required) - Number(a.required));
}

/**
 * The fields of a form. A repository is one field, `owner/name`, and is sent as the two members of
 * the schema.
 */
export function formFields(schema: unknown): Field[] | undefined {
  const fields = readFields(schema);
  const named = (name: string): Field | undefined => fields?.find((one) => one.name === name);
  const [owner, name] = [named("owner"), named("name")];
  const isRepository = owner?.kind === "text" && name?.kind === "text" && owner.required;
  if (fields === undefined || !isRepository || !name.required || named("repo")) return fields;
  const repo: Field = {
    name: "repo",
    kind: "repository",
    required: true,
    type: "string",
    description: "owner/name, such as octo/hello",
  };
  return [repo, ...fields.filter((one) => one !== owner && one !== name)];
}

/** The members of which one is required, if the schema requires nothing else. */
export function alternativesIn(schema: unknown): string[] {
  const { anyOf } = isSchemaObject(schema) ? schema : {};
  if (!Array.isArray(anyOf)) return [];
  const names = anyOf.map((one) => {
    const { required, ...others } = isSchemaObject(one) ? one : {};
    const isName = Array.isArray(required) && required.length === 1;
    return isName && Object.keys(others).length === 0 ? String(required[0]) : undefined;
  });
  const known = names.filter((name) => name !== undefined);
  return known.length === names.length ? known : [];
}

function getField(name: string, schema: Schema, told: Pick<Field, "required" | "type">): Field {
  const { description, minimum, maximum } = schema;
  const choices = findChoices(schema);
  const plain = choices === undefined ? fieldKind(schema) : "choice";
  const kind = plain === "text" && LONG_TEXTS.has(name) ? "paragraph" : plain;
  return {
    name,
    kind,
    ...told,
    ...(typeof description === "string" && { description }),
    ...(choices !== undefined && { choices }),
    ...(kind === "number" && { integer: schema["type"] === "integer" }),
    ...(typeof minimum === "number" && { minimum }),
    ...(typeof maximum === "number" && { maximum }),
    ...(schema["default"] !== undefined && { fallback: written(schema["default"], kind) }),
  };
}

/** Inputs that usually have several lines. */
const LONG_TEXTS = new Set(["body", "content", "description", "message", "text", "notes"]);

function findChoices(schema: Schema): string[] | undefined {
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  if (!Array.isArray(values) || values.length > 500) return undefined;
  return values.filter((value) => value !== null).map((value) => JSON.stringify(value));
}

const KINDS: Readonly<Record<string, FieldKind>> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "switch",
};

function fieldKind(schema: Schema): FieldKind {
  const { type, items } = schema;
  if (
    type === "array" &&
    isSchemaObject(items) &&
    items["type"] === "string" &&
    !("enum" in items)
  ) {
    return "lines";
  }
  return (typeof type === "string" ? KINDS[type] : undefined) ?? "json";
}

/** Resolves references, and alternatives of which one is null. */
function followed(schema: unknown, root: unknown): Schema {
  let now = isSchemaObject(schema) ? schema : {};
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const next = "$ref" in now ? resolveRef(now, root) : onlyAlternative(now);
    if (next === undefined) break;
    const { description } = now;
    now = description === undefined ? next : { description, ...next };
  }
  return withoutNull(now);
}

function onlyAlternative({ anyOf, oneOf }: Schema): Schema | undefined {
  const given = anyOf ?? oneOf;
  if (!Array.isArray(given)) return undefined;
  const left = given.filter((one) => isSchemaObject(one) && one["type"] !== "null");
  return left.length === 1 && isSchemaObject(left[0]) ? left[0] : undefined;
}

function withoutNull(schema: Schema): Schema {
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  const left: unknown[] = type.filter((one) => one !== "null");
  return left.length === 1 ? { ...schema, type: left[0] } : schema;
}

/** Kinds of fields whose text is the plain value, not JSON. */
const TEXTS: ReadonlySet<FieldKind> = new Set(["text", "paragraph", "repository"]);

/** Converts a value to text for its field. */
export function written(value: unknown, kind: FieldKind): string {
  if (TEXTS.has(kind) && typeof value === "string") return value;
  if (kind === "lines" && Array.isArray(value)) return value.join("\n");
  return JSON.stringify(value, null, kind === "json" ? 2 : undefined);
}
