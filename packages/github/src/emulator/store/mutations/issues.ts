import { need, needUnlessAuthor } from "../access.ts";
import { StoreError, forbidden, invalid } from "../errors.ts";
import type {
  Issue,
  IssueType,
  Label,
  Milestone,
  Repository,
  StateReason,
  User,
} from "../model.ts";
import type { Store } from "../store.ts";
import { drop, editSubject } from "./conversations.ts";
import type { Edits } from "./conversations.ts";
import { referTo } from "./references.ts";
import { checkBody, checkTitle } from "./text.ts";

const MAX_PINNED = 3;

export interface NewIssue {
  readonly title: string;
  readonly body?: string;
  readonly labels?: readonly Label[];
  readonly assignees?: readonly User[];
  readonly milestone?: Milestone | null;
  readonly issueType?: IssueType | null;
}

export function createIssue(
  store: Store,
  author: User,
  repository: Repository,
  input: NewIssue,
): Issue {
  need(author, repository, "READ");
  if (repository.isArchived) throw forbidden("Repository was archived so is read-only.");
  if (!repository.settings.hasIssues) {
    throw new StoreError("GONE", "Issues has been disabled in this repository.");
  }
  const title = checkTitle("Issue", input.title);
  const body = checkBody("Issue", input.body ?? "");
  const issue = store.create<Issue>("Issue", {
    author,
    repository,
    title,
    body,
    number: repository.nextNumber++,
    labels: [],
    assignees: [],
    milestone: null,
    comments: [],
    timeline: [],
    reactions: [],
    state: "OPEN",
    stateReason: null,
    closedAt: null,
    closedBy: null,
    lastEditedAt: null,
    locked: false,
    lockReason: null,
    issueType: input.issueType ?? null,
    parent: null,
    subIssues: [],
    blockedBy: [],
    connected: [],
    linkedBranches: [],
  });
  repository.issues.set(issue.number, issue);
  referTo(store, author, issue, body);
  applyExtras(store, author, issue, input);
  store.count("createIssue");
  return issue;
}

/** Sets labels and similar inputs if the author may triage. Otherwise GitHub ignores them. */
function applyExtras(store: Store, author: User, issue: Issue, input: NewIssue): void {
  const { labels, assignees, milestone } = input;
  const edits: Edits = {
    ...(labels?.length ? { labels } : {}),
    ...(assignees?.length ? { assignees } : {}),
    ...(milestone ? { milestone } : {}),
  };
  if (Object.keys(edits).length > 0) editSubject(store, author, issue, edits);
}

export interface IssueEdits extends Edits {
  readonly state?: "OPEN" | "CLOSED";
  readonly stateReason?: StateReason | null;
  readonly issueType?: IssueType | null;
}

export function updateIssue(store: Store, actor: User, issue: Issue, edits: IssueEdits): void {
  needUnlessAuthor(actor, issue, issue.repository, "TRIAGE");
  editSubject(store, actor, issue, edits);
  if (edits.issueType !== undefined) issue.issueType = edits.issueType;
  if (edits.state === "CLOSED") markClosed(store, actor, issue, edits.stateReason ?? "COMPLETED");
  if (edits.state === "OPEN") markOpen(store, actor, issue);
  store.count("updateIssue");
}

export function closeIssue(
  store: Store,
  actor: User,
  issue: Issue,
  reason: StateReason = "COMPLETED",
): void {
  needUnlessAuthor(actor, issue, issue.repository, "TRIAGE");
  markClosed(store, actor, issue, reason);
  store.count("closeIssue");
}

export function reopenIssue(store: Store, actor: User, issue: Issue): void {
  needUnlessAuthor(actor, issue, issue.repository, "TRIAGE");
  markOpen(store, actor, issue);
  store.count("reopenIssue");
}

/** Closes an issue. Merging a pull request also uses this for the issues that it closes. */
export function markClosed(store: Store, actor: User, issue: Issue, reason: StateReason): void {
  if (issue.state === "CLOSED" && issue.stateReason === reason) return;
  issue.state = "CLOSED";
  issue.stateReason = reason;
  issue.closedAt = store.now();
  issue.closedBy = actor;
  store.record("ClosedEvent", actor, issue);
}

function markOpen(store: Store, actor: User, issue: Issue): void {
  if (issue.state === "OPEN") return;
  issue.state = "OPEN";
  issue.stateReason = "REOPENED";
  issue.closedAt = null;
  issue.closedBy = null;
  store.record("ReopenedEvent", actor, issue);
}

export function deleteIssue(store: Store, actor: User, issue: Issue): void {
  need(actor, issue.repository, "ADMIN");
  unrelate(issue);
  for (const project of store.projects) {
    for (const item of project.items.filter(({ content }) => content === issue)) {
      drop(project.items, item);
      store.forget(item);
    }
  }
  issue.repository.issues.delete(issue.number);
  drop(issue.repository.pinnedIssues, issue);
  store.forget(issue, ...issue.comments, ...issue.timeline);
  store.count("deleteIssue");
}

function unrelate(issue: Issue): void {
  if (issue.parent !== null) drop(issue.parent.subIssues, issue);
  for (const child of issue.subIssues) child.parent = null;
  for (const other of issue.repository.issues.values()) {
    if (other.type === "Issue") drop(other.blockedBy, issue);
    else drop(other.connectedIssues, issue);
  }
}

export function pinIssue(store: Store, actor: User, issue: Issue): void {
  need(actor, issue.repository, "WRITE");
  const { pinnedIssues } = issue.repository;
  if (!pinnedIssues.includes(issue)) {
    if (pinnedIssues.length >= MAX_PINNED) {
      const message = `Maximum ${MAX_PINNED} pinned issues per repository`;
      throw invalid({ resource: "PinnedIssue", field: "base", code: "custom", message }, message);
    }
    pinnedIssues.push(issue);
    store.record("PinnedEvent", actor, issue);
  }
  store.count("pinIssue");
}

export function unpinIssue(store: Store, actor: User, issue: Issue): void {
  need(actor, issue.repository, "WRITE");
  if (drop(issue.repository.pinnedIssues, issue)) store.record("UnpinnedEvent", actor, issue);
  store.count("unpinIssue");
}

/** Moves the issue with its comments to another repository, under a new number. */
export function transferIssue(store: Store, actor: User, issue: Issue, target: Repository): Issue {
  need(actor, issue.repository, "WRITE");
  need(actor, target, "WRITE");
  unrelate(issue);
  issue.repository.issues.delete(issue.number);
  const moved = store.create<Issue>("Issue", {
    ...issue,
    repository: target,
    number: target.nextNumber++,
    labels: issue.labels.flatMap(({ name }) => target.labels.filter((one) => one.name === name)),
    milestone: null,
    parent: null,
    subIssues: [],
    blockedBy: [],
    comments: [],
    timeline: [],
  });
  for (const comment of issue.comments)
    moved.comments.push(Object.assign(comment, { subject: moved }));
  target.issues.set(moved.number, moved);
  issue.repository.transferred.set(issue.number, moved);
  store.forget(issue);
  store.record("TransferredEvent", actor, moved);
  store.count("transferIssue");
  return moved;
}
