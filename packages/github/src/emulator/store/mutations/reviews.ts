import { need, needUnlessAuthor } from "../access.ts";
import { unprocessableReview } from "../errors.ts";
import type {
  PullRequest,
  Review,
  ReviewComment,
  ReviewState,
  ReviewThread,
  Side,
  User,
} from "../model.ts";
import { pullChanges } from "../pull-facts.ts";
import type { Store } from "../store.ts";
import { drop } from "./conversations.ts";
import { dropRequests } from "./pulls.ts";
import { checkBody, checkNotBlank } from "./text.ts";
import { hunkAround } from "./diff-lines.ts";

export type ReviewEvent = "APPROVE" | "COMMENT" | "REQUEST_CHANGES";

export interface DraftComment {
  readonly path: string;
  readonly body: string;
  readonly line: number | null;
  readonly side: Side;
  readonly startLine: number | null;
  readonly startSide: Side | null;
}

const STATES: Readonly<Record<ReviewEvent, ReviewState>> = {
  APPROVE: "APPROVED",
  COMMENT: "COMMENTED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
};

export interface NewReview {
  readonly body?: string;
  /** The kind of review (default: it stays pending). */
  readonly event?: ReviewEvent;
  readonly comments?: readonly DraftComment[];
}

export function addReview(store: Store, author: User, pull: PullRequest, input: NewReview): Review {
  need(author, pull.repository, "READ");
  const { comments = [], event } = input;
  const body = checkBody("PullRequestReview", input.body ?? "");
  if (event !== undefined) checkEvent(author, pull, event, body, comments.length);
  if (pendingReview(author, pull) !== undefined) {
    throw unprocessableReview("User can only have one pending review per pull request");
  }
  // All comments are checked before anything is stored.
  const hunks = comments.map((comment) => commentPath(store, pull, comment));
  const review = startReview(store, author, pull, body);
  for (const [index, comment] of comments.entries()) {
    startThread(store, author, review, comment, hunks[index]!);
  }
  if (event !== undefined) finish(store, author, review, event);
  store.count("addReview");
  return review;
}

function startReview(store: Store, author: User, pull: PullRequest, body: string): Review {
  const review = store.create<Review>("PullRequestReview", {
    pullRequest: pull,
    author,
    body,
    commit: pull.headOid,
    state: "PENDING",
    submittedAt: null,
    reactions: [],
    lastEditedAt: null,
  });
  pull.reviews.push(review);
  return review;
}

function checkEvent(
  author: User,
  pull: PullRequest,
  event: ReviewEvent,
  body: string,
  comments: number,
): void {
  if (event !== "COMMENT" && author === pull.author) {
    const what = event === "APPROVE" ? "approve" : "request changes on";
    throw unprocessableReview(`Can not ${what} your own pull request`);
  }
  if (event !== "APPROVE" && body.trim() === "" && comments === 0) {
    throw unprocessableReview("Body cannot be blank");
  }
}

function finish(store: Store, author: User, review: Review, event: ReviewEvent): void {
  review.state = STATES[event];
  review.submittedAt = store.now();
  dropRequests(store, author, review.pullRequest, (reviewer) => reviewer === author);
  store.touch(review, review.pullRequest);
}

export function pendingReview(author: User, { reviews }: PullRequest): Review | undefined {
  return reviews.find((one) => one.author === author && one.state === "PENDING");
}

export function submitReview(
  store: Store,
  actor: User,
  review: Review,
  { event, body }: { readonly event: ReviewEvent; readonly body?: string },
): void {
  if (review.state !== "PENDING" || review.author !== actor) {
    throw unprocessableReview("Could not submit the review: it is not pending");
  }
  const text = checkBody("PullRequestReview", body ?? review.body);
  const threads = getComments(review).length;
  checkEvent(actor, review.pullRequest, event, text, threads);
  review.body = text;
  finish(store, actor, review, event);
  store.count("submitReview");
}

export function getComments(review: Review): ReviewComment[] {
  return review.pullRequest.threads
    .flatMap(({ comments }) => comments)
    .filter((comment) => comment.review === review);
}

export function deleteReview(store: Store, actor: User, review: Review): void {
  if (review.state !== "PENDING" || review.author !== actor) {
    throw unprocessableReview("Can not delete a non-pending pull request review");
  }
  const { pullRequest: pull } = review;
  for (const thread of pull.threads.filter(({ comments }) => comments[0]?.review === review)) {
    drop(pull.threads, thread);
    store.forget(thread, ...thread.comments);
  }
  drop(pull.reviews, review);
  store.forget(review);
  store.count("deleteReview");
}

