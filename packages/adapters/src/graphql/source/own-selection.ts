import { fail } from "@waybill/core";
import {
  Kind,
  OverlappingFieldsCanBeMergedRule,
  parse,
  print,
  specifiedRules,
  validate,
} from "graphql";
import type { DocumentNode, GraphQLSchema } from "graphql";

/**
 * All validation rules except the one that compares all fields with each other. That rule is
 * slow for large documents, and the server checks it anyway.
 */
const RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);
const MAX_TOKENS = 20_000;

export function parseDocument(text: string): DocumentNode {
  return parse(text, { maxTokens: MAX_TOKENS });
}

/** The first reason why a document does not match a schema. */
export function documentProblem(schema: GraphQLSchema, document: DocumentNode): string | undefined {
  return validate(schema, document, RULES, { maxErrors: 1 })[0]?.message;
}

function refused(what: string, why: string): Error {
  const hint = `Pass ${what} that matches the schema of the endpoint`;
  return fail("VALIDATION", why, { outcome: "not_applied", hint });
}

function parseGiven(what: string, text: string): DocumentNode {
  try {
    return parseDocument(text);
  } catch (cause) {
    throw refused(what, cause instanceof Error ? cause.message : String(cause));
  }
}

/** Parses a selection that a caller wrote. The text can only select within one field. */
export function readSelection(text: string): string {
  const trimmed = text.trim();
  const whole = trimmed.startsWith("{") ? trimmed : `{ ${trimmed} }`;
  const [only, ...others] = parseGiven("a selection", whole).definitions;
  if (only?.kind === Kind.OPERATION_DEFINITION && others.length === 0) {
    return print(only.selectionSet);
  }
  throw refused("a selection", "Pass only a selection such as { id author { name } }");
}

/** Parses a document that a caller wrote. Throws if it does not match the schema. */
export function readDocument(
  schema: GraphQLSchema,
  text: string,
  what = "a document",
): DocumentNode {
  const document = parseGiven(what, text);
  const problem = documentProblem(schema, document);
  if (problem !== undefined) throw refused(what, problem);
  return document;
}
