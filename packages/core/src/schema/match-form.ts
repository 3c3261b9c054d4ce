import type { JsonSchema } from "../envelope/index.ts";
import { isLargeInteger, isRecord } from "../envelope/index.ts";
import { isSchema, resolveRef } from "./pointer.ts";
import { acceptsType, listIn, recordOrEmpty } from "./types.ts";

/** The score of a form of a union that does not fit. */
const NO_FIT = -1;

function constantFits(schema: Record<string, unknown>, value: unknown): boolean {
  if (Object.hasOwn(schema, "const") && schema["const"] !== value) return false;
  const allowed = schema["enum"];
  return !Array.isArray(allowed) || typeof value === "object" || allowed.includes(value);
}

/** Whether a value has the right type. Integers too large for a number are written as strings. */
function typeFits(schema: Record<string, unknown>, value: unknown): boolean {
  if (acceptsType(schema, value)) return true;
  return typeof value === "string" && isLargeInteger(value) && acceptsType(schema, Number(value));
}

function propertyFits(root: JsonSchema, property: unknown, value: unknown): boolean {
  const schema = isSchema(property) ? resolveRef(root, property) : undefined;
  return !isRecord(schema) || (typeFits(schema, value) && constantFits(schema, value));
}

function objectFit(
  root: JsonSchema,
  schema: Record<string, unknown>,
  value: Record<string, unknown>,
): number {
  const hasRequired = listIn(schema["required"]).every((name) =>
    Object.hasOwn(value, String(name)),
  );
  if (!hasRequired) return NO_FIT;
  const properties = recordOrEmpty(schema["properties"]);
  let fit = 1;
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name)) continue;
    if (!propertyFits(root, properties[name], value[name])) return NO_FIT;
    fit += 1;
  }
  return fit;
}

function getFit(root: JsonSchema, form: unknown, value: unknown): number {
  const schema = isSchema(form) ? resolveRef(root, form) : undefined;
  if (!isRecord(schema)) return schema === true ? 0 : NO_FIT;
  if (!acceptsType(schema, value) || !constantFits(schema, value)) return NO_FIT;
  return isRecord(value) ? objectFit(root, schema, value) : 1;
}

/**
 * The form of a union that a value was probably meant as: the one that declares most of its
 * members. It is only used for cleaning; the result is validated afterwards.
 */
export function bestForm(
  root: JsonSchema,
  forms: readonly unknown[],
  value: unknown,
): JsonSchema | undefined {
  let best: JsonSchema | undefined;
  let bestFit = NO_FIT;
  for (const form of forms) {
    const fit = getFit(root, form, value);
    if (fit > bestFit && isSchema(form)) {
      best = form;
      bestFit = fit;
    }
  }
  return best;
}
