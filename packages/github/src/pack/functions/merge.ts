import { fail } from "@waybill/core";
import type { CardFunctions } from "@waybill/core/cards";
import { over, stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";

/** The state of a pull request before it is merged. */
interface Facts {
  readonly id: string;
  readonly headRefOid: string;
  readonly mergeStateStatus: string;
  readonly isMergeQueueEnabled: boolean;
}

/** The facts that decide whether the branch of a pull request may be deleted. */
interface Branch {
  readonly state: "OPEN" | "CLOSED" | "MERGED";
  readonly isCrossRepository: boolean;
  readonly headRef: { readonly id: string } | null;
}

const METHODS: Readonly<Record<string, string>> = { squash: "SQUASH", rebase: "REBASE" };

/** The GraphQL document needs an id even if the field that uses it is skipped. */
const NO_REF = "";

/**
 * The branch to delete; undefined if none is. A branch of a fork belongs to its owner, a missing
 * branch needs no deletion, and an open pull request still needs its branch.
 */
function branchPlan({ state, isCrossRepository, headRef }: Branch): object {
  if (state === "OPEN") {
    const message = "The pull request is still open, so its branch was not deleted";
    const hint = "Merge or close the pull request first";
    throw fail("CONFLICT", message, { outcome: "not_applied", hint });
  }
  const ref = isCrossRepository ? NO_REF : (headRef?.id ?? NO_REF);
  return { ref, dropsRef: ref !== NO_REF };
}

/**
 * GitHub's API lets an administrator merge against the branch rules without asking. Here it needs
 * an explicit input, like `gh pr merge --admin`.
 */
function refuseBlocked(
  { mergeStateStatus }: Pick<Facts, "mergeStateStatus">,
  params: Params,
): void {
  if (mergeStateStatus !== "BLOCKED" || params["admin"] === true) return;
  const message = "The rules of the base branch block this merge";
  const hint = "See pr.status; auto:true merges once they are met, admin:true overrides them";
  throw fail("CONFLICT", message, { outcome: "not_applied", hint });
}

/** Whether the pull request can be merged now. GitHub refuses auto-merge if nothing is pending. */
function isMergeable({ mergeStateStatus }: Facts): boolean {
  return mergeStateStatus === "CLEAN" || mergeStateStatus === "HAS_HOOKS";
}

/** Whether to merge later. With a merge queue, that is how to join the queue. */
function isLater(facts: Facts, { auto, admin }: Params): boolean {
  const queues = facts.isMergeQueueEnabled && admin !== true;
  return queues || (auto === true && !isMergeable(facts));
}

function mergePlan(facts: Facts, params: Params): Record<string, unknown> {
  const later = isLater(facts, params);
  if (!later) refuseBlocked(facts, params);
  return {
    id: facts.id,
    head: facts.headRefOid,
    method: METHODS[stringParam(params, "method") ?? ""] ?? "MERGE",
    now: !later,
    later,
  };
}

export const mergeFunctions: CardFunctions = {
  branchPlan: over(branchPlan),
  mergePlan: over(mergePlan),
  mergeHead: over((facts: Facts, params) => {
    refuseBlocked(facts, params);
    return facts.headRefOid;
  }),
};
