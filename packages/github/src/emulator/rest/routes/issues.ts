import { Input, given } from "../../input.ts";
import { StoreError, invalid } from "../../store/errors.ts";
import { findMilestone, findUser, lookUpLabel } from "../../store/find.ts";
import type {
  Issue,
  IssueType,
  Label,
  LockReason,
  Milestone,
  PullRequest,
  Repository,
  StateReason,
  User,
} from "../../store/model.ts";
import * as talk from "../../store/mutations/conversations.ts";
import { closeIssue, createIssue, reopenIssue, updateIssue } from "../../store/mutations/issues.ts";
import { createLabel } from "../../store/mutations/labels.ts";
import { updatePull } from "../../store/mutations/pulls.ts";
import type { RestCall, Routes } from "../call.ts";
import { listReply } from "../pages.ts";
import { created, noContent, ok, redirect } from "../reply.ts";
import type { Reply } from "../reply.ts";
import { filterIssues } from "../filters.ts";
import { issueView, labelView, labelsView } from "../views/issue.ts";
import { simpleUser } from "../views/account.ts";

const GREY = "ededed";

/** Redirects to an issue that was transferred. The new address checks whether the caller may see it. */
function transferred(call: RestCall): Reply | undefined {
  const moved = call.repository.transferred.get(call.id("issue_number"));
  if (moved === undefined) return undefined;
  const location = `${call.urls.api}/repositories/${moved.repository.id}/issues/${moved.number}`;
  return redirect(301, location, { message: "Moved Permanently", url: location });
}

/** Labels are given as names or objects. REST creates labels that do not exist. */
function readLabels(call: RestCall, repository: Repository, body: Input): Label[] | undefined {
  if (!body.has("labels")) return undefined;
  const objects = body.children("labels").flatMap((one) => one.text("name") ?? []);
  const names = [...(body.texts("labels") ?? []), ...objects];
  return names.map(
    (name) =>
      lookUpLabel(repository, name) ??
      createLabel(call.store, call.viewer, repository, { name, color: GREY }),
  );
}

function readUsers({ store }: RestCall, logins: readonly string[] | undefined): User[] | undefined {
  return logins?.flatMap((login) => {
    const isKnown = store.users.some((one) => one.login.toLowerCase() === login.toLowerCase());
    if (isKnown) return [findUser(store, login)];
    throw invalid({ resource: "Issue", field: "assignees", code: "invalid", value: login });
  });
}

function readMilestone(repository: Repository, body: Input): Milestone | null | undefined {
  if (body.isNull("milestone")) return null;
  const value = body.raw("milestone");
  if (value === undefined || value === "") return value === "" ? null : undefined;
  const found = repository.milestones.find(({ number }) => number === Number(value));
  if (found !== undefined) return findMilestone(repository, found.number);
  throw invalid({ resource: "Issue", field: "milestone", code: "invalid", value });
}

function readType({ owner }: Repository, body: Input): IssueType | null | undefined {
  if (body.isNull("type")) return null;
  const name = body.text("type");
  if (name === undefined) return undefined;
  const types = owner.type === "Organization" ? owner.issueTypes : [];
  const found = types.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  throw invalid({ resource: "Issue", field: "type", code: "invalid", value: name });
}

function readState(body: Input): "OPEN" | "CLOSED" | undefined {
  const state = body.text("state");
  if (state === undefined) return undefined;
  if (state === "open" || state === "closed") return state === "open" ? "OPEN" : "CLOSED";
  throw invalid({ resource: "Issue", field: "state", code: "invalid", value: state });
}

function readExtras(
  call: RestCall,
  repository: Repository,
): talk.Edits & { issueType?: IssueType | null } {
  const { body } = call;
  const single = body.text("assignee");
  const logins = body.texts("assignees") ?? (single === undefined ? undefined : [single]);
  return given({
    labels: readLabels(call, repository, body),
    assignees: readUsers(call, logins),
    milestone: readMilestone(repository, body),
    issueType: readType(repository, body),
  });
}

/** GitHub also accepts a number as the title. */
function findTitle(body: Input): string | undefined {
  const title = body.raw("title");
  return typeof title === "number" ? String(title) : body.text("title");
}

function createIssueRoute(call: RestCall): Reply {
  const { store, viewer, repository, body } = call;
  const title = findTitle(body);
  if (title === undefined) {
    throw invalid({ resource: "Issue", field: "title", code: "missing_field" });
  }
  const text = body.text("body");
  const facts = { title, ...given({ body: text }), ...readExtras(call, repository) };
  return created(issueView(call.urls, createIssue(store, viewer, repository, facts)));
}

function update(call: RestCall): Reply {
  const { store, viewer, body, subject } = call;
  const reason = body.text("state_reason")?.toUpperCase();
  const edits = given({
    title: body.text("title"),
    body: body.isNull("body") ? "" : body.text("body"),
    state: readState(body),
    ...readExtras(call, subject.repository),
  });
  if (subject.type === "PullRequest") updatePull(store, viewer, subject, edits);
  else if (isOnlyState(edits)) changeState(call, subject, stateReason(reason));
  else
    updateIssue(store, viewer, subject, {
      ...edits,
      ...given({ stateReason: stateReason(reason) }),
    });
  return ok(issueView(call.urls, subject));
}

