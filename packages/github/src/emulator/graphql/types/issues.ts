import { can } from "../../store/access.ts";
import { closingIssues } from "../../store/mutations/relations.ts";
import { canSeeProject } from "../../store/mutations/projects.ts";
import type { Issue, IssueComment, LinkedBranch, PullRequest, User } from "../../store/model.ts";
import { commentHtml, subjectHtml } from "../../urls.ts";
import type { Input } from "../../input.ts";
import { paged } from "../connection.ts";
import type { Paged } from "../connection.ts";
import type { Context, Fields, TypeFields } from "../context.ts";
import { commentFields, entityFields, urlPath } from "./common.ts";
import { refNode } from "./git-nodes.ts";
import { pullCommitNode } from "./pull-commits.ts";
import { UNTYPED } from "./events.ts";
import { selectIssues, getPulls } from "./lists.ts";
import { pullCommits } from "../../store/pull-facts.ts";
import { ordered } from "../order.ts";

type Subject = Issue | PullRequest;

function participants({ author, assignees, comments }: Subject): User[] {
  return [...new Set([author, ...comments.map((one) => one.author), ...assignees])];
}

function mayTriage(subject: Subject, { viewer }: Context): boolean {
  return subject.author === viewer || can(viewer, subject.repository, "TRIAGE");
}

const ENUM_WORDS: Readonly<Record<string, string>> = {
  ISSUE_COMMENT: "IssueComment",
  PULL_REQUEST_REVIEW: "PullRequestReview",
  PULL_REQUEST_COMMIT: "PullRequestCommit",
  PULL_REQUEST_REVIEW_THREAD: "PullRequestReviewThread",
};

