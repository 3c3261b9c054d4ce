import { findCommit } from "../../store/commits.ts";
import { need } from "../../store/access.ts";
import { invalid } from "../../store/errors.ts";
import type { CheckRun, CommitStatus } from "../../store/model.ts";
import { getCheckRuns, getStatuses } from "../../store/pull-facts.ts";
import { repoApi, repoHtml } from "../../urls.ts";
import type { RestCall, Routes } from "../call.ts";
import { countedReply, listReply } from "../pages.ts";
import { created, ok } from "../reply.ts";
import type { Reply } from "../reply.ts";
import { checkRunView, statusView, suiteView } from "../views/actions.ts";
import { simpleUser } from "../views/account.ts";
import { minimalRepository } from "../views/repository.ts";
import { requestedCommit } from "./git.ts";

function findSha(call: RestCall): string {
  return findCommit(call.store, call.repository, call.param("ref")).oid;
}

function listRuns(call: RestCall, all: readonly CheckRun[]): Reply {
  const [name, status] = [call.query("check_name"), call.query("status")];
  const kept = all.filter(
    (one) =>
      (name === undefined || one.name === name) &&
      (status === undefined || one.status.toLowerCase() === status),
  );
  return countedReply(call, "check_runs", kept, (one) => checkRunView(call.urls, one));
}

function combined(call: RestCall): Reply {
  const { repository, urls } = call;
  const sha = findSha(call);
  const statuses = getStatuses(repository, sha);
  const states = statuses.map(({ state }) => state);
  const isBad = states.includes("FAILURE") || states.includes("ERROR");
  const isPending = states.length === 0 || states.includes("PENDING");
  const api = repoApi(urls, repository);
  return ok({
    state: isBad ? "failure" : isPending ? "pending" : "success",
    statuses: statuses.map((one) => statusView(urls, one)),
    sha,
    total_count: statuses.length,
    repository: minimalRepository(urls, repository),
    commit_url: `${api}/commits/${sha}`,
    url: `${api}/commits/${sha}/status`,
  });
}

function createStatus(call: RestCall): Reply {
  const { store, viewer, repository, body, urls } = call;
  need(viewer, repository, "WRITE");
  const states = ["SUCCESS", "FAILURE", "PENDING", "ERROR"] as const;
  const state = states.find((one) => one === body.text("state")?.toUpperCase());
  if (state === undefined) throw invalid({ resource: "Status", field: "state", code: "custom" });
  const status = store.create<CommitStatus>("StatusContext", {
    repository,
    sha: requestedCommit(call, call.param("sha")).oid,
    state,
    context: body.text("context") ?? "default",
    description: body.text("description") ?? null,
    targetUrl: body.text("target_url") ?? null,
    creator: viewer,
  });
  repository.statuses.push(status);
  store.count("createStatus");
  return created({ ...statusView(urls, status), creator: simpleUser(urls, viewer) });
}

function annotations(call: RestCall): Reply {
  const all = call.repository.checkSuites.flatMap(({ checkRuns }) => checkRuns);
  const check = call.pick(all, "check_run_id");
  const html = `${repoHtml(call.urls, call.repository)}/blob/${check.suite.headSha}`;
  return listReply(call, check.annotations, ({ path, line, level, message }) => ({
    path,
    start_line: line,
    end_line: line,
    start_column: null,
    end_column: null,
    annotation_level: level.toLowerCase(),
    title: "",
    message,
    raw_details: "",
    blob_href: `${html}/${path}`,
  }));
}

const REPO = "/repos/{owner}/{repo}";

export const checkRoutes: Routes = {
  [`GET ${REPO}/commits/{ref}/check-runs`]: (call) =>
    listRuns(call, getCheckRuns(call.repository, findSha(call))),
  [`GET ${REPO}/commits/{ref}/check-suites`]: (call) => {
    const sha = findSha(call);
    const suites = call.repository.checkSuites.filter(({ headSha }) => headSha === sha);
    return countedReply(call, "check_suites", suites, (one) => suiteView(call, one));
  },
  [`GET ${REPO}/commits/{ref}/status`]: combined,
  [`GET ${REPO}/commits/{ref}/statuses`]: (call) => {
    const sha = findSha(call);
    const all = call.repository.statuses.filter((one) => one.sha === sha).toReversed();
    return listReply(call, all, (one) => ({
      ...statusView(call.urls, one),
      creator: simpleUser(call.urls, one.creator),
    }));
  },
  [`POST ${REPO}/statuses/{sha}`]: createStatus,
  [`GET ${REPO}/check-runs/{check_run_id}`]: (call) => {
    const all = call.repository.checkSuites.flatMap(({ checkRuns }) => checkRuns);
    return ok(checkRunView(call.urls, call.pick(all, "check_run_id")));
  },
  [`GET ${REPO}/check-runs/{check_run_id}/annotations`]: annotations,
  [`GET ${REPO}/check-suites/{check_suite_id}`]: (call) =>
    ok(suiteView(call, call.pick(call.repository.checkSuites, "check_suite_id"))),
  [`GET ${REPO}/check-suites/{check_suite_id}/check-runs`]: (call) =>
    listRuns(call, call.pick(call.repository.checkSuites, "check_suite_id").checkRuns),
};
