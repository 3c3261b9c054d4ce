import { present, stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";

interface Pull {
  readonly number: number;
  readonly state: "OPEN" | "CLOSED" | "MERGED";
  readonly isCrossRepository: boolean;
  readonly headRef: { readonly name: string } | null;
  readonly autoMergeRequest: { readonly mergeMethod: string } | null;
  readonly mergeCommit: {
    readonly oid: string;
    readonly messageHeadline: string;
    readonly parents: { readonly totalCount: number };
  } | null;
  readonly comments: {
    readonly nodes?:
      | readonly ({
          readonly body: string;
          readonly url: string;
          readonly author: { readonly login: string } | null;
        } | null)[]
      | null;
  };
}

/** The response to the probe of a pull request. */
interface Probed {
  readonly viewer: { readonly login: string };
  readonly repository: { readonly pullRequest: Pull | null } | null;
}

/** How a pull request was merged, judged by its merge commit; undefined if it is not merged. */
function mergeMethod({ mergeCommit, number }: Pull): string | undefined {
  if (mergeCommit === null) return undefined;
  if (mergeCommit.parents.totalCount > 1) return "merge";
  return mergeCommit.messageHeadline.endsWith(`(#${number})`) ? "squash" : "rebase";
}

/** A branch of another repository is not deleted, so it counts as done. */
function isBranchDone({ headRef, isCrossRepository }: Pull, params: Params): boolean {
  return params["deleteBranch"] !== true || isCrossRepository || headRef === null;
}

/** The pull request in the form of `pr.merge`, and whether it was merged as the inputs say. */
export function probedMerge({ repository }: Probed, params: Params): object | null {
  const pull = repository?.pullRequest ?? null;
  if (pull === null) return null;
  const method = stringParam(params, "method") ?? "merge";
  const merged = pull.state === "MERGED";
  const queued = pull.autoMergeRequest?.mergeMethod.toLowerCase() === method;
  const isAuto = params["auto"] === true && queued;
  const isMerged = merged && mergeMethod(pull) === method && isBranchDone(pull, params);
  return {
    prNumber: pull.number,
    method,
    isMethodAssumed: params["method"] === undefined,
    queued: !merged && queued,
    merged,
    mergeCommitOid: pull.mergeCommit?.oid ?? null,
    deleteBranch: params["deleteBranch"] === true && pull.headRef === null,
    admin: params["admin"] === true,
    auto: params["auto"] === true,
    isAsWanted: isMerged || isAuto,
  };
}

/** The pull request in the form of `pr.close`, and whether it was closed as the inputs say. */
export function probedClose({ viewer, repository }: Probed, params: Params): object | null {
  const pull = repository?.pullRequest ?? null;
  if (pull === null) return null;
  const wanted = stringParam(params, "comment");
  const own = present(pull.comments.nodes).filter(({ author }) => author?.login === viewer.login);
  const last = own.at(-1);
  const isSaid = wanted === undefined || last?.body === wanted;
  return {
    prNumber: pull.number,
    state: pull.state,
    closed: pull.state !== "OPEN",
    deleteBranch: params["deleteBranch"] === true && pull.headRef === null,
    commentUrl: wanted === undefined ? null : (last?.url ?? null),
    isAsWanted: pull.state === "CLOSED" && isSaid && isBranchDone(pull, params),
  };
}
