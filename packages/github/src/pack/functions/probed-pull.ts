import { stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";

interface Pull {
  readonly number: number;
  readonly state: "OPEN" | "CLOSED" | "MERGED";
  readonly isCrossRepository: boolean;
  readonly headRef?: { readonly name: string } | null;
  readonly autoMergeRequest?: { readonly mergeMethod: string } | null;
  readonly mergeCommit?: {
    readonly oid: string;
    readonly messageHeadline: string;
    readonly parents: { readonly totalCount: number };
  } | null;
}

/** The response to the probe of a pull request. */
interface Probed {
  readonly repository: { readonly pullRequest: Pull | null } | null;
}

/** The merge method, derived from the merge commit; undefined if the pull request is not merged. */
function mergeMethod({ mergeCommit, number }: Pull): string | undefined {
  if (mergeCommit === null || mergeCommit === undefined) return undefined;
  if (mergeCommit.parents.totalCount > 1) return "merge";
  return mergeCommit.messageHeadline.endsWith(`(#${number})`) ? "squash" : "rebase";
}

/** Whether the branch of a pull request is deleted. A branch of another repository stays. */
export function probedBranch({ repository }: Probed): object | null {
  const pull = repository?.pullRequest ?? null;
  if (pull === null) return null;
  const { number: prNumber, state, isCrossRepository, headRef } = pull;
  const deleted = (headRef ?? null) === null;
  return { prNumber, deleted, isAsWanted: state !== "OPEN" && (deleted || isCrossRepository) };
}

/** The pull request in the form of `pr.merge`, and whether it was merged as the inputs say. */
export function probedMerge({ repository }: Probed, params: Params): object | null {
  const pull = repository?.pullRequest ?? null;
  if (pull === null) return null;
  const method = stringParam(params, "method") ?? "merge";
  const merged = pull.state === "MERGED";
  const queued = pull.autoMergeRequest?.mergeMethod.toLowerCase() === method;
  const isAuto = params["auto"] === true && queued;
  const isMerged = merged && mergeMethod(pull) === method;
  return {
    prNumber: pull.number,
    method,
    isMethodAssumed: params["method"] === undefined,
    queued: !merged && queued,
    merged,
    mergeCommitOid: pull.mergeCommit?.oid ?? null,
    deleteBranch: false,
    admin: params["admin"] === true,
    auto: params["auto"] === true,
    isAsWanted: isMerged || isAuto,
  };
}
