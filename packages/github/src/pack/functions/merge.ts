import { fail } from "@waybill/core";
import type { CardFunctions } from "@waybill/core/cards";
import { over, stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";

/** The facts about a pull request before it is merged or closed. */
interface Facts {
  readonly id: string;
  readonly headRefOid: string;
  readonly mergeStateStatus: string;
  readonly isMergeQueueEnabled: boolean;
  readonly isCrossRepository: boolean;
  readonly headRef: { readonly id: string } | null;
}

const METHODS: Readonly<Record<string, string>> = { squash: "SQUASH", rebase: "REBASE" };

/** A document needs some id even where the field that takes it is left out. */
const NO_REF = "";

/** The branch of a fork is its owner's business, and one that is gone needs no deleting. */
function ownHeadRef({ isCrossRepository, headRef }: Facts): string {
  return isCrossRepository ? NO_REF : (headRef?.id ?? NO_REF);
}

/**
 * To an administrator GitHub's API grants what the rules of the branch forbid, unasked. That must be
 * said, as with `gh pr merge --admin`.
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

/** GitHub refuses to wait if nothing is pending. */
function isMergeable({ mergeStateStatus }: Facts): boolean {
  return mergeStateStatus === "CLEAN" || mergeStateStatus === "HAS_HOOKS";
}

/** Where merges queue, asking for one later is how to get into the queue. */
function isLater(facts: Facts, { auto, admin }: Params): boolean {
  const queues = facts.isMergeQueueEnabled && admin !== true;
  return queues || (auto === true && !isMergeable(facts));
}

function mergePlan(facts: Facts, params: Params): Record<string, unknown> {
  const later = isLater(facts, params);
  if (!later) refuseBlocked(facts, params);
  const ref = ownHeadRef(facts);
  return {
    id: facts.id,
    head: facts.headRefOid,
    method: METHODS[stringParam(params, "method") ?? ""] ?? "MERGE",
    now: !later,
    later,
    ref,
    dropsRef: params["deleteBranch"] === true && !later && ref !== NO_REF,
  };
}

export const mergeFunctions: CardFunctions = {
  ownHeadRef: over(ownHeadRef),
  mergePlan: over(mergePlan),
  mergeHead: over((facts: Facts, params) => {
    refuseBlocked(facts, params);
    return facts.headRefOid;
  }),
};
