import { errorFromUnknown, isRecord } from "../../envelope/index.ts";
import type { CallError } from "../../envelope/index.ts";
import type { OperationSpec } from "../../operation/index.ts";
import { knownRun } from "../../router/index.ts";
import type { VerifyHint } from "../../router/index.ts";
import type { Settings } from "../settings.ts";
import type { Call } from "./call.ts";
import { routedRequest } from "./run-routes.ts";

interface Look {
  readonly capability_id: string;
  readonly params: object;
  readonly select?: readonly string[];
}

function outputMembers(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? properties : {};
}

/**
 * Fields that identify an object. The first one that the object has is added, so that later
 * calls can use it.
 */
const NAMES = ["number", "id", "oid"];

/**
 * The paths of the fields in the output of the read. Empty if a field is missing there, because
 * the other fields alone would prove nothing.
 */
function getPaths(fields: readonly string[], outputSchema: unknown): string[] {
  const { items, ...own } = outputMembers(outputSchema);
  const isList = isRecord(items) && items["type"] === "array";
  const shown = isList ? outputMembers(items["items"]) : own;
  if (!fields.every((field) => Object.hasOwn(shown, field))) return [];
  const name = NAMES.filter((field) => Object.hasOwn(shown, field)).slice(0, 1);
  return [...new Set([...name, ...fields])].map((field) => (isList ? `items.${field}` : field));
}

/**
 * The read that shows whether a write was applied. It selects only the fields that identify the
 * object.
 */
function getLook({ fields, ...look }: VerifyHint, read?: OperationSpec): Look {
  const select = getPaths(fields, read?.outputSchema);
  return { ...look, ...(select.length > 0 && { select }) };
}

/** Adds the read that shows whether the write was applied to an error with an unknown outcome. */
export function withVerifyHint(settings: Settings, call: Call, thrown: unknown): CallError {
  const error = errorFromUnknown(thrown);
  const { entry } = call;
  const { outcome, verify } = error.details;
  // If a step is the write with the unknown outcome, its error already names the read.
  if (outcome !== "unknown" || verify !== undefined || entry?.run === undefined) return error;
  const run = knownRun(entry.run);
  if (run.kind !== "routed" || entry.spec.effect === "read") return error;
  const hint = run.verifyHint(routedRequest(call));
  if (hint === undefined) return error;
  return error.with({ verify: getLook(hint, settings.registry.getSpec(hint.capability_id)) });
}
