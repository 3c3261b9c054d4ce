import { need } from "../access.ts";
import { invalid } from "../errors.ts";
import type { Issue, PullRequest, User } from "../model.ts";
import type { Store } from "../store.ts";
import { drop } from "./conversations.ts";

const MAX_SUB_ISSUES = 100;
const MAX_DEPTH = 8;

function refuseRelation(message: string): never {
  throw invalid({ resource: "Issue", field: "base", code: "custom", message }, message);
}

function ancestors(issue: Issue): Issue[] {
  const found: Issue[] = [];
  for (let one: Issue | null = issue; one !== null && found.length <= MAX_DEPTH; one = one.parent) {
    found.push(one);
  }
  return found;
}

export function addSubIssue(
  store: Store,
  actor: User,
  parent: Issue,
  child: Issue,
  replaceParent = false,
): void {
  need(actor, parent.repository, "TRIAGE");
  if (child.parent !== null && child.parent !== parent && !replaceParent) {
    refuseRelation("Sub issue may only have one parent");
  }
  if (ancestors(parent).includes(child)) refuseRelation("An issue cannot be a sub-issue of itself");
  if (child.parent === parent) refuseRelation("Issue may not contain duplicate sub-issues");
  if (parent.subIssues.length >= MAX_SUB_ISSUES)
    refuseRelation("Parent cannot have more than 100 sub-issues");
  if (child.parent !== null) detach(store, actor, child, child.parent);
  child.parent = parent;
  parent.subIssues.push(child);
  store.record("SubIssueAddedEvent", actor, parent, { other: child });
  store.record("ParentIssueAddedEvent", actor, child, { other: parent });
  store.count("addSubIssue");
}

function detach(store: Store, actor: User, child: Issue, parent: Issue): void {
  drop(parent.subIssues, child);
  child.parent = null;
  store.record("SubIssueRemovedEvent", actor, parent, { other: child });
  store.record("ParentIssueRemovedEvent", actor, child, { other: parent });
}

export function removeSubIssue(store: Store, actor: User, parent: Issue, child: Issue): void {
  need(actor, parent.repository, "TRIAGE");
  if (child.parent !== parent)
    refuseRelation("The provided sub-issue is not a sub-issue of this issue");
  detach(store, actor, child, parent);
  store.count("removeSubIssue");
}

/** Moves a sub-issue after or before one of its siblings. */
export function moveSubIssue(
  store: Store,
  actor: User,
  child: Issue,
  place: { readonly after?: Issue; readonly before?: Issue },
): void {
  const { parent } = child;
  if (parent === null) refuseRelation("The provided sub-issue is not a sub-issue of this issue");
  need(actor, parent.repository, "TRIAGE");
  const anchor = place.after ?? place.before;
  if (anchor === undefined || anchor.parent !== parent)
    refuseRelation("after_id or before_id is required");
  drop(parent.subIssues, child);
  const index = parent.subIssues.indexOf(anchor);
  parent.subIssues.splice(place.after === undefined ? index : index + 1, 0, child);
  store.touch(parent);
  store.count("moveSubIssue");
}

export function addBlockedBy(store: Store, actor: User, issue: Issue, blocker: Issue): void {
  need(actor, issue.repository, "TRIAGE");
  if (issue === blocker) refuseRelation("An issue cannot be blocked by itself");
  if (issue.blockedBy.includes(blocker)) refuseRelation("Target issue has already been taken");
  issue.blockedBy.push(blocker);
  store.record("BlockedByAddedEvent", actor, issue, { other: blocker });
  store.count("addBlockedBy");
}

export function removeBlockedBy(store: Store, actor: User, issue: Issue, blocker: Issue): void {
  need(actor, issue.repository, "TRIAGE");
  if (!drop(issue.blockedBy, blocker))
    refuseRelation("The provided issue does not block this issue");
  store.record("BlockedByRemovedEvent", actor, issue, { other: blocker });
  store.count("removeBlockedBy");
}

/**
 * Links a pull request to an issue, as the "Development" box on GitHub's page does. GitHub has no
 * API for this, so only test worlds use it.
 */
export function connect(store: Store, actor: User, issue: Issue, pull: PullRequest): void {
  issue.connected.push(pull);
  pull.connectedIssues.push(issue);
  store.record("ConnectedEvent", actor, issue, { other: pull });
  store.record("ConnectedEvent", actor, pull, { other: issue });
}

/** The issues that a pull request closes when it is merged: connected ones, and "fixes #12". */
export function closingIssues(pull: PullRequest): Issue[] {
  const numbers = [...pull.body.matchAll(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d+)/gi)];
  const named = numbers.flatMap(([, digits]) => {
    const issue = pull.repository.issues.get(Number(digits));
    return issue?.type === "Issue" ? [issue] : [];
  });
  return [...new Set([...pull.connectedIssues, ...named])];
}
