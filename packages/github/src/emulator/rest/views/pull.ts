import { authorAssociation } from "../../store/facts.ts";
import { getPosition } from "../../store/mutations/diff-lines.ts";
import type { PullRequest, Repository, Review, ReviewComment } from "../../store/model.ts";
import {
  mergeState,
  getMergeable,
  pullChanges,
  pullCommits,
  threadLine,
  threadStartLine,
} from "../../store/pull-facts.ts";
import { repoApi, reviewCommentHtml, reviewHtml, subjectHtml } from "../../urls.ts";
import type { Urls } from "../../urls.ts";
import { simpleUser, userOrNull } from "./account.ts";
import { conversationView, reactionRollup } from "./issue.ts";
import { repositoryView } from "./repository.ts";
import type { Asked } from "./repository.ts";

function endView(
  asked: Asked,
  repository: Repository,
  ref: string,
  sha: string,
): Record<string, unknown> {
  return {
    label: `${repository.owner.login}:${ref}`,
    ref,
    sha,
    user: simpleUser(asked.urls, repository.owner),
    repo: repositoryView(asked, repository),
  };
}

/** The members with URLs below the URL of the pull request. */
function getAddresses(urls: Urls, pull: PullRequest): Record<string, string> {
  const repository = repoApi(urls, pull.repository);
  const api = `${repository}/pulls/${pull.number}`;
  const html = subjectHtml(urls, pull);
  return {
    url: api,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: `${repository}/issues/${pull.number}`,
    commits_url: `${api}/commits`,
    review_comments_url: `${api}/comments`,
    review_comment_url: `${repository}/pulls/comments{/number}`,
    comments_url: `${repository}/issues/${pull.number}/comments`,
    statuses_url: `${repository}/statuses/${pull.headOid}`,
  };
}

function getLinks(addresses: Record<string, string>): Record<string, unknown> {
  const names = {
    self: "url",
    html: "html_url",
    issue: "issue_url",
    comments: "comments_url",
    review_comments: "review_comments_url",
    review_comment: "review_comment_url",
    commits: "commits_url",
    statuses: "statuses_url",
  };
  return Object.fromEntries(
    Object.entries(names).map(([name, field]) => [name, { href: addresses[field] }]),
  );
}

export function simplePull(asked: Asked, pull: PullRequest): Record<string, unknown> {
  const { urls } = asked;
  const addresses = getAddresses(urls, pull);
  const { autoMerge } = pull;
  return {
    ...addresses,
    ...conversationView(urls, pull),
    draft: pull.isDraft,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommit,
    requested_reviewers: pull.reviewRequests.map(({ reviewer }) => simpleUser(urls, reviewer)),
    requested_teams: [],
    head: endView(asked, pull.headRepository, pull.headRef, pull.headOid),
    base: endView(asked, pull.repository, pull.baseRef, pull.baseOid),
    _links: getLinks(addresses),
    auto_merge:
      autoMerge === null
        ? null
        : {
            enabled_by: simpleUser(urls, autoMerge.enabledBy),
            merge_method: autoMerge.method.toLowerCase(),
            commit_title: autoMerge.headline ?? "",
            commit_message: autoMerge.body ?? "",
          },
  };
}

const MERGEABLE = { MERGEABLE: true, CONFLICTING: false, UNKNOWN: null } as const;

export function pullView(asked: Asked, pull: PullRequest): Record<string, unknown> {
  const { store, urls } = asked;
  const changes = pullChanges(store, pull);
  const mergeable = MERGEABLE[getMergeable(store, pull)];
  return {
    ...simplePull(asked, pull),
    merged: pull.state === "MERGED",
    mergeable,
    rebaseable: mergeable,
    mergeable_state: mergeState(store, pull).toLowerCase(),
    merged_by: userOrNull(urls, pull.mergedBy),
    comments: pull.comments.length,
    review_comments: pull.threads.reduce((sum, { comments }) => sum + comments.length, 0),
    maintainer_can_modify: pull.maintainerCanModify,
    commits: pullCommits(store, pull).length,
    additions: changes.reduce((sum, one) => sum + one.additions, 0),
    deletions: changes.reduce((sum, one) => sum + one.deletions, 0),
    changed_files: changes.length,
  };
}

export function reviewView(urls: Urls, review: Review): Record<string, unknown> {
  const { pullRequest: pull } = review;
  const html = reviewHtml(urls, review);
  const api = `${repoApi(urls, pull.repository)}/pulls/${pull.number}`;
  return {
    id: review.id,
    node_id: review.nodeId,
    user: simpleUser(urls, review.author),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: api,
    author_association: authorAssociation(review.author, pull.repository),
    _links: { html: { href: html }, pull_request: { href: api } },
    commit_id: review.commit,
    ...(review.submittedAt === null ? {} : { submitted_at: review.submittedAt }),
  };
}

export function reviewCommentView(
  { store, urls }: Asked,
  comment: ReviewComment,
): Record<string, unknown> {
  const { thread, review, replyTo } = comment;
  const { pullRequest: pull } = thread;
  const repository = repoApi(urls, pull.repository);
  const api = `${repository}/pulls/comments/${comment.id}`;
  const html = reviewCommentHtml(urls, comment);
  const pullUrl = `${repository}/pulls/${pull.number}`;
  const line = threadLine(store, thread);
  const patch = pullChanges(store, pull).find(({ path }) => path === thread.path)?.patch ?? "";
  return {
    url: api,
    pull_request_review_id: review.id,
    id: comment.id,
    node_id: comment.nodeId,
    diff_hunk: comment.diffHunk,
    path: thread.path,
    commit_id: pull.headOid,
    original_commit_id: comment.originalCommit,
    user: simpleUser(urls, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: html,
    pull_request_url: pullUrl,
    author_association: authorAssociation(comment.author, pull.repository),
    _links: { self: { href: api }, html: { href: html }, pull_request: { href: pullUrl } },
    reactions: reactionRollup(api, comment),
    subject_type: thread.subjectType.toLowerCase(),
    line,
    original_line: thread.originalLine,
    start_line: threadStartLine(store, thread),
    original_start_line: thread.originalStartLine,
    start_side: thread.startSide,
    side: thread.side,
    position: line === null ? null : getPosition(patch, line, thread.side),
    original_position: comment.diffHunk.split("\n").length - 1,
    ...(replyTo === null ? {} : { in_reply_to_id: replyTo.id }),
  };
}
