import { ANY_INPUT } from "./define-operation.ts";
import type { OperationSpec } from "./operation.ts";

/** A spec with only what has no default. */
export type SparseSpec = Pick<OperationSpec, "id" | "description"> & Partial<OperationSpec>;

const DEFAULTS = {
  effect: "write",
  kind: "call",
  inputSchema: ANY_INPUT,
  outputSchema: true,
} as const;

const NEEDED = [...Object.keys(DEFAULTS), "idempotent"];

/** Asks by name only: some sources make a schema when it is first read. */
function isWhole(spec: SparseSpec): spec is OperationSpec {
  return NEEDED.every((name) => name in spec);
}

/** The spec with the defaults of `defineOperation`. One that is whole stays the same object. */
export function wholeSpec(spec: SparseSpec): OperationSpec {
  if (isWhole(spec)) return spec;
  return { ...DEFAULTS, idempotent: spec.effect === "read", ...spec };
}
