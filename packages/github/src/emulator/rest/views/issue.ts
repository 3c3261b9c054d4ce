import type {
  Issue,
  IssueComment,
  Label,
  Milestone,
  PullRequest,
  Reactable,
  Reaction,
  ReactionContent,
} from "../../store/model.ts";
import { authorAssociation } from "../../store/facts.ts";
import { commentHtml, repoApi, repoHtml, subjectHtml } from "../../urls.ts";
import type { Urls } from "../../urls.ts";
import { issueTypeView, simpleUser, userOrNull } from "./account.ts";

/** The names of reactions in REST. */
export const REACTIONS: Readonly<Record<ReactionContent, string>> = {
  THUMBS_UP: "+1",
  THUMBS_DOWN: "-1",
  LAUGH: "laugh",
  HOORAY: "hooray",
  CONFUSED: "confused",
  HEART: "heart",
  ROCKET: "rocket",
  EYES: "eyes",
};

export function reactionRollup(url: string, { reactions }: Reactable): Record<string, unknown> {
  const counts = Object.entries(REACTIONS).map(([content, name]) => [
    name,
    reactions.filter((one) => one.content === content).length,
  ]);
  return { url: `${url}/reactions`, total_count: reactions.length, ...Object.fromEntries(counts) };
}

export function reactionView(urls: Urls, reaction: Reaction): Record<string, unknown> {
  return {
    id: reaction.id,
    node_id: reaction.nodeId,
    user: simpleUser(urls, reaction.user),
    content: REACTIONS[reaction.content],
    created_at: reaction.createdAt,
  };
}

export function labelView(urls: Urls, label: Label): Record<string, unknown> {
  const name = encodeURIComponent(label.name);
  return {
    id: label.id,
    node_id: label.nodeId,
    url: `${repoApi(urls, label.repository)}/labels/${name}`,
    name: label.name,
    color: label.color,
    default: label.isDefault,
    description: label.description,
  };
}

/** Sorted by when the label was created, not by when it was added, as in GraphQL. */
export function labelsView(urls: Urls, { labels }: Issue | PullRequest): unknown[] {
  return labels.toSorted((a, b) => a.id - b.id).map((label) => labelView(urls, label));
}

export function milestoneView(urls: Urls, milestone: Milestone): Record<string, unknown> {
  const { repository, number } = milestone;
  const issues = [...repository.issues.values()].filter((one) => one.milestone === milestone);
  const open = issues.filter(({ state }) => state === "OPEN").length;
  const api = `${repoApi(urls, repository)}/milestones/${number}`;
  return {
    url: api,
    html_url: `${repoHtml(urls, repository)}/milestone/${number}`,
    labels_url: `${api}/labels`,
    id: milestone.id,
    node_id: milestone.nodeId,
    number,
    title: milestone.title,
    description: milestone.description,
    creator: simpleUser(urls, milestone.creator),
    open_issues: open,
    closed_issues: issues.length - open,
    state: milestone.state.toLowerCase(),
    created_at: milestone.createdAt,
    updated_at: milestone.updatedAt,
    due_on: milestone.dueOn,
    closed_at: milestone.closedAt,
  };
}

/** The common view of issues and pull requests. */
export function conversationView(
  urls: Urls,
  subject: Issue | PullRequest,
): Record<string, unknown> {
  const { repository, milestone, assignees } = subject;
  // REST spells the lock reason "off-topic" with a hyphen, but "too heated" with a space.
  const lockReason =
    subject.lockReason?.toLowerCase().replace("off_topic", "off-topic").replace("_", " ") ?? null;
  return {
    id: subject.id,
    node_id: subject.nodeId,
    number: subject.number,
    title: subject.title,
    user: simpleUser(urls, subject.author),
    labels: labelsView(urls, subject),
    state: subject.state === "OPEN" ? "open" : "closed",
    locked: subject.locked,
    active_lock_reason: lockReason,
    assignee: userOrNull(urls, assignees[0] ?? null),
    assignees: assignees.map((user) => simpleUser(urls, user)),
    milestone: milestone === null ? null : milestoneView(urls, milestone),
    author_association: authorAssociation(subject.author, repository),
    created_at: subject.createdAt,
    updated_at: subject.updatedAt,
    closed_at: subject.closedAt,
    body: subject.body === "" ? null : subject.body,
  };
}

const SUB_ISSUES = 100;

export function issueView(urls: Urls, subject: Issue | PullRequest): Record<string, unknown> {
  const repository = repoApi(urls, subject.repository);
  const api = `${repository}/issues/${subject.number}`;
  return {
    url: api,
    repository_url: repository,
    labels_url: `${api}/labels{/name}`,
    comments_url: `${api}/comments`,
    events_url: `${api}/events`,
    timeline_url: `${api}/timeline`,
    html_url: subjectHtml(urls, subject),
    ...conversationView(urls, subject),
    comments: subject.comments.length,
    closed_by: userOrNull(urls, subject.closedBy),
    reactions: reactionRollup(api, subject),
    performed_via_github_app: null,
    ...(subject.type === "Issue" ? issueOnly(urls, subject) : pullOnly(urls, subject)),
  };
}

function issueOnly(urls: Urls, issue: Issue): Record<string, unknown> {
  const { subIssues, blockedBy, parent } = issue;
  const completed = subIssues.filter(({ state }) => state === "CLOSED").length;
  const percent =
    subIssues.length === 0 ? 0 : Math.round((completed / subIssues.length) * SUB_ISSUES);
  const blocking = [...issue.repository.issues.values()].filter(
    (one) => one.type === "Issue" && one.blockedBy.includes(issue),
  );
  return {
    state_reason: issue.stateReason?.toLowerCase() ?? null,
    type: issue.issueType === null ? null : issueTypeView(issue.issueType),
    sub_issues_summary: { total: subIssues.length, completed, percent_completed: percent },
    issue_dependencies_summary: {
      blocked_by: blockedBy.filter(({ state }) => state === "OPEN").length,
      total_blocked_by: blockedBy.length,
      blocking: blocking.filter(({ state }) => state === "OPEN").length,
      total_blocking: blocking.length,
    },
    ...(parent === null ? {} : { parent_issue_url: parentUrl(urls, parent) }),
  };
}

function parentUrl(urls: Urls, parent: Issue): string {
  return `${repoApi(urls, parent.repository)}/issues/${parent.number}`;
}

function pullOnly(urls: Urls, pull: PullRequest): Record<string, unknown> {
  const html = subjectHtml(urls, pull);
  return {
    draft: pull.isDraft,
    pull_request: {
      url: `${repoApi(urls, pull.repository)}/pulls/${pull.number}`,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      merged_at: pull.mergedAt,
    },
  };
}

export function commentView(urls: Urls, comment: IssueComment): Record<string, unknown> {
  const { subject } = comment;
  const repository = repoApi(urls, subject.repository);
  const api = `${repository}/issues/comments/${comment.id}`;
  return {
    url: api,
    html_url: commentHtml(urls, comment),
    issue_url: `${repository}/issues/${subject.number}`,
    id: comment.id,
    node_id: comment.nodeId,
    user: simpleUser(urls, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: authorAssociation(comment.author, subject.repository),
    body: comment.body,
    reactions: reactionRollup(api, comment),
    performed_via_github_app: null,
  };
}