/** Whether a request only closes or reopens, which GitHub records as an event of its own. */
function isOnlyState(edits: object): boolean {
  return "state" in edits && Object.keys(edits).length === 1;
}

function changeState({ store, viewer, body }: RestCall, issue: Issue, reason?: StateReason): void {
  if (readState(body) === "CLOSED") closeIssue(store, viewer, issue, reason);
  else reopenIssue(store, viewer, issue);
}

function stateReason(text: string | undefined): StateReason | undefined {
  const known: readonly StateReason[] = ["COMPLETED", "NOT_PLANNED", "DUPLICATE", "REOPENED"];
  return known.find((one) => one === text);
}

function labelsReply(call: RestCall, subject: Issue | PullRequest): Reply {
  return ok(labelsView(call.urls, subject));
}

/** The body is a list of names, or an object with such a list. */
function namedLabels(call: RestCall, repository: Repository): Label[] {
  const text = call.rawBody.toString("utf8");
  const wrapped = text.trimStart().startsWith("[")
    ? new Input({ labels: JSON.parse(text) as unknown })
    : call.body;
  return readLabels(call, repository, wrapped) ?? [];
}

function removeLabel(call: RestCall): Reply {
  const { store, viewer, subject } = call;
  const label = subject.labels.find(
    ({ name }) => name.toLowerCase() === call.param("name").toLowerCase(),
  );
  if (label === undefined) throw new StoreError("NOT_FOUND", "Label does not exist");
  talk.removeLabels(store, viewer, subject, [label]);
  return labelsReply(call, subject);
}

function assignees(change: typeof talk.addAssignees, reply: typeof created) {
  return (call: RestCall): Reply => {
    const { subject } = call;
    const users = readUsers(call, call.body.texts("assignees")) ?? [];
    change(call.store, call.viewer, subject, users);
    return reply(issueView(call.urls, subject));
  };
}

function lock(call: RestCall): Reply {
  const reason = call.body.text("lock_reason");
  const known: readonly LockReason[] = ["OFF_TOPIC", "TOO_HEATED", "RESOLVED", "SPAM"];
  const found = known.find((one) => one === reason?.toUpperCase().replaceAll(/[ -]/g, "_"));
  if (reason !== undefined && found === undefined) {
    throw invalid({ resource: "Issue", field: "lock_reason", code: "invalid", value: reason });
  }
  talk.lock(call.store, call.viewer, call.subject, found ?? null);
  return noContent;
}

const ISSUES = "/repos/{owner}/{repo}/issues";
const ISSUE = `${ISSUES}/{issue_number}`;

export const issueRoutes: Routes = {
  [`GET ${ISSUES}`]: (call) =>
    listReply(call, filterIssues(call, [...call.repository.issues.values()]), (one) =>
      issueView(call.urls, one),
    ),
  [`POST ${ISSUES}`]: createIssueRoute,
  [`GET ${ISSUE}`]: (call) => transferred(call) ?? ok(issueView(call.urls, call.subject)),
  [`PATCH ${ISSUE}`]: update,
  [`PUT ${ISSUE}/lock`]: lock,
  [`DELETE ${ISSUE}/lock`]: (call) => {
    talk.unlock(call.store, call.viewer, call.subject);
    return noContent;
  },
  [`GET ${ISSUE}/labels`]: (call) =>
    listReply(call, call.subject.labels, (one) => labelView(call.urls, one)),
  [`POST ${ISSUE}/labels`]: (call) => {
    const { store, viewer, subject } = call;
    talk.addLabels(store, viewer, subject, namedLabels(call, subject.repository));
    return labelsReply(call, subject);
  },
  [`PUT ${ISSUE}/labels`]: (call) => {
    const { store, viewer, subject } = call;
    talk.setLabels(store, viewer, subject, namedLabels(call, subject.repository));
    return labelsReply(call, subject);
  },
  [`DELETE ${ISSUE}/labels`]: (call) => {
    talk.setLabels(call.store, call.viewer, call.subject, []);
    return noContent;
  },
  [`DELETE ${ISSUE}/labels/{name}`]: removeLabel,
  [`POST ${ISSUE}/assignees`]: assignees(talk.addAssignees, created),
  [`DELETE ${ISSUE}/assignees`]: assignees(talk.removeAssignees, ok),
  "GET /repos/{owner}/{repo}/assignees": (call) => {
    const { store, repository } = call;
    const users = store.users.filter(
      (one) => repository.collaborators.has(one) || repository.owner === one,
    );
    return listReply(call, users, (one) => simpleUser(call.urls, one));
  },
  "GET /issues": (call) => {
    const own = call.store.repositories.flatMap(({ issues }) => [...issues.values()]);
    const mine = own.filter((one) => one.assignees.includes(call.viewer));
    return listReply(call, filterIssues(call, mine), (one) => issueView(call.urls, one));
  },
};
