import { EFFECTS } from "@waybill/core/cards";
import { isRecord } from "@waybill/core/schema";
import type { JsonSchema, OperationSpec } from "@waybill/core";

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isRecord(value);
}

function isAliases(value: unknown): value is NonNullable<OperationSpec["aliases"]> {
  return isRecord(value) && Object.values(value).every(isStringList);
}

function isAccess(value: unknown): value is NonNullable<OperationSpec["access"]> {
  if (!isRecord(value)) return false;
  const { all = [], any = [], resource = "", action = "" } = value;
  return (
    [all, any].every(isStringList) && [resource, action].every((name) => typeof name === "string")
  );
}

type Required = Pick<
  OperationSpec,
  "id" | "description" | "effect" | "idempotent" | "kind" | "inputSchema" | "outputSchema"
>;

function isSpec(value: unknown): value is Required {
  if (!isRecord(value)) return false;
  const { id, description, effect, idempotent, kind, inputSchema, outputSchema } = value;
  return (
    typeof id === "string" &&
    typeof description === "string" &&
    EFFECTS.some((known) => known === effect) &&
    typeof idempotent === "boolean" &&
    (kind === "call" || kind === "subscription") &&
    [inputSchema, outputSchema].every(isSchema)
  );
}

/**
 * Reads the description of an operation from a worker. Undefined if it is invalid. Only these
 * members are read: others decide about trust or other ids, and no worker may set those. That an
 * operation only reads is a claim of the worker.
 */
export function readWorkerSpec(value: unknown): OperationSpec | undefined {
  if (!isSpec(value)) return undefined;
  const { id, description, effect, idempotent, kind, inputSchema, outputSchema } = value;
  const {
    exposed,
    parameters,
    access,
    aliases,
    pages,
    looseInput,
    checkedElsewhere,
    notes,
  }: Record<string, unknown> = { ...value };
  return {
    id,
    description,
    effect,
    idempotent,
    kind,
    inputSchema,
    outputSchema,
    ...(effect === "read" && { safe: true }),
    ...(typeof exposed === "boolean" && { exposed }),
    ...(isStringList(parameters) && { parameters }),
    ...(isAccess(access) && { access }),
    ...(isAliases(aliases) && { aliases }),
    ...(typeof pages === "boolean" && { pages }),
    ...(looseInput === true && { looseInput }),
    ...(checkedElsewhere === true && { checkedElsewhere }),
    ...(isStringList(notes) && { notes }),
  };
}
