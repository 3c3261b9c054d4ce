import { changesBetween, commitsBetween, mergeBase, mergeFiles } from "../git/index.ts";
import type { FileChange, GitCommit } from "../git/index.ts";
import { overallProgress } from "./facts.ts";
import type {
  CheckRun,
  CommitStatus,
  PullRequest,
  Repository,
  Review,
  ReviewThread,
} from "./model.ts";
import type { Store } from "./store.ts";

/** Facts about a pull request that are computed and not stored. */
export function pullCommits({ objects }: Store, { baseOid, headOid }: PullRequest): GitCommit[] {
  return commitsBetween(objects, baseOid, headOid);
}

function pullBase({ objects }: Store, { baseOid, headOid }: PullRequest): string | null {
  return mergeBase(objects, baseOid, headOid) ?? null;
}

export function pullChanges(store: Store, pull: PullRequest): FileChange[] {
  return changesBetween(store.objects, pullBase(store, pull), pull.headOid);
}

export type Mergeable = "MERGEABLE" | "CONFLICTING" | "UNKNOWN";

/** Whether a pull request can be merged. GitHub does not compute it for closed ones. */
export function getMergeable({ objects }: Store, pull: PullRequest): Mergeable {
  if (pull.state !== "OPEN") return "UNKNOWN";
  const files = mergeFiles(objects, pull.baseOid, pull.headOid);
  return files === undefined ? "CONFLICTING" : "MERGEABLE";
}

export function isBehind({ objects }: Store, { baseOid, headOid }: PullRequest): boolean {
  return commitsBetween(objects, headOid, baseOid).length > 0;
}

/** The last decision of each reviewer. Later comments do not cancel an approval. */
export function latestOpinions({ reviews, author }: PullRequest): Review[] {
  const latest = new Map<string, Review>();
  for (const review of reviews) {
    if (review.author === author || review.state === "PENDING") continue;
    if (review.state !== "COMMENTED") latest.set(review.author.login, review);
  }
  return [...latest.values()].filter(({ state }) => state !== "DISMISSED");
}

export type Decision = "APPROVED" | "CHANGES_REQUESTED" | "REVIEW_REQUIRED" | null;

/** The review decision; null if no rule requires reviews. */
export function reviewDecision(pull: PullRequest): Decision {
  const required = pull.repository.protections.get(pull.baseRef)?.requiredApprovals ?? 0;
  if (required === 0) return null;
  const opinions = latestOpinions(pull);
  if (opinions.some(({ state }) => state === "CHANGES_REQUESTED")) return "CHANGES_REQUESTED";
  const approvals = opinions.filter(({ state }) => state === "APPROVED").length;
  return approvals >= required ? "APPROVED" : "REVIEW_REQUIRED";
}

/** The check runs of a commit, only the newest of each name in a suite. */
export function getCheckRuns({ checkSuites }: Repository, sha: string): CheckRun[] {
  return checkSuites
    .filter((suite) => suite.headSha === sha)
    .flatMap(({ checkRuns }) =>
      checkRuns.filter(
        (run) => !checkRuns.some((o) => o.name === run.name && o.attempt > run.attempt),
      ),
    );
}

/** The statuses of a commit, only the newest of each context. */
export function getStatuses({ statuses }: Repository, sha: string): CommitStatus[] {
  const newest = new Map(
    statuses.filter((one) => one.sha === sha).map((one) => [one.context, one]),
  );
  return [...newest.values()];
}

export type RollupState = "SUCCESS" | "FAILURE" | "PENDING" | "ERROR" | "EXPECTED";

/** One state for all checks and statuses; undefined if there are none. */
export function rollupState(repository: Repository, sha: string): RollupState | undefined {
  const runs = getCheckRuns(repository, sha);
  const statuses = getStatuses(repository, sha).map(({ state }) => state);
  if (runs.length + statuses.length === 0) return undefined;
  const { status, conclusion } = overallProgress(runs);
  if (runs.some((run) => isBad(run)) || statuses.includes("FAILURE")) return "FAILURE";
  if (statuses.includes("ERROR")) return "ERROR";
  if (statuses.includes("PENDING") || (runs.length > 0 && status !== "COMPLETED")) return "PENDING";
  return conclusion === "FAILURE" ? "FAILURE" : "SUCCESS";
}

function isBad({ conclusion }: CheckRun): boolean {
  return conclusion === "FAILURE" || conclusion === "TIMED_OUT" || conclusion === "CANCELLED";
}

export type MergeState =
  | "DIRTY"
  | "DRAFT"
  | "BLOCKED"
  | "UNSTABLE"
  | "CLEAN"
  | "UNKNOWN"
  | "BEHIND";

export function mergeState(store: Store, pull: PullRequest): MergeState {
  if (pull.state !== "OPEN") return "UNKNOWN";
  if (getMergeable(store, pull) === "CONFLICTING") return "DIRTY";
  if (pull.isDraft) return "DRAFT";
  if (blockers(pull).length > 0) return "BLOCKED";
  const rollup = rollupState(pull.repository, pull.headOid);
  return rollup === undefined || rollup === "SUCCESS" ? "CLEAN" : "UNSTABLE";
}

/** Why the rules of the base branch block a pull request. */
export function blockers(pull: PullRequest): string[] {
  const rules = pull.repository.protections.get(pull.baseRef);
  if (rules === undefined) return [];
  const found: string[] = [];
  const decision = reviewDecision(pull);
  if (decision === "REVIEW_REQUIRED") {
    const count = rules.requiredApprovals;
    found.push(`At least ${count} approving review is required by reviewers with write access.`);
  }
  if (decision === "CHANGES_REQUESTED") found.push("Changes have been requested.");
  const passed = getCheckRuns(pull.repository, pull.headOid)
    .filter(({ conclusion }) => conclusion === "SUCCESS" || conclusion === "SKIPPED")
    .map(({ name }) => name);
  const missing = rules.requiredChecks.filter((name) => !passed.includes(name));
  if (missing.length > 0) found.push(`Required status check "${missing[0]!}" is expected.`);
  return found;
}

/** A thread is outdated if its line is no longer in the latest diff. */
export function isOutdated(store: Store, thread: ReviewThread): boolean {
  const [first] = thread.comments;
  if (first === undefined || thread.subjectType === "FILE") return false;
  const { headOid } = thread.pullRequest;
  if (first.originalCommit === headOid) return false;
  const at = (oid: string): string | undefined => store.objects.filesAt(oid).get(thread.path);
  return at(first.originalCommit) !== at(headOid);
}

export function threadLine(store: Store, thread: ReviewThread): number | null {
  return isOutdated(store, thread) ? null : thread.originalLine;
}

export function threadStartLine(store: Store, thread: ReviewThread): number | null {
  return isOutdated(store, thread) ? null : thread.originalStartLine;
}
