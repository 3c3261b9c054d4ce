import { fail } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import { matchesId } from "./id-pattern.ts";

/** What may be called here at all, whoever calls. The most restrictive rule wins. */
export interface Policy {
  /** Nothing that changes anything. */
  readonly read_only?: boolean;
  /** Only ids that match one of these, such as `issue.*`. */
  readonly allow?: readonly string[];
  /** No id that matches one of these. */
  readonly deny?: readonly string[];
  /** What needs an approval: destructive calls unless said otherwise. */
  readonly confirm?: "none" | "destructive" | "writes";
}

function refusal(message: string): CallError {
  return fail("POLICY", message, { outcome: "not_applied" });
}

/** Why a policy forbids an operation, or undefined. */
export function policyRefusal(policy: Policy, spec: OperationSpec): CallError | undefined {
  if (policy.read_only === true && spec.effect !== "read") {
    return refusal(`${spec.id} changes things and this place is read-only`);
  }
  if (policy.deny?.some((pattern) => matchesId(pattern, spec.id)) === true) {
    return refusal(`${spec.id} is denied by the policy`);
  }
  if (policy.allow !== undefined && !policy.allow.some((pattern) => matchesId(pattern, spec.id))) {
    return refusal(`${spec.id} is not among what the policy allows`);
  }
  return undefined;
}

/** Whether a call must be approved before it is sent. */
export function needsApproval(policy: Policy, spec: OperationSpec): boolean {
  const confirm = policy.confirm ?? "destructive";
  if (confirm === "none" || spec.effect === "read") return false;
  return confirm === "writes" || spec.effect === "destructive";
}
