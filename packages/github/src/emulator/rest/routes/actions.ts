import { StoreError, invalid } from "../../store/errors.ts";
import { getJobs, overallProgress, nameWithOwner } from "../../store/facts.ts";
import type { CheckRun, Repository, Workflow, WorkflowRun } from "../../store/model.ts";
import * as runs from "../../store/mutations/runs.ts";
import { isWithin } from "../../store/search-query.ts";
import type { RestCall, Routes } from "../call.ts";
import { countedReply } from "../pages.ts";
import { json, noContent, ok, redirect } from "../reply.ts";
import type { Reply } from "../reply.ts";
import { getAddresses, artifactView, jobView, runView, workflowView } from "../views/actions.ts";

function findWorkflow(call: RestCall): Workflow {
  const id = call.param("workflow_id");
  const found = call.repository.workflows.find(
    (one) => String(one.id) === id || one.path.split("/").at(-1) === id || one.path === id,
  );
  if (found === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return found;
}

function findRun(call: RestCall): WorkflowRun {
  return call.pick(call.repository.runs, "run_id");
}

function findJob(call: RestCall): { readonly run: WorkflowRun; readonly job: CheckRun } {
  const all = call.repository.runs.flatMap((run) =>
    run.suite.checkRuns.map((job) => ({ run, job })),
  );
  const found = all.find(({ job }) => job.id === call.id("job_id"));
  if (found === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return found;
}

/** The query parameter `status` may be a status or a conclusion. */
function isWanted(call: RestCall, run: WorkflowRun): boolean {
  const { status, conclusion } = overallProgress(getJobs(run));
  const asks = (name: string, test: (value: string) => boolean): boolean => {
    const value = call.query(name);
    return value === undefined || value === "" || test(value);
  };
  return (
    asks("branch", (value) => run.headBranch === value) &&
    asks("event", (value) => run.event === value) &&
    asks("actor", (value) => run.actor.login === value) &&
    asks("head_sha", (value) => run.headSha === value) &&
    asks("check_suite_id", (value) => String(run.suite.id) === value) &&
    asks("created", (value) => isWithin(run.createdAt, value)) &&
    asks("status", (value) => [status.toLowerCase(), conclusion?.toLowerCase()].includes(value))
  );
}

function listRuns(call: RestCall, all: readonly WorkflowRun[]): Reply {
  const kept = all.filter((one) => isWanted(call, one)).toSorted((a, b) => b.id - a.id);
  return countedReply(call, "workflow_runs", kept, (one) => runView(call, one));
}

function findAttempt(call: RestCall, run: WorkflowRun): number {
  const attempt = call.id("attempt_number");
  if (attempt < 1 || attempt > run.attempt) throw new StoreError("NOT_FOUND", "Not Found");
  return attempt;
}

function listJobs(call: RestCall, run: WorkflowRun, jobs: readonly CheckRun[]): Reply {
  return countedReply(call, "jobs", jobs, (one) => jobView(call.urls, run, one));
}

/** Redirects to the storage host, where no token is needed. */
function stored(call: RestCall, path: string): Reply {
  return redirect(302, `${call.urls.storage}/${nameWithOwner(call.repository)}/${path}`);
}

function findLogs(call: RestCall): Reply {
  const { job } = findJob(call);
  if (job.status !== "COMPLETED" && job.steps.length === 0)
    throw new StoreError("NOT_FOUND", "Not Found");
  return stored(call, `logs/jobs/${job.id}`);
}

function dispatch(call: RestCall): Reply {
  const { store, viewer, body } = call;
  const ref = body.text("ref");
  if (ref === undefined)
    throw invalid({ resource: "Workflow", field: "ref", code: "missing_field" });
  const given = body.child("inputs");
  const inputs = Object.fromEntries(given.names().map((name) => [name, String(given.raw(name))]));
  const run = runs.dispatchWorkflow(store, viewer, findWorkflow(call), { ref, inputs });
  if (body.flag("return_run_details") !== true) return noContent;
  const { url, html_url } = getAddresses(call.urls, run);
  return ok({ workflow_run_id: run.id, run_url: url, html_url });
}

function isFailed({ conclusion }: CheckRun): boolean {
  return conclusion !== "SUCCESS" && conclusion !== "SKIPPED" && conclusion !== "NEUTRAL";
}

function getArtifacts({ runs: all }: Repository) {
  return all.flatMap(({ artifacts }) => artifacts).toSorted((a, b) => b.id - a.id);
}

function listArtifacts(call: RestCall, all: ReturnType<typeof getArtifacts>): Reply {
  const name = call.query("name");
  const kept = name === undefined ? all : all.filter((one) => one.name === name);
  return countedReply(call, "artifacts", kept, (one) => artifactView(call.urls, one));
}

const ACTIONS = "/repos/{owner}/{repo}/actions";
const RUN = `${ACTIONS}/runs/{run_id}`;
const WORKFLOW = `${ACTIONS}/workflows/{workflow_id}`;

export const actionRoutes: Routes = {
  [`GET ${ACTIONS}/workflows`]: (call) =>
    countedReply(call, "workflows", call.repository.workflows, (one) =>
      workflowView(call.urls, one),
    ),
  [`GET ${WORKFLOW}`]: (call) => ok(workflowView(call.urls, findWorkflow(call))),
  [`GET ${WORKFLOW}/runs`]: (call) => {
    const workflow = findWorkflow(call);
    return listRuns(
      call,
      call.repository.runs.filter((one) => one.workflow === workflow),
    );
  },
  [`POST ${WORKFLOW}/dispatches`]: dispatch,
  [`PUT ${WORKFLOW}/enable`]: (call) => {
    runs.setWorkflowState(call.store, call.viewer, findWorkflow(call), "active");
    return noContent;
  },
  [`PUT ${WORKFLOW}/disable`]: (call) => {
    runs.setWorkflowState(call.store, call.viewer, findWorkflow(call), "disabled_manually");
    return noContent;
  },
  [`GET ${ACTIONS}/runs`]: (call) => listRuns(call, call.repository.runs),
  [`GET ${RUN}`]: (call) => ok(runView(call, findRun(call))),
  [`DELETE ${RUN}`]: (call) => {
    runs.deleteRun(call.store, call.viewer, findRun(call));
    return noContent;
  },
  [`GET ${RUN}/attempts/{attempt_number}`]: (call) => {
    const run = findRun(call);
    return ok(runView(call, run, findAttempt(call, run)));
  },
  [`GET ${RUN}/attempts/{attempt_number}/jobs`]: (call) => {
    const run = findRun(call);
    return listJobs(call, run, getJobs(run, findAttempt(call, run)));
  },
  [`GET ${RUN}/attempts/{attempt_number}/logs`]: (call) => {
    const run = findRun(call);
    return stored(call, `logs/runs/${run.id}?attempt=${findAttempt(call, run)}`);
  },
  [`GET ${RUN}/jobs`]: (call) => {
    const run = findRun(call);
    return listJobs(call, run, call.query("filter") === "all" ? run.suite.checkRuns : getJobs(run));
  },
  [`GET ${RUN}/logs`]: (call) => stored(call, `logs/runs/${findRun(call).id}`),
  [`GET ${RUN}/artifacts`]: (call) => listArtifacts(call, findRun(call).artifacts),
  [`POST ${RUN}/cancel`]: (call) => {
    runs.cancelRun(call.store, call.viewer, findRun(call));
    return json(202, {});
  },
  [`POST ${RUN}/rerun`]: (call) => {
    runs.rerun(call.store, call.viewer, findRun(call));
    return json(201, {});
  },
  [`POST ${RUN}/rerun-failed-jobs`]: (call) => {
    runs.rerun(call.store, call.viewer, findRun(call), isFailed);
    return json(201, {});
  },
  [`GET ${ACTIONS}/jobs/{job_id}`]: (call) => {
    const { run, job } = findJob(call);
    return ok(jobView(call.urls, run, job));
  },
  [`GET ${ACTIONS}/jobs/{job_id}/logs`]: findLogs,
  [`POST ${ACTIONS}/jobs/{job_id}/rerun`]: (call) => {
    const { run, job } = findJob(call);
    runs.rerun(call.store, call.viewer, run, (one) => one === job);
    return json(201, {});
  },
  [`GET ${ACTIONS}/artifacts`]: (call) => listArtifacts(call, getArtifacts(call.repository)),
  [`GET ${ACTIONS}/artifacts/{artifact_id}`]: (call) =>
    ok(artifactView(call.urls, call.pick(getArtifacts(call.repository), "artifact_id"))),
  [`GET ${ACTIONS}/artifacts/{artifact_id}/{archive_format}`]: (call) =>
    stored(call, `artifacts/${call.pick(getArtifacts(call.repository), "artifact_id").id}`),
};
