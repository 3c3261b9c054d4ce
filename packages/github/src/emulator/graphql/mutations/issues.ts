import { given, isInputObject } from "../../input.ts";
import { StoreError } from "../../store/errors.ts";
import type { IssueType } from "../../store/model.ts";
import type { Input } from "../../input.ts";
import * as talk from "../../store/mutations/conversations.ts";
import * as issues from "../../store/mutations/issues.ts";
import { createLinkedBranch } from "../../store/mutations/linked-branches.ts";
import * as relations from "../../store/mutations/relations.ts";
import type { Context } from "../context.ts";
import { findResource } from "../types/query.ts";
import type { Mutations } from "./mutation.ts";
import {
  issueAt,
  labelsAt,
  milestoneAt,
  nodeAt,
  knownValue,
  repositoryAt,
  subjectAt,
  usersAt,
} from "./nodes.ts";

function issueTypeAt(context: Context, input: Input): IssueType | null | undefined {
  const id = input.textOrNull("issueTypeId");
  return typeof id === "string" ? nodeAt(context, id, "IssueType") : id;
}

function edits(context: Context, input: Input) {
  return given({
    title: input.text("title"),
    body: input.text("body"),
    labels: labelsAt(context, input.texts("labelIds")),
    assignees: usersAt(context, input.texts("assigneeIds")),
    milestone: milestoneAt(context, input),
    issueType: issueTypeAt(context, input),
  });
}

