import { fail } from "../envelope/index.ts";
import { EFFECTS } from "../operation/index.ts";
import type { Effect, OperationSpec } from "../operation/index.ts";
import { needsApproval, policyRefusal } from "./policy.ts";
import type { NamedCall, Policy } from "./policy.ts";

/** Throws for an operation that the policy forbids. */
export function assertAllowed(policy: Policy, spec: OperationSpec, call?: NamedCall): void {
  const refusal = policyRefusal(policy, spec, call);
  if (refusal !== undefined) throw refusal;
}

/** Throws if a call needs an approval and its outer call did not. */
export function assertCovered(policy: Policy, spec: OperationSpec, approvedFor: Effect): void {
  const { id, effect } = spec;
  if (!needsApproval(policy, spec)) return;
  if (EFFECTS.indexOf(approvedFor) >= EFFECTS.indexOf(effect)) return;
  const message = `${id} needs an approval, but the call that contains it is not declared as ${effect}`;
  throw fail("POLICY", message, {
    outcome: "not_applied",
    hint: `Call ${id} itself, or declare the operation that calls it as ${effect}`,
  });
}
