import { need, needUnlessAuthor } from "../access.ts";
import { StoreError } from "../errors.ts";
import type { Discussion, DiscussionCategory, DiscussionComment, User } from "../model.ts";
import type { Store } from "../store.ts";
import { drop } from "./conversations.ts";
import { checkBody, checkNotBlank, checkTitle } from "./text.ts";

export interface NewDiscussion {
  readonly title: string;
  readonly body: string;
}

export function createDiscussion(
  store: Store,
  author: User,
  category: DiscussionCategory,
  { title, body }: NewDiscussion,
): Discussion {
  const { repository } = category;
  need(author, repository, "READ");
  const discussion = store.create<Discussion>("Discussion", {
    repository,
    author,
    category,
    title: checkTitle("Discussion", title),
    body: checkBody("Discussion", body),
    number: repository.nextNumber++,
    labels: [],
    comments: [],
    answer: null,
    answerChosenBy: null,
    locked: false,
    closedAt: null,
    reactions: [],
    lastEditedAt: null,
  });
  repository.discussions.set(discussion.number, discussion);
  store.count("createDiscussion");
  return discussion;
}

export function addDiscussionComment(
  store: Store,
  author: User,
  discussion: Discussion,
  { body, replyTo }: { readonly body: string; readonly replyTo: DiscussionComment | null },
): DiscussionComment {
  need(author, discussion.repository, "READ");
  if (replyTo !== null && replyTo.replyTo !== null) {
    throw new StoreError("UNPROCESSABLE", "Parent comment is already in a thread, cannot reply");
  }
  const comment = store.create<DiscussionComment>("DiscussionComment", {
    author,
    discussion,
    replyTo,
    body: checkNotBlank("DiscussionComment", body),
    reactions: [],
    lastEditedAt: null,
  });
  discussion.comments.push(comment);
  store.touch(discussion);
  store.count("addDiscussionComment");
  return comment;
}

export function updateDiscussionComment(
  store: Store,
  actor: User,
  comment: DiscussionComment,
  body: string,
): void {
  needUnlessAuthor(actor, comment, comment.discussion.repository, "WRITE");
  comment.body = checkNotBlank("DiscussionComment", body);
  comment.lastEditedAt = store.now();
  store.touch(comment);
  store.count("updateDiscussionComment");
}

export function deleteDiscussionComment(
  store: Store,
  actor: User,
  comment: DiscussionComment,
): void {
  const { discussion } = comment;
  needUnlessAuthor(actor, comment, discussion.repository, "WRITE");
  drop(discussion.comments, comment);
  if (discussion.answer === comment) discussion.answer = null;
  store.forget(comment);
  store.touch(discussion);
  store.count("deleteDiscussionComment");
}

/** Marks a comment as the answer of a question, or removes the mark if `isAnswer` is false. */
export function markAnswer(
  store: Store,
  actor: User,
  comment: DiscussionComment,
  isAnswer: boolean,
): void {
  const { discussion } = comment;
  needUnlessAuthor(actor, discussion, discussion.repository, "TRIAGE");
  if (!discussion.category.isAnswerable) {
    throw new StoreError("UNPROCESSABLE", "This discussion's category does not support answers.");
  }
  if (isAnswer) {
    discussion.answer = comment;
    discussion.answerChosenBy = actor;
  } else if (discussion.answer === comment) {
    discussion.answer = null;
    discussion.answerChosenBy = null;
  }
  store.touch(discussion);
  store.count(isAnswer ? "markAnswer" : "unmarkAnswer");
}