export function dismissReview(store: Store, actor: User, review: Review, message: string): void {
  need(actor, review.pullRequest.repository, "WRITE");
  if (review.state !== "APPROVED" && review.state !== "CHANGES_REQUESTED") {
    throw unprocessableReview("Can not dismiss a commented pull request review");
  }
  checkNotBlank("PullRequestReview", message);
  review.state = "DISMISSED";
  store.touch(review);
  store.count("dismissReview");
}

function misplaced(message: string): never {
  throw unprocessableReview(message);
}

/** The hunk of a comment. A line outside the diff is refused, as on GitHub. */
function commentPath(store: Store, pull: PullRequest, comment: DraftComment): string {
  const change = pullChanges(store, pull).find(({ path }) => path === comment.path);
  if (change === undefined) return misplaced("Path could not be resolved");
  if (comment.line === null) return change.patch ?? "";
  const hunk = hunkAround(change.patch ?? "", comment.line, comment.side);
  return hunk ?? misplaced("Line could not be resolved");
}

function startThread(
  store: Store,
  author: User,
  review: Review,
  { path, body, line, side, startLine, startSide }: DraftComment,
  diffHunk: string,
): ReviewThread {
  const thread = store.create<ReviewThread>("PullRequestReviewThread", {
    pullRequest: review.pullRequest,
    path,
    side,
    startSide,
    comments: [],
    resolvedBy: null,
    originalLine: line,
    originalStartLine: startLine,
    subjectType: line === null ? "FILE" : "LINE",
  });
  thread.comments.push(
    writeComment(store, author, { thread, review, body, diffHunk, replyTo: null }),
  );
  review.pullRequest.threads.push(thread);
  return thread;
}

function writeComment(
  store: Store,
  author: User,
  facts: Pick<ReviewComment, "thread" | "review" | "body" | "diffHunk" | "replyTo">,
): ReviewComment {
  checkNotBlank("PullRequestReviewComment", facts.body);
  return store.create<ReviewComment>("PullRequestReviewComment", {
    ...facts,
    author,
    originalCommit: facts.review.commit,
    reactions: [],
    lastEditedAt: null,
  });
}

/** Adds a thread to the pending review, or publishes it immediately in its own review. */
export function addThread(
  store: Store,
  author: User,
  pull: PullRequest,
  comment: DraftComment,
  { pending }: { readonly pending: boolean },
): ReviewThread {
  need(author, pull.repository, "READ");
  const hunk = commentPath(store, pull, comment);
  checkNotBlank("PullRequestReviewComment", comment.body);
  const open = pendingReview(author, pull);
  const review = (pending ? open : undefined) ?? startReview(store, author, pull, "");
  const thread = startThread(store, author, review, comment, hunk);
  if (!pending) finish(store, author, review, "COMMENT");
  store.count("addThread");
  return thread;
}

export function replyToThread(
  store: Store,
  author: User,
  thread: ReviewThread,
  body: string,
): ReviewComment {
  const { pullRequest: pull } = thread;
  need(author, pull.repository, "READ");
  checkNotBlank("PullRequestReviewComment", body);
  const [first] = thread.comments;
  const open = pendingReview(author, pull);
  const review = open ?? startReview(store, author, pull, "");
  const facts = { thread, review, body, diffHunk: first?.diffHunk ?? "", replyTo: first ?? null };
  const comment = writeComment(store, author, facts);
  thread.comments.push(comment);
  if (open === undefined) finish(store, author, review, "COMMENT");
  store.touch(pull);
  store.count("replyToThread");
  return comment;
}

export function setResolved(
  store: Store,
  actor: User,
  thread: ReviewThread,
  isResolved: boolean,
): void {
  needUnlessAuthor(actor, thread.pullRequest, thread.pullRequest.repository, "WRITE");
  thread.resolvedBy = isResolved ? actor : null;
  store.count(isResolved ? "resolveThread" : "unresolveThread");
}

export function updateReviewComment(
  store: Store,
  actor: User,
  comment: ReviewComment,
  body: string,
): void {
  needUnlessAuthor(actor, comment, comment.thread.pullRequest.repository, "WRITE");
  comment.body = checkNotBlank("PullRequestReviewComment", body);
  comment.lastEditedAt = store.now();
  store.touch(comment);
  store.count("updateReviewComment");
}

export function deleteReviewComment(store: Store, actor: User, comment: ReviewComment): void {
  const { thread } = comment;
  needUnlessAuthor(actor, comment, thread.pullRequest.repository, "WRITE");
  drop(thread.comments, comment);
  if (thread.comments.length === 0) drop(thread.pullRequest.threads, thread);
  store.forget(comment);
  store.count("deleteReviewComment");
}
