import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import { buildClientSchema, buildSchema } from "graphql";
import type { GraphQLSchema, IntrospectionQuery } from "graphql";

/** Reads published introspection: the plain object, or the whole response. */
function findIntrospection(value: unknown): IntrospectionQuery | undefined {
  if (!isRecord(value)) return undefined;
  const inner = isRecord(value["data"]) ? value["data"] : value;
  return isRecord(inner["__schema"]) ? (inner as unknown as IntrospectionQuery) : undefined;
}

function parseSchemaText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Reads a schema from SDL or introspection JSON. Only the parts that are needed are checked,
 * because published schemas often break rules that do not matter to a caller.
 */
export function readSchema(text: string): GraphQLSchema {
  const introspection = findIntrospection(parseSchemaText(text));
  try {
    return introspection === undefined
      ? buildSchema(text, { assumeValidSDL: true, assumeValid: true })
      : buildClientSchema(introspection, { assumeValid: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const hint = "Pass SDL, or the JSON answer of an introspection query";
    throw fail("VALIDATION", `The GraphQL schema cannot be read: ${why}`, { hint }, { cause });
  }
}