/** GitHub derives a branch name from the title if none is given. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

function subIssue(context: Context, input: Input) {
  const url = input.text("subIssueUrl");
  if (url === undefined) return issueAt(context, input.text("subIssueId"));
  const found = findResource(url, context);
  return issueAt(context, isInputObject(found) ? String(found["nodeId"]) : "");
}

export const issueMutations: Mutations = {
  createIssue: (input, context) => {
    const { store, viewer } = context;
    const repository = repositoryAt(context, input.text("repositoryId"));
    const facts = { title: "", ...edits(context, input) };
    const parentId = input.text("parentIssueId");
    const parent = parentId === undefined ? undefined : issueAt(context, parentId);
    const issue = issues.createIssue(store, viewer, repository, facts);
    if (parent !== undefined) relations.addSubIssue(store, viewer, parent, issue);
    return { issue };
  },
  updateIssue: (input, context) => {
    const { store, viewer } = context;
    const issue = issueAt(context, input.text("id"));
    const state = knownValue(input.text("state"), "OPEN", "CLOSED");
    issues.updateIssue(store, viewer, issue, { ...edits(context, input), ...given({ state }) });
    return { issue, actor: viewer };
  },
  updateIssueIssueType: (input, context) => {
    const issue = issueAt(context, input.text("issueId"));
    const issueType = issueTypeAt(context, input) ?? null;
    issues.updateIssue(context.store, context.viewer, issue, { issueType });
    return { issue };
  },
  closeIssue: (input, context) => {
    const issue = issueAt(context, input.text("issueId"));
    const reason = knownValue(input.text("stateReason"), "COMPLETED", "NOT_PLANNED", "DUPLICATE");
    issues.closeIssue(context.store, context.viewer, issue, reason);
    return { issue };
  },
  reopenIssue: (input, context) => {
    const issue = issueAt(context, input.text("issueId"));
    issues.reopenIssue(context.store, context.viewer, issue);
    return { issue };
  },
  deleteIssue: (input, context) => {
    const issue = issueAt(context, input.text("issueId"));
    issues.deleteIssue(context.store, context.viewer, issue);
    return { repository: issue.repository };
  },
  transferIssue: (input, context) => {
    const target = repositoryAt(context, input.text("repositoryId"));
    const issue = issueAt(context, input.text("issueId"));
    return { issue: issues.transferIssue(context.store, context.viewer, issue, target) };
  },
  pinIssue: (input, context) => {
    const issue = issueAt(context, input.text("issueId"));
    issues.pinIssue(context.store, context.viewer, issue);
    return { issue };
  },
  unpinIssue: (input, context) => {
    const issue = issueAt(context, input.text("issueId"));
    issues.unpinIssue(context.store, context.viewer, issue);
    return { issue, id: issue.nodeId };
  },
  createLinkedBranch: (input, context) => {
    const issue = issueAt(context, input.text("issueId"));
    const place = input.text("repositoryId");
    const linkedBranch = createLinkedBranch(context.store, context.viewer, issue, {
      repository: place === undefined ? issue.repository : repositoryAt(context, place),
      oid: input.string("oid"),
      name: input.text("name") ?? `${issue.number}-${slug(issue.title)}`,
    });
    return { issue, linkedBranch };
  },
  addSubIssue: (input, context) => {
    const { store, viewer } = context;
    const issue = issueAt(context, input.text("issueId"));
    const child = subIssue(context, input);
    relations.addSubIssue(store, viewer, issue, child, input.isOn("replaceParent"));
    return { issue, subIssue: child };
  },
  removeSubIssue: (input, context) => {
    const issue = issueAt(context, input.text("issueId"));
    const child = subIssue(context, input);
    relations.removeSubIssue(context.store, context.viewer, issue, child);
    return { issue, subIssue: child };
  },
  reprioritizeSubIssue: (input, context) => {
    const issue = issueAt(context, input.text("issueId"));
    const child = issueAt(context, input.text("subIssueId"));
    if (child.parent !== issue)
      throw new StoreError("UNPROCESSABLE", "The sub-issue is not one of this issue");
    const at = (name: string) => (input.has(name) ? issueAt(context, input.text(name)) : undefined);
    relations.moveSubIssue(
      context.store,
      context.viewer,
      child,
      given({ after: at("afterId"), before: at("beforeId") }),
    );
    return { issue };
  },
  addBlockedBy: (input, context) => {
    const issue = issueAt(context, input.text("issueId"));
    const blockingIssue = issueAt(context, input.text("blockingIssueId"));
    relations.addBlockedBy(context.store, context.viewer, issue, blockingIssue);
    return { issue, blockingIssue };
  },
  removeBlockedBy: (input, context) => {
    const issue = issueAt(context, input.text("issueId"));
    const blockingIssue = issueAt(context, input.text("blockingIssueId"));
    relations.removeBlockedBy(context.store, context.viewer, issue, blockingIssue);
    return { issue, blockingIssue };
  },
  addLabelsToLabelable: (input, context) => {
    const labelable = subjectAt(context, input.text("labelableId"));
    talk.addLabels(
      context.store,
      context.viewer,
      labelable,
      labelsAt(context, input.texts("labelIds")) ?? [],
    );
    return { labelable };
  },
  removeLabelsFromLabelable: (input, context) => {
    const labelable = subjectAt(context, input.text("labelableId"));
    talk.removeLabels(
      context.store,
      context.viewer,
      labelable,
      labelsAt(context, input.texts("labelIds")) ?? [],
    );
    return { labelable };
  },
  clearLabelsFromLabelable: (input, context) => {
    const labelable = subjectAt(context, input.text("labelableId"));
    talk.setLabels(context.store, context.viewer, labelable, []);
    return { labelable };
  },
  addAssigneesToAssignable: (input, context) => {
    const assignable = subjectAt(context, input.text("assignableId"));
    talk.addAssignees(
      context.store,
      context.viewer,
      assignable,
      usersAt(context, input.texts("assigneeIds")) ?? [],
    );
    return { assignable };
  },
  removeAssigneesFromAssignable: (input, context) => {
    const assignable = subjectAt(context, input.text("assignableId"));
    talk.removeAssignees(
      context.store,
      context.viewer,
      assignable,
      usersAt(context, input.texts("assigneeIds")) ?? [],
    );
    return { assignable };
  },
  lockLockable: (input, context) => {
    const lockedRecord = subjectAt(context, input.text("lockableId"));
    const reason = knownValue(
      input.text("lockReason"),
      "OFF_TOPIC",
      "TOO_HEATED",
      "RESOLVED",
      "SPAM",
    );
    talk.lock(context.store, context.viewer, lockedRecord, reason ?? null);
    return { lockedRecord, actor: context.viewer };
  },
  unlockLockable: (input, context) => {
    const unlockedRecord = subjectAt(context, input.text("lockableId"));
    talk.unlock(context.store, context.viewer, unlockedRecord);
    return { unlockedRecord, actor: context.viewer };
  },
};
