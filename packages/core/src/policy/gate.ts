import { fail } from "../envelope/index.ts";
import { EFFECTS } from "../operation/index.ts";
import type { Effect, OperationSpec } from "../operation/index.ts";
import type { Gate } from "../registry/index.ts";
import { needsApproval, policyRefusal } from "./policy.ts";
import type { Policy } from "./policy.ts";

function covers(approvedFor: Effect | undefined, effect: Effect): boolean {
  return approvedFor !== undefined && EFFECTS.indexOf(approvedFor) >= EFFECTS.indexOf(effect);
}

function assertCovered({ id, effect }: OperationSpec, approvedFor: Effect | undefined): void {
  if (covers(approvedFor, effect)) return;
  const message = `${id} needs an approval, and the call that it belongs to is no ${effect} one`;
  throw fail("POLICY", message, {
    outcome: "not_applied",
    hint: `Call ${id} itself, or have what calls it say that it is ${effect}`,
  });
}

/**
 * What a policy puts before an operation, whoever calls it: an agent, a handler, a subscriber.
 * Undefined where the policy has nothing to say, so that such a call pays nothing for it.
 */
export function gateOf(policy: Policy, spec: OperationSpec): Gate | undefined {
  if (policyRefusal(policy, spec) !== undefined) {
    return () => {
      throw policyRefusal(policy, spec)!;
    };
  }
  if (!needsApproval(policy, spec)) return undefined;
  return (approvedFor) => assertCovered(spec, approvedFor);
}
