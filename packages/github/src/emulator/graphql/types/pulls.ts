import type { FileChange } from "../../git/index.ts";
import { can } from "../../store/access.ts";
import { closingIssues } from "../../store/mutations/relations.ts";
import type { AutoMerge, PullRequest, Review } from "../../store/model.ts";
import * as facts from "../../store/pull-facts.ts";
import { subjectHtml } from "../../urls.ts";
import type { Context, Fields, TypeFields } from "../context.ts";
import { urlPath } from "./common.ts";
import { branchNode, commitNode, rollupNode } from "./git-nodes.ts";
import { subjectFields } from "./issues.ts";
import { pullCommitNode } from "./pull-commits.ts";
import type { PullCommitNode } from "./pull-commits.ts";

/** The reviews that the viewer may see. Only the author sees a pending review. */
function seenReviews({ reviews }: PullRequest, { viewer }: Context): Review[] {
  return reviews.filter(({ state, author }) => state !== "PENDING" || author === viewer);
}

function latestReviews(pull: PullRequest): Review[] {
  const latest = new Map(
    pull.reviews.filter(({ state }) => state !== "PENDING").map((one) => [one.author, one]),
  );
  return [...latest.values()];
}

function sum(changes: readonly FileChange[], field: "additions" | "deletions"): number {
  return changes.reduce((total, one) => total + one[field], 0);
}

const diffFields: Fields<PullRequest> = {
  additions: (pull, _args, { store }) => sum(facts.pullChanges(store, pull), "additions"),
  deletions: (pull, _args, { store }) => sum(facts.pullChanges(store, pull), "deletions"),
  changedFiles: (pull, _args, { store }) => facts.pullChanges(store, pull).length,
  files: (pull, _args, { store }) => facts.pullChanges(store, pull),
  commits: (pull, _args, { store }) =>
    facts.pullCommits(store, pull).map(({ oid }) => pullCommitNode(store, pull, oid)),
  baseRefName: ({ baseRef }) => baseRef,
  baseRefOid: ({ baseOid }) => baseOid,
  baseRef: ({ repository, baseRef }) => branchNode(repository, baseRef),
  baseRepository: ({ repository }) => repository,
  headRefName: ({ headRef }) => headRef,
  headRefOid: ({ headOid }) => headOid,
  headRef: ({ headRepository, headRef }) => branchNode(headRepository, headRef),
  headRepository: ({ headRepository }) => headRepository,
  headRepositoryOwner: ({ headRepository }) => headRepository.owner,
  isCrossRepository: ({ repository, headRepository }) => repository !== headRepository,
};

const mergeFields: Fields<PullRequest> = {
  isDraft: ({ isDraft }) => isDraft,
  merged: ({ state }) => state === "MERGED",
  mergedAt: ({ mergedAt }) => mergedAt,
  mergedBy: ({ mergedBy }) => mergedBy,
  mergeCommit: ({ repository, mergeCommit }, _args, { store }) =>
    mergeCommit === null ? null : commitNode(store, repository, mergeCommit),
  // GitHub stores a test merge commit; here mergeability is computed on request.
  potentialMergeCommit: () => null,
  mergeable: (pull, _args, { store }) => facts.getMergeable(store, pull),
  mergeStateStatus: (pull, _args, { store }) => facts.mergeState(store, pull),
  canBeRebased: (pull, _args, { store }) => facts.getMergeable(store, pull) === "MERGEABLE",
  autoMergeRequest: (pull) =>
    pull.autoMerge && { type: "AutoMergeRequest", pull, autoMerge: pull.autoMerge },
  isInMergeQueue: () => false,
  isMergeQueueEnabled: () => false,
  mergeQueue: () => null,
  mergeQueueEntry: () => null,
  maintainerCanModify: ({ maintainerCanModify }) => maintainerCanModify,
  closingIssuesReferences: (pull) => closingIssues(pull),
  statusCheckRollup: ({ repository, headOid }) =>
    facts.rollupState(repository, headOid) === undefined ? null : rollupNode(repository, headOid),
  viewerMergeHeadlineText: ({ number, headRepository, headRef, title }, args) =>
    args.text("mergeType") === "SQUASH"
      ? `${title} (#${number})`
      : `Merge pull request #${number} from ${headRepository.owner.login}/${headRef}`,
  viewerMergeBodyText: ({ title }, args) => (args.text("mergeType") === "SQUASH" ? "" : title),
};

