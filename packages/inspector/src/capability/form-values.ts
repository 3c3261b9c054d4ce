import { written } from "./form-fields.ts";
import type { Field } from "./form-fields.ts";

/** The text of each field, by name. Empty fields are not sent. */
export type FormValues = Readonly<Record<string, string>>;

export interface ReadForm {
  readonly params: Readonly<Record<string, unknown>>;
  /** The problem of each invalid field. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Reads the fields. Problems are shown beside the field; the server checks everything again. */
export function readForm(fields: readonly Field[], values: FormValues): ReadForm {
  const params: [string, unknown][] = [];
  const problems = new Map<string, string>();
  for (const field of fields) {
    const text = values[field.name] ?? "";
    if (text === "") {
      if (field.required) problems.set(field.name, "Required");
      continue;
    }
    try {
      params.push(...readMembers(field, text));
    } catch (thrown) {
      problems.set(field.name, thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  return { params: Object.fromEntries(params), problems };
}

const REPOSITORY = /^(?<owner>[^/\s]+)\/(?<name>[^/\s]+)$/u;

/** The members that one field sets: one, or owner and name for a repository. */
function readMembers(field: Field, text: string): [string, unknown][] {
  if (field.kind !== "repository") return [[field.name, fieldValue(field, text)]];
  const { owner, name } = REPOSITORY.exec(text.trim())?.groups ?? {};
  if (owner === undefined || name === undefined) throw new Error("Write it as owner/name");
  return [
    ["owner", owner],
    ["name", name],
  ];
}

function fieldValue(field: Field, text: string): unknown {
  switch (field.kind) {
    case "text":
    case "paragraph":
    case "repository":
      return text;
    case "number":
      return getNumber(field, text);
    case "lines":
      return text.split("\n").filter((line) => line.trim() !== "");
    case "switch":
    case "choice":
      return parseFieldJson(text);
    case "json":
      return isPlainText(field, text) ? text : parseFieldJson(text);
  }
}

/** Whether a field that also takes a string contains text that is not JSON, such as `v1.2`. */
function isPlainText({ type }: Field, text: string): boolean {
  return type.split(" | ").includes("string") && !/^\s*(?:[[{"\d-]|true$|false$|null$)/u.test(text);
}

function getNumber({ integer = false }: Field, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Error("Enter a number");
  if (integer && !Number.isSafeInteger(value)) throw new Error("Enter a whole number");
  return value;
}

/** Reads an input that is written as one JSON text. */
export function readWhole(text: string): ReadForm {
  try {
    const params = (text.trim() === "" ? {} : parseFieldJson(text)) as Record<string, unknown>;
    return { params, problems: new Map() };
  } catch (thrown) {
    const words = thrown instanceof Error ? thrown.message : String(thrown);
    return { params: {}, problems: new Map([["params", words]]) };
  }
}

function parseFieldJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : "";
    throw new Error(`Enter valid JSON: ${why}`, { cause: thrown });
  }
}

/**
 * The field values for these params. Params without a field are dropped, and their names are
 * returned.
 */
export function valuesFrom(
  fields: readonly Field[],
  params: unknown,
): { readonly values: FormValues; readonly lost: readonly string[] } {
  const given = Object.entries(asAsked(fields, (params ?? {}) as Record<string, unknown>));
  const byName = new Map(fields.map((field) => [field.name, field]));
  const values = given.flatMap(([name, value]) => {
    const field = byName.get(name);
    return field === undefined ? [] : [[name, written(value, field.kind)] as const];
  });
  return {
    values: Object.fromEntries(values),
    lost: given.map(([name]) => name).filter((name) => !byName.has(name)),
  };
}

/** Joins owner and name, if one field asks for both. */
function asAsked(
  fields: readonly Field[],
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { owner, name, ...others } = params;
  const isAsked = fields.some(({ kind }) => kind === "repository");
  const isNamed = typeof owner === "string" && typeof name === "string";
  return isAsked && isNamed ? { repo: `${owner}/${name}`, ...others } : params;
}
