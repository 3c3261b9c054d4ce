import { can } from "../../store/access.ts";
import { getPosition } from "../../store/mutations/diff-lines.ts";
import { getComments } from "../../store/mutations/reviews.ts";
import type { Review, ReviewComment, ReviewRequest, ReviewThread } from "../../store/model.ts";
import { isOutdated, pullChanges, threadLine, threadStartLine } from "../../store/pull-facts.ts";
import { reviewCommentHtml, reviewHtml } from "../../urls.ts";
import type { Context, Fields, TypeFields } from "../context.ts";
import { commentFields, entityFields, urlPath } from "./common.ts";
import { commitNode } from "./git-nodes.ts";

const reviewFields: Fields<Review> = {
  ...commentFields<Review>(({ pullRequest }) => pullRequest.repository),
  state: ({ state }) => state,
  submittedAt: ({ submittedAt }) => submittedAt,
  publishedAt: ({ submittedAt }) => submittedAt,
  pullRequest: ({ pullRequest }) => pullRequest,
  commit: ({ pullRequest, commit }, _args, { store }) =>
    commitNode(store, pullRequest.repository, commit),
  comments: (review) => getComments(review),
  onBehalfOf: () => [],
  authorCanPushToRepository: ({ author, pullRequest }) =>
    can(author, pullRequest.repository, "WRITE"),
  url: (review, _args, { urls }) => reviewHtml(urls, review),
  resourcePath: (review, _args, { urls }) => urlPath(reviewHtml(urls, review)),
};

function position({ thread }: ReviewComment, { store }: Context): number | null {
  const line = threadLine(store, thread);
  const patch = pullChanges(store, thread.pullRequest).find(
    ({ path }) => path === thread.path,
  )?.patch;
  return line === null || !patch ? null : getPosition(patch, line, thread.side);
}

const reviewCommentFields: Fields<ReviewComment> = {
  ...commentFields<ReviewComment>(({ thread }) => thread.pullRequest.repository),
  path: ({ thread }) => thread.path,
  diffHunk: ({ diffHunk }) => diffHunk,
  draftedAt: ({ createdAt }) => createdAt,
  line: ({ thread }, _args, { store }) => threadLine(store, thread),
  startLine: ({ thread }, _args, { store }) => threadStartLine(store, thread),
  originalLine: ({ thread }) => thread.originalLine,
  originalStartLine: ({ thread }) => thread.originalStartLine,
  position: (comment, _args, context) => position(comment, context),
  originalPosition: ({ diffHunk }) => diffHunk.split("\n").length - 1,
  outdated: ({ thread }, _args, { store }) => isOutdated(store, thread),
  subjectType: ({ thread }) => thread.subjectType,
  state: ({ review }) => (review.state === "PENDING" ? "PENDING" : "SUBMITTED"),
  replyTo: ({ replyTo }) => replyTo,
  pullRequest: ({ thread }) => thread.pullRequest,
  pullRequestReview: ({ review }) => review,
  commit: ({ thread }, _args, { store }) =>
    commitNode(store, thread.pullRequest.repository, thread.pullRequest.headOid),
  originalCommit: ({ thread, originalCommit }, _args, { store }) =>
    commitNode(store, thread.pullRequest.repository, originalCommit),
  url: (comment, _args, { urls }) => reviewCommentHtml(urls, comment),
  resourcePath: (comment, _args, { urls }) => urlPath(reviewCommentHtml(urls, comment)),
};

function mayResolve({ pullRequest }: ReviewThread, { viewer }: Context): boolean {
  return pullRequest.author === viewer || can(viewer, pullRequest.repository, "WRITE");
}

const threadFields: Fields<ReviewThread> = {
  ...entityFields,
  path: ({ path }) => path,
  line: (thread, _args, { store }) => threadLine(store, thread),
  startLine: (thread, _args, { store }) => threadStartLine(store, thread),
  originalLine: ({ originalLine }) => originalLine,
  originalStartLine: ({ originalStartLine }) => originalStartLine,
  diffSide: ({ side }) => side,
  startDiffSide: ({ startSide }) => startSide,
  subjectType: ({ subjectType }) => subjectType,
  isResolved: ({ resolvedBy }) => resolvedBy !== null,
  isCollapsed: ({ resolvedBy }) => resolvedBy !== null,
  isOutdated: (thread, _args, { store }) => isOutdated(store, thread),
  resolvedBy: ({ resolvedBy }) => resolvedBy,
  comments: ({ comments }) => comments,
  pullRequest: ({ pullRequest }) => pullRequest,
  repository: ({ pullRequest }) => pullRequest.repository,
  viewerCanReply: () => true,
  viewerCanResolve: (thread, _args, context) =>
    thread.resolvedBy === null && mayResolve(thread, context),
  viewerCanUnresolve: (thread, _args, context) =>
    thread.resolvedBy !== null && mayResolve(thread, context),
};

const requestFields: Fields<ReviewRequest> = {
  ...entityFields,
  asCodeOwner: () => false,
  pullRequest: ({ pullRequest }) => pullRequest,
  requestedReviewer: ({ reviewer }) => reviewer,
};

export const reviewTypes: TypeFields = {
  PullRequestReview: reviewFields,
  PullRequestReviewComment: reviewCommentFields,
  PullRequestReviewThread: threadFields,
  ReviewRequest: requestFields,
};
