import { ANY_INPUT } from "./define-operation.ts";
import type { OperationSpec } from "./operation.ts";

/** A spec in which members with a default may be missing. */
export type SparseSpec = Pick<OperationSpec, "id" | "description"> & Partial<OperationSpec>;

const DEFAULTS = {
  effect: "write",
  kind: "call",
  inputSchema: ANY_INPUT,
  outputSchema: true,
} as const;

const NEEDED = [...Object.keys(DEFAULTS), "idempotent"];

/** Checks only which members exist, because some sources build a schema when it is first read. */
function isWhole(spec: SparseSpec): spec is OperationSpec {
  return NEEDED.every((name) => name in spec);
}

/** Adds the defaults of `defineOperation`. A complete spec is returned unchanged. */
export function wholeSpec(spec: SparseSpec): OperationSpec {
  if (isWhole(spec)) return spec;
  return { ...DEFAULTS, idempotent: spec.effect === "read", ...spec };
}
