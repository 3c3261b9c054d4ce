import { need } from "../access.ts";
import { branchOid, findCommit } from "../commits.ts";
import { StoreError, forbidden } from "../errors.ts";
import { getJobs, overallProgress } from "../facts.ts";
import type {
  CheckRun,
  CheckSuite,
  Conclusion,
  Repository,
  User,
  Workflow,
  WorkflowRun,
} from "../model.ts";
import type { Store } from "../store.ts";

export interface NewRun {
  readonly branch: string;
  readonly sha: string;
  readonly event: string;
  readonly title?: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

/** Creates a run with its check suite. The caller adds the jobs. */
export function startRun(
  store: Store,
  actor: User,
  workflow: Workflow,
  input: NewRun,
): WorkflowRun {
  const { repository } = workflow;
  const suite = addSuite(store, repository, input.sha, input.branch);
  const run = store.create<WorkflowRun>("WorkflowRun", {
    workflow,
    repository,
    suite,
    actor,
    triggeredBy: actor,
    artifacts: [],
    attempt: 1,
    inputs: input.inputs ?? {},
    number: repository.runs.filter((one) => one.workflow === workflow).length + 1,
    event: input.event,
    headBranch: input.branch,
    headSha: input.sha,
    title: input.title ?? workflow.name,
    startedAt: store.now(),
  });
  suite.run = run;
  repository.runs.push(run);
  return run;
}

function addSuite(
  store: Store,
  repository: Repository,
  headSha: string,
  headBranch: string,
): CheckSuite {
  const [app] = store.apps;
  if (app === undefined)
    throw new Error("The emulator's data has no app. Create one before runs and checks");
  const facts = { repository, headSha, headBranch, app, run: null, checkRuns: [] };
  const suite = store.create<CheckSuite>("CheckSuite", facts);
  repository.checkSuites.push(suite);
  return suite;
}

/** Queues a job. The emulator has no runners, so it stays queued. */
export function queueJob(store: Store, run: WorkflowRun, name: string): CheckRun {
  const job = store.create<CheckRun>("CheckRun", {
    suite: run.suite,
    name,
    steps: [],
    annotations: [],
    attempt: run.attempt,
    status: "QUEUED",
    conclusion: null,
    startedAt: store.now(),
    completedAt: null,
    detailsUrl: null,
    summary: null,
  });
  run.suite.checkRuns.push(job);
  return job;
}

export function dispatchWorkflow(
  store: Store,
  actor: User,
  workflow: Workflow,
  { ref, inputs }: { readonly ref: string; readonly inputs: Readonly<Record<string, string>> },
): WorkflowRun {
  const { repository } = workflow;
  need(actor, repository, "WRITE");
  if (workflow.state !== "active")
    throw forbidden("Cannot trigger a 'workflow_dispatch' on a disabled workflow");
  const branch = ref.replace(/^refs\/(heads|tags)\//, "");
  if (branchOid(repository, branch) === undefined && !repository.refs.has(`refs/tags/${branch}`)) {
    throw new StoreError("UNPROCESSABLE", `No ref found for: ${ref}`);
  }
  const text = fileAt(store, repository, branch, workflow.path);
  if (!/^\s*workflow_dispatch:?/m.test(text)) {
    throw new StoreError("UNPROCESSABLE", "Workflow does not have 'workflow_dispatch' trigger");
  }
  checkInputs(text, inputs);
  const sha = findCommit(store, repository, branch).oid;
  const run = startRun(store, actor, workflow, { branch, sha, event: "workflow_dispatch", inputs });
  for (const name of jobNames(text)) queueJob(store, run, name);
  store.count("dispatchWorkflow");
  return run;
}

function fileAt(store: Store, repository: Repository, ref: string, path: string): string {
  const oid = store.objects.filesAt(findCommit(store, repository, ref).oid).get(path);
  return oid === undefined ? "" : store.objects.blob(oid)!.toString("utf8");
}

function depth(line: string): number {
  return line.length - line.trimStart().length;
}

/** The keys below a key of a workflow file. Works for simple files with an indent of two spaces. */
function keysBelow(text: string, key: string, indent: number): string[] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trim() === `${key}:`);
  if (start < 0) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim() !== "" && depth(line) < indent);
  return rest
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => depth(line) === indent && /^[\w-]+:/.test(line.trim()))
    .map((line) => line.trim().split(":")[0]!);
}

function jobNames(text: string): string[] {
  return keysBelow(text, "jobs", 2);
}

function checkInputs(text: string, inputs: Readonly<Record<string, string>>): void {
  const known = keysBelow(text, "inputs", 6);
  const unknown = Object.keys(inputs).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new StoreError("UNPROCESSABLE", `Unexpected inputs provided: ${JSON.stringify(unknown)}`);
  }
}

export function cancelRun(store: Store, actor: User, run: WorkflowRun): void {
  need(actor, run.repository, "WRITE");
  if (overallProgress(getJobs(run)).status === "COMPLETED") {
    throw new StoreError("CONFLICT", "Cannot cancel a workflow run that is completed.");
  }
  for (const job of getJobs(run)) {
    if (job.status === "COMPLETED") continue;
    const end = { status: "COMPLETED", conclusion: "CANCELLED", completedAt: store.now() } as const;
    for (const step of job.steps) if (step.status !== "COMPLETED") Object.assign(step, end);
    Object.assign(job, end);
  }
  store.touch(run);
  store.count("cancelRun");
}

/** Finishes the remaining jobs of a run, as a runner would. */
export function finishRun(store: Store, run: WorkflowRun, conclusion: Conclusion): void {
  for (const job of getJobs(run)) {
    if (job.status === "COMPLETED") continue;
    Object.assign(job, { status: "COMPLETED", conclusion, completedAt: store.now() });
  }
  store.touch(run);
}

/** Starts a new attempt. Jobs that run again are queued; the others are copied. */
export function rerun(
  store: Store,
  actor: User,
  run: WorkflowRun,
  isWanted: (job: CheckRun) => boolean = () => true,
): void {
  need(actor, run.repository, "WRITE");
  if (overallProgress(getJobs(run)).status !== "COMPLETED") {
    throw forbidden("This workflow is already running");
  }
  const jobs = getJobs(run);
  if (!jobs.some(isWanted)) throw forbidden("This workflow run cannot be retried");
  run.attempt += 1;
  run.triggeredBy = actor;
  run.startedAt = store.now();
  for (const job of jobs) {
    if (isWanted(job)) queueJob(store, run, job.name);
    else
      run.suite.checkRuns.push(
        store.create<CheckRun>("CheckRun", { ...job, attempt: run.attempt }),
      );
  }
  store.touch(run);
  store.count("rerun");
}

export function deleteRun(store: Store, actor: User, run: WorkflowRun): void {
  need(actor, run.repository, "WRITE");
  const { runs, checkSuites } = run.repository;
  runs.splice(runs.indexOf(run), 1);
  checkSuites.splice(checkSuites.indexOf(run.suite), 1);
  store.forget(run, run.suite, ...run.suite.checkRuns, ...run.artifacts);
  store.count("deleteRun");
}

export function setWorkflowState(
  store: Store,
  actor: User,
  workflow: Workflow,
  state: Workflow["state"],
): void {
  need(actor, workflow.repository, "WRITE");
  workflow.state = state;
  store.touch(workflow);
  store.count(state === "active" ? "enableWorkflow" : "disableWorkflow");
}
