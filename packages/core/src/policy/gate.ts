import { fail } from "../envelope/index.ts";
import { EFFECTS } from "../operation/index.ts";
import type { Effect, OperationSpec } from "../operation/index.ts";
import { needsApproval, policyRefusal } from "./policy.ts";
import type { Policy } from "./policy.ts";

/** Throws for an operation that the policy forbids. */
export function assertAllowed(policy: Policy, spec: OperationSpec): void {
  const refusal = policyRefusal(policy, spec);
  if (refusal !== undefined) throw refusal;
}

/** Throws for a call that needs an approval which the call it belongs to did not need. */
export function assertCovered(policy: Policy, spec: OperationSpec, approvedFor: Effect): void {
  const { id, effect } = spec;
  if (!needsApproval(policy, spec)) return;
  if (EFFECTS.indexOf(approvedFor) >= EFFECTS.indexOf(effect)) return;
  const message = `${id} needs an approval, and the call that it belongs to is no ${effect} one`;
  throw fail("POLICY", message, {
    outcome: "not_applied",
    hint: `Call ${id} itself, or have what calls it say that it is ${effect}`,
  });
}
