import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { Issue, JsonSchema } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";
import { isSchema, pointerKey } from "./pointer.ts";

/** A schema of another library that can validate and produce JSON Schema. */
export type StandardSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>;

/** A validated value, or its issues. */
export type Parsed =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

const TARGET = "draft-2020-12";

export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard: unknown = Reflect.get(value, "~standard");
  return isRecord(standard) && typeof standard["validate"] === "function";
}

/**
 * The JSON Schema of any kind of schema. If the library cannot produce it, throws an error that
 * says what to do.
 */
export function toJsonSchema(schema: unknown, direction: "input" | "output"): JsonSchema {
  if (!isStandardSchema(schema)) {
    if (isSchema(schema)) return schema;
    throw new TypeError("a schema must be a JSON Schema or a Standard Schema");
  }
  const converter: unknown = Reflect.get(schema["~standard"], "jsonSchema");
  if (!isRecord(converter)) {
    const vendor = schema["~standard"].vendor;
    throw new TypeError(
      `the ${vendor} schema has no JSON Schema; wrap it with its JSON Schema converter`,
    );
  }
  const convert = converter[direction] as (options: { target: string }) => JsonSchema;
  return convert({ target: TARGET });
}

function issueFrom(issue: StandardSchemaV1.Issue): Issue {
  const keys = (issue.path ?? []).map((segment) =>
    typeof segment === "object" ? segment.key : segment,
  );
  return { path: keys.map((key) => pointerKey(String(key))).join(""), message: issue.message };
}

/** Validates with the schema's own library, which may transform the value. */
export async function parseStandard(schema: StandardSchemaV1, value: unknown): Promise<Parsed> {
  const result = await schema["~standard"].validate(value);
  return result.issues === undefined
    ? { value: result.value }
    : { issues: result.issues.map(issueFrom) };
}
