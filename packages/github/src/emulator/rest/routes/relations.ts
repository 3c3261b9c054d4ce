import { given } from "../../input.ts";
import { StoreError, invalid } from "../../store/errors.ts";
import type { Issue } from "../../store/model.ts";
import * as relations from "../../store/mutations/relations.ts";
import type { RestCall, Routes } from "../call.ts";
import { listReply } from "../pages.ts";
import { created, ok } from "../reply.ts";
import { issueTypeView } from "../views/account.ts";
import { issueView } from "../views/issue.ts";

/** Finds an issue in any repository by its id, which is not its number. */
function issueById({ store }: RestCall, id: number | undefined, field: string): Issue {
  const all = store.repositories.flatMap(({ issues }) => [...issues.values()]);
  const found = all.find((one) => one.type === "Issue" && one.id === id);
  if (found?.type === "Issue") return found;
  if (id !== undefined) throw new StoreError("NOT_FOUND", "Not Found");
  throw invalid({ resource: "Issue", field, code: "missing_field" });
}

function namedIssue(call: RestCall, field: string): Issue {
  return issueById(call, call.body.number(field), field);
}

function place(call: RestCall, field: string): Issue | undefined {
  return call.body.has(field) ? namedIssue(call, field) : undefined;
}

const ISSUE = "/repos/{owner}/{repo}/issues/{issue_number}";

export const relationRoutes: Routes = {
  [`GET ${ISSUE}/parent`]: (call) => {
    const { parent } = call.issue;
    if (parent === null) throw new StoreError("NOT_FOUND", "Not Found");
    return ok(issueView(call.urls, parent));
  },
  [`GET ${ISSUE}/sub_issues`]: (call) =>
    listReply(call, call.issue.subIssues, (one) => issueView(call.urls, one)),
  [`POST ${ISSUE}/sub_issues`]: (call) => {
    const { store, viewer, issue, body } = call;
    const child = namedIssue(call, "sub_issue_id");
    relations.addSubIssue(store, viewer, issue, child, body.isOn("replace_parent"));
    return created(issueView(call.urls, child));
  },
  [`DELETE ${ISSUE}/sub_issue`]: (call) => {
    const child = namedIssue(call, "sub_issue_id");
    relations.removeSubIssue(call.store, call.viewer, call.issue, child);
    return ok(issueView(call.urls, child));
  },
  [`PATCH ${ISSUE}/sub_issues/priority`]: (call) => {
    const child = namedIssue(call, "sub_issue_id");
    const where = given({ after: place(call, "after_id"), before: place(call, "before_id") });
    relations.moveSubIssue(call.store, call.viewer, child, where);
    return ok(issueView(call.urls, child));
  },
  [`GET ${ISSUE}/dependencies/blocked_by`]: (call) =>
    listReply(call, call.issue.blockedBy, (one) => issueView(call.urls, one)),
  [`GET ${ISSUE}/dependencies/blocking`]: (call) => {
    const { issue, repository } = call;
    const blocked = [...repository.issues.values()].filter(
      (one) => one.type === "Issue" && one.blockedBy.includes(issue),
    );
    return listReply(call, blocked, (one) => issueView(call.urls, one));
  },
  [`POST ${ISSUE}/dependencies/blocked_by`]: (call) => {
    const blocker = namedIssue(call, "issue_id");
    relations.addBlockedBy(call.store, call.viewer, call.issue, blocker);
    return created(issueView(call.urls, blocker));
  },
  [`DELETE ${ISSUE}/dependencies/blocked_by/{issue_id}`]: (call) => {
    const blocker = issueById(call, call.id("issue_id"), "issue_id");
    relations.removeBlockedBy(call.store, call.viewer, call.issue, blocker);
    return ok(issueView(call.urls, blocker));
  },
  "GET /repos/{owner}/{repo}/issue-types": (call) => {
    const { owner } = call.repository;
    // Returns all items, because this list has no pages.
    return ok((owner.type === "Organization" ? owner.issueTypes : []).map(issueTypeView));
  },
};
