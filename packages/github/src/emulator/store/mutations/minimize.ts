import { need } from "../access.ts";
import type {
  DiscussionComment,
  IssueComment,
  Repository,
  Review,
  ReviewComment,
  User,
} from "../model.ts";
import type { Store } from "../store.ts";

type Minimizable = IssueComment | Review | ReviewComment | DiscussionComment;

function findRepository(comment: Minimizable): Repository {
  if (comment.type === "IssueComment") return comment.subject.repository;
  if (comment.type === "DiscussionComment") return comment.discussion.repository;
  return comment.type === "PullRequestReview"
    ? comment.pullRequest.repository
    : comment.thread.pullRequest.repository;
}

/** Hides a comment for a reason, or shows it again. */
export function minimize(
  store: Store,
  actor: User,
  comment: Minimizable,
  classifier: string | undefined,
): void {
  need(actor, findRepository(comment), "WRITE");
  comment.minimizedReason = classifier?.toLowerCase().replace("_", "-") ?? null;
  store.count(classifier === undefined ? "unminimize" : "minimize");
}
