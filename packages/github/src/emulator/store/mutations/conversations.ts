import { can, need, needUnlessAuthor } from "../access.ts";
import { forbidden } from "../errors.ts";
import type {
  Issue,
  IssueComment,
  Label,
  LockReason,
  Milestone,
  PullRequest,
  User,
} from "../model.ts";
import type { Store } from "../store.ts";
import { referTo } from "./references.ts";
import { checkBody, checkNotBlank, checkTitle } from "./text.ts";

type Subject = Issue | PullRequest;

export interface Edits {
  readonly title?: string;
  readonly body?: string;
  readonly milestone?: Milestone | null;
  readonly labels?: readonly Label[];
  readonly assignees?: readonly User[];
}

/** The changes that issues and pull requests have in common. */
export function editSubject(store: Store, actor: User, subject: Subject, edits: Edits): void {
  if (edits.title !== undefined) rename(store, actor, subject, edits.title);
  if (edits.body !== undefined && edits.body !== subject.body) {
    subject.body = checkBody(subject.type, edits.body);
    subject.lastEditedAt = store.now();
  }
  if (edits.milestone !== undefined) setMilestone(store, actor, subject, edits.milestone);
  if (edits.labels !== undefined) replaceLabels(store, actor, subject, edits.labels);
  if (edits.assignees !== undefined) replaceAssignees(store, actor, subject, edits.assignees);
  store.touch(subject);
}

function rename(store: Store, actor: User, subject: Subject, title: string): void {
  if (title === subject.title) return;
  const titles = [subject.title, checkTitle(subject.type, title)] as const;
  subject.title = title;
  store.record("RenamedTitleEvent", actor, subject, { titles });
}

function setMilestone(
  store: Store,
  actor: User,
  subject: Subject,
  milestone: Milestone | null,
): void {
  need(actor, subject.repository, "TRIAGE");
  const old = subject.milestone;
  if (old === milestone) return;
  subject.milestone = milestone;
  if (old !== null) store.record("DemilestonedEvent", actor, subject, { milestone: old });
  if (milestone !== null) store.record("MilestonedEvent", actor, subject, { milestone });
}

function replaceLabels(
  store: Store,
  actor: User,
  subject: Subject,
  labels: readonly Label[],
): void {
  changeLabels(store, actor, subject, {
    add: labels,
    remove: subject.labels.filter((one) => !labels.includes(one)),
  });
}

function changeLabels(
  store: Store,
  actor: User,
  subject: Subject,
  {
    add = [],
    remove = [],
  }: { readonly add?: readonly Label[]; readonly remove?: readonly Label[] },
): void {
  need(actor, subject.repository, "TRIAGE");
  for (const label of remove) {
    if (drop(subject.labels, label)) store.record("UnlabeledEvent", actor, subject, { label });
  }
  for (const label of add) {
    if (subject.labels.includes(label)) continue;
    subject.labels.push(label);
    store.record("LabeledEvent", actor, subject, { label });
  }
}

export function addLabels(
  store: Store,
  actor: User,
  subject: Subject,
  add: readonly Label[],
): void {
  changeLabels(store, actor, subject, { add });
  store.count("addLabels");
}

export function removeLabels(
  store: Store,
  actor: User,
  subject: Subject,
  remove: readonly Label[],
): void {
  changeLabels(store, actor, subject, { remove });
  store.count("removeLabels");
}

export function setLabels(
  store: Store,
  actor: User,
  subject: Subject,
  labels: readonly Label[],
): void {
  replaceLabels(store, actor, subject, labels);
  store.count("setLabels");
}

function replaceAssignees(
  store: Store,
  actor: User,
  subject: Subject,
  users: readonly User[],
): void {
  changeAssignees(store, actor, subject, {
    add: users,
    remove: subject.assignees.filter((one) => !users.includes(one)),
  });
}

function changeAssignees(
  store: Store,
  actor: User,
  subject: Subject,
  { add = [], remove = [] }: { readonly add?: readonly User[]; readonly remove?: readonly User[] },
): void {
  need(actor, subject.repository, "TRIAGE");
  for (const user of remove) {
    if (drop(subject.assignees, user)) store.record("UnassignedEvent", actor, subject, { user });
  }
  for (const user of add) {
    // As on GitHub, users who cannot be assigned are left out silently.
    if (subject.assignees.includes(user) || !can(user, subject.repository, "READ")) continue;
    subject.assignees.push(user);
    store.record("AssignedEvent", actor, subject, { user });
  }
}

export function addAssignees(
  store: Store,
  actor: User,
  subject: Subject,
  add: readonly User[],
): void {
  changeAssignees(store, actor, subject, { add });
  store.count("addAssignees");
}

export function removeAssignees(
  store: Store,
  actor: User,
  subject: Subject,
  remove: readonly User[],
): void {
  changeAssignees(store, actor, subject, { remove });
  store.count("removeAssignees");
}

export function addComment(
  store: Store,
  author: User,
  subject: Subject,
  body: string,
): IssueComment {
  need(author, subject.repository, "READ");
  if (subject.locked && !can(author, subject.repository, "WRITE")) {
    throw forbidden("Unable to create comment because issue is locked.");
  }
  const facts = { author, subject, body: checkNotBlank("IssueComment", body) };
  const comment = store.create<IssueComment>("IssueComment", {
    ...facts,
    reactions: [],
    lastEditedAt: null,
  });
  subject.comments.push(comment);
  referTo(store, author, subject, body);
  store.touch(subject);
  store.count("addComment");
  return comment;
}

export function updateComment(
  store: Store,
  actor: User,
  comment: IssueComment,
  body: string,
): void {
  needUnlessAuthor(actor, comment, comment.subject.repository, "WRITE");
  comment.body = checkNotBlank("IssueComment", body);
  comment.lastEditedAt = store.now();
  store.touch(comment);
  store.count("updateComment");
}

export function deleteComment(store: Store, actor: User, comment: IssueComment): void {
  needUnlessAuthor(actor, comment, comment.subject.repository, "WRITE");
  drop(comment.subject.comments, comment);
  store.forget(comment);
  store.touch(comment.subject);
  store.count("deleteComment");
}

export function lock(store: Store, actor: User, subject: Subject, reason: LockReason | null): void {
  need(actor, subject.repository, "WRITE");
  subject.locked = true;
  subject.lockReason = reason;
  store.record("LockedEvent", actor, subject);
  store.count("lock");
}

export function unlock(store: Store, actor: User, subject: Subject): void {
  need(actor, subject.repository, "WRITE");
  subject.locked = false;
  subject.lockReason = null;
  store.record("UnlockedEvent", actor, subject);
  store.count("unlock");
}

/** Removes an item from a list; false if it was not in it. */
export function drop<T>(list: T[], item: T): boolean {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}
