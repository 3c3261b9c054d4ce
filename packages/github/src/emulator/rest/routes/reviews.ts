import type { Input } from "../../input.ts";
import { given } from "../../input.ts";
import { invalid } from "../../store/errors.ts";
import type { PullRequest, Review, ReviewComment, Side } from "../../store/model.ts";
import * as reviews from "../../store/mutations/reviews.ts";
import type { DraftComment, ReviewEvent } from "../../store/mutations/reviews.ts";
import { numberLines } from "../../store/mutations/diff-lines.ts";
import { pullChanges } from "../../store/pull-facts.ts";
import type { RestCall, Routes } from "../call.ts";
import { listReply } from "../pages.ts";
import { created, noContent, ok } from "../reply.ts";
import { reviewCommentView, reviewView } from "../views/pull.ts";
import { getPulls } from "./pulls.ts";

const EVENTS: readonly ReviewEvent[] = ["APPROVE", "COMMENT", "REQUEST_CHANGES"];

function findEvent(body: Input): ReviewEvent | undefined {
  const text = body.text("event");
  if (text === undefined || text === "PENDING" || text === "") return undefined;
  const found = EVENTS.find((one) => one === text.toUpperCase());
  if (found !== undefined) return found;
  throw invalid({ resource: "PullRequestReview", field: "event", code: "invalid", value: text });
}

function findSide(text: string | undefined): Side | undefined {
  return text === "LEFT" || text === "RIGHT" ? text : undefined;
}

/** A comment belongs to a line, or to a position below the first hunk. */
function findDraft(call: RestCall, pull: PullRequest, body: Input): DraftComment {
  const path = body.string("path");
  const position = body.number("position");
  const patch = pullChanges(call.store, pull).find((one) => one.path === path)?.patch ?? "";
  const at = position === undefined ? undefined : numberLines(patch)[position];
  const startLine = body.number("start_line") ?? null;
  const side = findSide(body.text("side")) ?? (at?.right === null ? "LEFT" : "RIGHT");
  return {
    path,
    body: body.string("body"),
    line: body.number("line") ?? at?.right ?? at?.left ?? null,
    side,
    startLine,
    startSide: startLine === null ? null : (findSide(body.text("start_side")) ?? side),
  };
}

function findReview(call: RestCall): Review {
  return call.pick(call.pull.reviews, "review_id");
}

function getComments(pull: PullRequest): ReviewComment[] {
  return pull.threads.flatMap(({ comments }) => comments).toSorted((a, b) => a.id - b.id);
}

function findComment(call: RestCall): ReviewComment {
  return call.pick(getPulls(call.repository).flatMap(getComments), "comment_id");
}

const PULLS = "/repos/{owner}/{repo}/pulls";
const PULL = `${PULLS}/{pull_number}`;
const REVIEW = `${PULL}/reviews/{review_id}`;
const COMMENT = `${PULLS}/comments/{comment_id}`;

export const reviewRoutes: Routes = {
  [`GET ${PULL}/reviews`]: (call) => {
    const seen = call.pull.reviews.filter(
      (one) => one.state !== "PENDING" || one.author === call.viewer,
    );
    return listReply(call, seen, (one) => reviewView(call.urls, one));
  },
  [`POST ${PULL}/reviews`]: (call) => {
    const { store, viewer, pull, body } = call;
    const comments = body.children("comments").map((one) => findDraft(call, pull, one));
    const facts = { comments, ...given({ body: body.text("body"), event: findEvent(body) }) };
    return ok(reviewView(call.urls, reviews.addReview(store, viewer, pull, facts)));
  },
  [`GET ${REVIEW}`]: (call) => ok(reviewView(call.urls, findReview(call))),
  [`DELETE ${REVIEW}`]: (call) => {
    const review = findReview(call);
    reviews.deleteReview(call.store, call.viewer, review);
    return ok(reviewView(call.urls, review));
  },
  [`GET ${REVIEW}/comments`]: (call) =>
    listReply(call, reviews.getComments(findReview(call)), (one) => reviewCommentView(call, one)),
  [`POST ${REVIEW}/events`]: (call) => {
    const review = findReview(call);
    const event = findEvent(call.body);
    if (event === undefined) {
      throw invalid({ resource: "PullRequestReview", field: "event", code: "missing_field" });
    }
    const facts = { event, ...given({ body: call.body.text("body") }) };
    reviews.submitReview(call.store, call.viewer, review, facts);
    return ok(reviewView(call.urls, review));
  },
  [`PUT ${REVIEW}/dismissals`]: (call) => {
    const review = findReview(call);
    reviews.dismissReview(call.store, call.viewer, review, call.body.string("message"));
    return ok(reviewView(call.urls, review));
  },
  [`GET ${PULL}/comments`]: (call) =>
    listReply(call, getComments(call.pull), (one) => reviewCommentView(call, one)),
  [`POST ${PULL}/comments`]: (call) => {
    const { store, viewer, pull, body } = call;
    const draft = findDraft(call, pull, body);
    const thread = reviews.addThread(store, viewer, pull, draft, { pending: false });
    return created(reviewCommentView(call, thread.comments[0]!));
  },
  [`POST ${PULL}/comments/{comment_id}/replies`]: (call) => {
    const { thread } = call.pick(getComments(call.pull), "comment_id");
    const reply = reviews.replyToThread(call.store, call.viewer, thread, call.body.string("body"));
    return created(reviewCommentView(call, reply));
  },
  [`GET ${PULLS}/comments`]: (call) =>
    listReply(call, getPulls(call.repository).flatMap(getComments), (one) =>
      reviewCommentView(call, one),
    ),
  [`GET ${COMMENT}`]: (call) => ok(reviewCommentView(call, findComment(call))),
  [`PATCH ${COMMENT}`]: (call) => {
    const comment = findComment(call);
    reviews.updateReviewComment(call.store, call.viewer, comment, call.body.string("body"));
    return ok(reviewCommentView(call, comment));
  },
  [`DELETE ${COMMENT}`]: (call) => {
    reviews.deleteReviewComment(call.store, call.viewer, findComment(call));
    return noContent;
  },
};
