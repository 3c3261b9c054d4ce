import { isRecord } from "@waybill/core/schema";
import type { Operation, OperationSpec } from "@waybill/core";
import { itemProperties } from "./other-fields.ts";
import { SAME_NAMES } from "./same-names.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Fields that identify an object, so that its node id and its URL are rarely needed. */
const NAMING = ["number", "nameWithOwner", "login"];
/**
 * Fields that identify an object in the answer to a write, because the caller has named the object
 * in the input.
 */
const NAMING_WRITES = [...NAMING, "oid", "tagName", "runId", "body", "name"];
/** Lists whose ids are inputs of other capabilities. */
const NEEDED_IDS = /^(?:notification|project_v2\.items)\./u;
/** Fields that repeat the state or an input of a write. */
const REPEATED = ["closed", "reopened", "admin", "auto", "deleteBranch", "headRefOid"];

function hasField(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(fields, name));
}

/** Whether the answer has the same value under a more common name. */
function isOlderName(name: string, fields: Fields): boolean {
  if (name === "tag" || name === "tagName") return name === "tag" && hasField(fields, ["tagName"]);
  return Object.hasOwn(fields, SAME_NAMES[name] ?? "");
}

function isNodeId(name: string, fields: Fields): boolean {
  const schema = fields[name];
  return /^(?:id|.*[iI]ssueId)$/u.test(name) && isRecord(schema) && schema["type"] !== "integer";
}

function isRareInRead(name: string, fields: Fields, id: string): boolean {
  if (!hasField(fields, id.startsWith("commit.") ? ["oid"] : NAMING)) return false;
  return name === "url" || (isNodeId(name, fields) && !NEEDED_IDS.test(id));
}

function isRareInWrite(name: string, fields: Fields): boolean {
  if (isNodeId(name, fields) || name.endsWith("At") || REPEATED.includes(name)) return true;
  if (name === "id") return hasField(fields, ["tagName"]);
  return name === "url" && hasField(fields, NAMING_WRITES);
}

/** The output fields of a capability that agents rarely need. */
function rareFields({ id, effect, outputSchema }: OperationSpec): string[] {
  const fields = itemProperties(outputSchema);
  return Object.keys(fields).filter(
    (name) =>
      isOlderName(name, fields) ||
      (effect === "read" ? isRareInRead(name, fields, id) : isRareInWrite(name, fields)),
  );
}

/** Adds the rarely needed fields to an operation. Its brief answers leave them out. */
export function withRareFields(operation: Operation): Operation {
  const { spec } = operation;
  return { ...operation, spec: { ...spec, rareFields: rareFields(spec) } };
}