const reviewFields: Fields<PullRequest> = {
  reviewDecision: (pull) => facts.reviewDecision(pull),
  reviewRequests: ({ reviewRequests }) => reviewRequests,
  reviewThreads: ({ threads }) => threads,
  reviews: (pull, args, context) => {
    const [states, author] = [args.choices("states"), args.text("author")];
    return seenReviews(pull, context).filter(
      (one) =>
        (states === undefined || states.includes(one.state)) &&
        (author === undefined || one.author.login === author),
    );
  },
  latestReviews: (pull) => latestReviews(pull),
  latestOpinionatedReviews: (pull) => facts.latestOpinions(pull),
  suggestedReviewers: () => [],
  viewerLatestReview: ({ reviews }, _args, { viewer }) =>
    reviews.findLast(({ author }) => author === viewer) ?? null,
  viewerLatestReviewRequest: ({ reviewRequests }, _args, { viewer }) =>
    reviewRequests.findLast(({ reviewer }) => reviewer === viewer) ?? null,
  totalCommentsCount: ({ comments, threads }) =>
    comments.length + threads.reduce((count, thread) => count + thread.comments.length, 0),
};

function mayWrite(pull: PullRequest, { viewer }: Context): boolean {
  return can(viewer, pull.repository, "WRITE");
}

const pullFields: Fields<PullRequest> = {
  ...subjectFields(),
  ...diffFields,
  ...mergeFields,
  ...reviewFields,
  permalink: (pull, _args, { urls }) => subjectHtml(urls, pull),
  checksUrl: (pull, _args, { urls }) => `${subjectHtml(urls, pull)}/checks`,
  checksResourcePath: (pull, _args, { urls }) => urlPath(`${subjectHtml(urls, pull)}/checks`),
  revertUrl: (pull, _args, { urls }) => `${subjectHtml(urls, pull)}/revert`,
  revertResourcePath: (pull, _args, { urls }) => urlPath(`${subjectHtml(urls, pull)}/revert`),
  viewerCanApplySuggestion: (pull, _args, context) => mayWrite(pull, context),
  viewerCanEditFiles: (pull, _args, context) => mayWrite(pull, context),
  viewerCanDeleteHeadRef: ({ headRepository }, _args, { viewer }) =>
    can(viewer, headRepository, "WRITE"),
  viewerCanDisableAutoMerge: (pull, _args, context) =>
    pull.autoMerge !== null && mayWrite(pull, context),
  viewerCanEnableAutoMerge: (pull, _args, context) =>
    pull.repository.settings.autoMergeAllowed &&
    facts.blockers(pull).length > 0 &&
    mayWrite(pull, context),
  viewerCanMergeAsAdmin: ({ repository }, _args, { viewer }) => can(viewer, repository, "ADMIN"),
  viewerCanUpdateBranch: (pull, _args, { store, viewer }) =>
    facts.isBehind(store, pull) && can(viewer, pull.headRepository, "WRITE"),
};

interface AutoMergeNode {
  readonly pull: PullRequest;
  readonly autoMerge: AutoMerge;
}

const autoMergeFields: Fields<AutoMergeNode> = {
  pullRequest: ({ pull }) => pull,
  enabledAt: ({ autoMerge }) => autoMerge.enabledAt,
  enabledBy: ({ autoMerge }) => autoMerge.enabledBy,
  mergeMethod: ({ autoMerge }) => autoMerge.method,
  commitHeadline: ({ autoMerge }) => autoMerge.headline,
  commitBody: ({ autoMerge }) => autoMerge.body,
  authorEmail: ({ autoMerge }) => autoMerge.enabledBy.email,
};

const CHANGE_TYPES = {
  added: "ADDED",
  removed: "DELETED",
  modified: "MODIFIED",
  renamed: "RENAMED",
} as const;

const fileFields: Fields<FileChange> = {
  path: ({ path }) => path,
  additions: ({ additions }) => additions,
  deletions: ({ deletions }) => deletions,
  changeType: ({ status }) => CHANGE_TYPES[status],
  viewerViewedState: () => "UNVIEWED",
};

const pullCommitFields: Fields<PullCommitNode> = {
  id: ({ nodeId }) => nodeId,
  commit: ({ commit }) => commit,
  pullRequest: ({ pull }) => pull,
  url: ({ pull, commit }, _args, { urls }) =>
    `${subjectHtml(urls, pull)}/commits/${commit?.oid ?? ""}`,
  resourcePath: ({ pull, commit }, _args, { urls }) =>
    urlPath(`${subjectHtml(urls, pull)}/commits/${commit?.oid ?? ""}`),
};

export const pullTypes: TypeFields = {
  PullRequest: pullFields,
  AutoMergeRequest: autoMergeFields,
  PullRequestChangedFile: fileFields,
  PullRequestCommit: pullCommitFields,
};
