import { given } from "../../input.ts";
import type { Input } from "../../input.ts";
import { notFound } from "../../store/errors.ts";
import type { PullRequest, Review, Side } from "../../store/model.ts";
import { numberLines } from "../../store/mutations/diff-lines.ts";
import * as reviews from "../../store/mutations/reviews.ts";
import type { DraftComment, ReviewEvent } from "../../store/mutations/reviews.ts";
import { pullChanges } from "../../store/pull-facts.ts";
import type { Context } from "../context.ts";
import type { Mutations } from "./mutation.ts";
import { nodeAt, knownValue, pullAt } from "./nodes.ts";

function findEvent(input: Input): ReviewEvent | undefined {
  return knownValue<ReviewEvent>(input.text("event"), "APPROVE", "COMMENT", "REQUEST_CHANGES");
}

function getDraft(context: Context, pull: PullRequest, input: Input): DraftComment {
  const path = input.string("path");
  const position = input.number("position");
  const patch = pullChanges(context.store, pull).find((one) => one.path === path)?.patch ?? "";
  const at = position === undefined ? undefined : numberLines(patch)[position];
  const isFile = input.text("subjectType") === "FILE";
  const side = knownValue<Side>(input.text("side"), "LEFT", "RIGHT") ?? "RIGHT";
  const startLine = input.number("startLine") ?? null;
  const startSide = knownValue<Side>(input.text("startSide"), "LEFT", "RIGHT") ?? side;
  return {
    path,
    body: input.string("body"),
    line: isFile ? null : (input.number("line") ?? at?.right ?? at?.left ?? null),
    side,
    startLine,
    startSide: startLine === null ? null : startSide,
  };
}

function reviewAt(context: Context, input: Input): Review {
  const id = input.text("pullRequestReviewId");
  if (id !== undefined) return nodeAt(context, id, "PullRequestReview");
  const found = reviews.pendingReview(context.viewer, pullAt(context, input));
  if (found === undefined) throw notFound("a pending PullRequestReview");
  return found;
}

function pullFor(context: Context, input: Input): PullRequest {
  const id = input.text("pullRequestReviewId");
  return id === undefined
    ? pullAt(context, input)
    : nodeAt(context, id, "PullRequestReview").pullRequest;
}

export const reviewMutations: Mutations = {
  addPullRequestReview: (input, context) => {
    const pull = pullAt(context, input);
    const drafts = [...input.children("threads"), ...input.children("comments")];
    const comments = drafts.map((one) => getDraft(context, pull, one));
    const facts = { comments, ...given({ body: input.text("body"), event: findEvent(input) }) };
    const pullRequestReview = reviews.addReview(context.store, context.viewer, pull, facts);
    const reviewEdge = { node: pullRequestReview, cursor: pullRequestReview.nodeId };
    return { pullRequestReview, reviewEdge };
  },
  submitPullRequestReview: (input, context) => {
    const pullRequestReview = reviewAt(context, input);
    const facts = { event: findEvent(input) ?? "COMMENT", ...given({ body: input.text("body") }) };
    reviews.submitReview(context.store, context.viewer, pullRequestReview, facts);
    return { pullRequestReview };
  },
  deletePullRequestReview: (input, context) => {
    const pullRequestReview = reviewAt(context, input);
    reviews.deleteReview(context.store, context.viewer, pullRequestReview);
    return { pullRequestReview };
  },
  dismissPullRequestReview: (input, context) => {
    const pullRequestReview = reviewAt(context, input);
    reviews.dismissReview(
      context.store,
      context.viewer,
      pullRequestReview,
      input.string("message"),
    );
    return { pullRequestReview };
  },
  addPullRequestReviewThread: (input, context) => {
    const pull = pullFor(context, input);
    const draft = getDraft(context, pull, input);
    return {
      thread: reviews.addThread(context.store, context.viewer, pull, draft, { pending: true }),
    };
  },
  addPullRequestReviewThreadReply: (input, context) => {
    const thread = nodeAt(
      context,
      input.text("pullRequestReviewThreadId"),
      "PullRequestReviewThread",
    );
    return {
      comment: reviews.replyToThread(context.store, context.viewer, thread, input.string("body")),
    };
  },
  addPullRequestReviewComment: (input, context) => {
    const replyId = input.text("inReplyTo");
    const body = input.string("body");
    const { store, viewer } = context;
    const pull = replyId === undefined ? pullFor(context, input) : undefined;
    const comment =
      pull === undefined
        ? reviews.replyToThread(
            store,
            viewer,
            nodeAt(context, replyId, "PullRequestReviewComment").thread,
            body,
          )
        : reviews.addThread(store, viewer, pull, getDraft(context, pull, input), { pending: true })
            .comments[0]!;
    return { comment, commentEdge: { node: comment, cursor: comment.nodeId } };
  },
  updatePullRequestReviewComment: (input, context) => {
    const comment = nodeAt(
      context,
      input.text("pullRequestReviewCommentId"),
      "PullRequestReviewComment",
    );
    reviews.updateReviewComment(context.store, context.viewer, comment, input.string("body"));
    return { pullRequestReviewComment: comment };
  },
  deletePullRequestReviewComment: (input, context) => {
    const comment = nodeAt(context, input.text("id"), "PullRequestReviewComment");
    reviews.deleteReviewComment(context.store, context.viewer, comment);
    return { pullRequestReview: comment.review, pullRequestReviewComment: comment };
  },
  resolveReviewThread: (input, context) => {
    const thread = nodeAt(context, input.text("threadId"), "PullRequestReviewThread");
    reviews.setResolved(context.store, context.viewer, thread, true);
    return { thread };
  },
  unresolveReviewThread: (input, context) => {
    const thread = nodeAt(context, input.text("threadId"), "PullRequestReviewThread");
    reviews.setResolved(context.store, context.viewer, thread, false);
    return { thread };
  },
};
