import { fail } from "../envelope/index.ts";
import { EFFECTS } from "../operation/index.ts";
import type { Effect, Identity, OperationSpec } from "../operation/index.ts";
import type { Gate } from "../registry/index.ts";
import { needsApproval, policyRefusal } from "./policy.ts";
import type { Policy } from "./policy.ts";
import type { Settings } from "./settings.ts";

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

interface ApprovalFacts {
  readonly approve: string | undefined;
  /** Who calls: an approval is of no use to another. */
  readonly identity: Identity | undefined;
}

/** At the door: lets a call pass that needs no approval, or has one for exactly what it does. */
export async function assertApproved(
  { policy, approver }: Settings,
  spec: OperationSpec,
  input: unknown,
  { approve, identity }: ApprovalFacts,
): Promise<void> {
  if (!needsApproval(policy, spec)) return;
  const caller = identity?.id;
  if (approve !== undefined && (await approver.check(approve, spec.id, input, caller))) return;
  const problem = approve === undefined ? "needs" : "was not approved by what was passed; it needs";
  throw fail("POLICY", `${spec.id} ${problem} an approval`, {
    outcome: "not_applied",
    approve: await approver.issue(spec.id, input, caller),
    hint: "When a person has agreed, call again with details.approve as options.approve, or as approve of the step",
  });
}