/** Converts LABELED_EVENT to LabeledEvent. */
function typeName(word: string): string {
  const known = ENUM_WORDS[word];
  if (known !== undefined) return known;
  return word
    .toLowerCase()
    .replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function timelineItems(subject: Subject, args: Input, { store }: Context): Paged {
  const all: {
    readonly type: string;
    readonly nodeId: string;
    readonly time: string;
    readonly item: unknown;
  }[] = [
    ...subject.timeline
      .filter(({ type }) => !UNTYPED.test(type))
      .map((item) => ({ type: item.type, nodeId: item.nodeId, time: item.createdAt, item })),
    ...subject.comments.map((item) => ({
      type: item.type,
      nodeId: item.nodeId,
      time: item.createdAt,
      item,
    })),
  ];
  if (subject.type === "PullRequest") {
    for (const item of subject.reviews) {
      if (item.submittedAt !== null)
        all.push({ type: item.type, nodeId: item.nodeId, time: item.submittedAt, item });
    }
    for (const commit of pullCommits(store, subject)) {
      const item = pullCommitNode(store, subject, commit.oid);
      all.push({ type: item.type, nodeId: item.nodeId, time: commit.committer.date, item });
    }
  }
  const wanted = args.choices("itemTypes")?.map(typeName);
  const since = args.string("since");
  const kept = all
    .filter(({ type, time }) => (wanted === undefined || wanted.includes(type)) && time >= since)
    .toSorted((a, b) => a.time.localeCompare(b.time))
    .map(({ item }) => item);
  const counts = {
    filteredCount: kept.length,
    pageCount: kept.length,
    updatedAt: subject.updatedAt,
  };
  return paged(kept, { ...counts, totalCount: all.length });
}

/** The common fields of issues and pull requests. */
export function subjectFields(): Fields<Subject> {
  return {
    ...commentFields<Subject>(({ repository }) => repository),
    number: ({ number }) => number,
    title: ({ title }) => title,
    url: (subject, _args, { urls }) => subjectHtml(urls, subject),
    resourcePath: (subject, _args, { urls }) => urlPath(subjectHtml(urls, subject)),
    state: ({ state }) => state,
    closed: ({ state }) => state !== "OPEN",
    closedAt: ({ closedAt }) => closedAt,
    locked: ({ locked }) => locked,
    activeLockReason: ({ lockReason }) => lockReason,
    labels: ({ labels }, args) =>
      ordered(labels, args, { NAME: ({ name }) => name.toLowerCase(), CREATED_AT: ({ id }) => id }),
    assignees: ({ assignees }) => assignees,
    assignedActors: ({ assignees }) => assignees,
    milestone: ({ milestone }) => milestone,
    comments: ({ comments }, args) =>
      ordered(comments, args, { UPDATED_AT: ({ updatedAt }) => updatedAt }),
    participants: (subject) => participants(subject),
    timelineItems: (subject, args, context) => timelineItems(subject, args, context),
    // Always empty, because GitHub has removed classic projects.
    projectCards: () => [],
    projectItems: (subject, _args, { store, viewer }) =>
      store.projects
        .filter((project) => canSeeProject(viewer, project))
        .flatMap(({ items }) => items.filter(({ content }) => content === subject)),
    projectsV2: (subject, _args, { store, viewer }) =>
      store.projects.filter(
        (project) =>
          canSeeProject(viewer, project) &&
          project.items.some(({ content }) => content === subject),
      ),
    isReadByViewer: (subject, _args, { store, viewer }) =>
      !store.notifications.some(
        (one) => one.user === viewer && one.subject === subject && one.isUnread,
      ),
    viewerCanClose: (subject, _args, context) => mayTriage(subject, context),
    viewerCanReopen: (subject, _args, context) => mayTriage(subject, context),
    viewerCanUpdate: (subject, _args, context) => mayTriage(subject, context),
    viewerCannotUpdateReasons: (subject, _args, context) =>
      mayTriage(subject, context) ? [] : ["INSUFFICIENT_ACCESS"],
    viewerCanSubscribe: () => true,
    viewerSubscription: (subject, _args, { viewer }) =>
      participants(subject).includes(viewer) ? "SUBSCRIBED" : "UNSUBSCRIBED",
  };
}

function getOpen(issues: readonly Issue[]): number {
  return issues.filter(({ state }) => state === "OPEN").length;
}

function blocking(issue: Issue, { store }: Context): Issue[] {
  return store.repositories
    .flatMap(selectIssues)
    .filter(({ blockedBy }) => blockedBy.includes(issue));
}

function closedBy(issue: Issue, args: Input): PullRequest[] {
  const linked = getPulls(issue.repository).filter((pull) => closingIssues(pull).includes(issue));
  const kept = args.isOn("userLinkedOnly") ? issue.connected : linked;
  return args.isOn("includeClosedPrs") ? kept : kept.filter(({ state }) => state !== "CLOSED");
}

const issueFields: Fields<Issue> = {
  ...subjectFields(),
  stateReason: ({ stateReason }, args) =>
    stateReason === "DUPLICATE" && args.flag("enableDuplicate") !== true
      ? "NOT_PLANNED"
      : stateReason,
  isPinned: (issue) => issue.repository.pinnedIssues.includes(issue),
  bodyUrl: (issue, _args, { urls }) => `${subjectHtml(urls, issue)}#issue-${issue.id}`,
  bodyResourcePath: (issue, _args, { urls }) =>
    urlPath(`${subjectHtml(urls, issue)}#issue-${issue.id}`),
  viewerCanDelete: ({ repository }, _args, { viewer }) => can(viewer, repository, "ADMIN"),
  linkedBranches: ({ linkedBranches }) => linkedBranches,
  trackedInIssues: () => [],
  trackedIssues: () => [],
  trackedIssuesCount: () => 0,
  issueType: ({ issueType }) => issueType,
  parent: ({ parent }) => parent,
  subIssues: ({ subIssues }) => subIssues,
  subIssuesSummary: ({ subIssues }) => {
    const total = subIssues.length;
    const completed = subIssues.filter(({ state }) => state === "CLOSED").length;
    return {
      total,
      completed,
      percentCompleted: total === 0 ? 0 : Math.round((completed / total) * 100),
    };
  },
  blockedBy: ({ blockedBy }) => blockedBy,
  blocking: (issue, _args, context) => blocking(issue, context),
  issueDependenciesSummary: (issue, _args, context) => {
    const others = blocking(issue, context);
    return {
      blockedBy: getOpen(issue.blockedBy),
      totalBlockedBy: issue.blockedBy.length,
      blocking: getOpen(others),
      totalBlocking: others.length,
    };
  },
  closedByPullRequestsReferences: (issue, args) => closedBy(issue, args),
};

const commentTypeFields: Fields<IssueComment> = {
  ...commentFields<IssueComment>(({ subject }) => subject.repository),
  url: (comment, _args, { urls }) => commentHtml(urls, comment),
  resourcePath: (comment, _args, { urls }) => urlPath(commentHtml(urls, comment)),
  // On GitHub a pull request also has an issue object; here it is the pull request itself.
  issue: ({ subject }) => subject,
  pullRequest: ({ subject }) => (subject.type === "PullRequest" ? subject : null),
};

const linkedBranchFields: Fields<LinkedBranch> = {
  ...entityFields,
  ref: ({ repository, ref }) => refNode(repository, ref),
};

export const issueTypes: TypeFields = {
  Issue: issueFields,
  IssueComment: commentTypeFields,
  LinkedBranch: linkedBranchFields,
};
