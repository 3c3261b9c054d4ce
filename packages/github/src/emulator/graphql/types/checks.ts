import { getJobs, overallProgress } from "../../store/facts.ts";
import type {
  Annotation,
  App,
  CheckRun,
  CheckSuite,
  CommitStatus,
  Repository,
  Workflow,
  WorkflowRun,
} from "../../store/model.ts";
import { getCheckRuns, rollupState, getStatuses } from "../../store/pull-facts.ts";
import { findPull } from "../../store/find.ts";
import { checkRunHtml, repoHtml, runHtml } from "../../urls.ts";
import { paged } from "../connection.ts";
import type { Paged } from "../connection.ts";
import type { Context, Fields, TypeFields } from "../context.ts";
import type { Input } from "../../input.ts";
import { entityFields, urlPath } from "./common.ts";
import { branchNode, commitNode } from "./git-nodes.ts";

interface AtCommit {
  readonly repository: Repository;
  readonly oid: string;
  readonly nodeId?: string;
}

function counts(states: readonly string[]): { readonly state: string; readonly count: number }[] {
  return [...new Set(states)].map((state) => ({
    state,
    count: states.filter((one) => one === state).length,
  }));
}

function contexts({ repository, oid }: AtCommit): Paged {
  const runs = getCheckRuns(repository, oid);
  const statuses = getStatuses(repository, oid);
  return paged([...runs, ...statuses], {
    checkRunCount: runs.length,
    checkRunCountsByState: counts(runs.map(({ conclusion, status }) => conclusion ?? status)),
    statusContextCount: statuses.length,
    statusContextCountsByState: counts(statuses.map(({ state }) => state)),
  });
}

const rollupFields: Fields<AtCommit> = {
  id: ({ nodeId }) => nodeId,
  state: ({ repository, oid }) => rollupState(repository, oid),
  commit: ({ repository, oid }, _args, { store }) => commitNode(store, repository, oid),
  contexts,
};

const statusFields: Fields<AtCommit> = {
  id: ({ oid }) => `SC_${oid}`,
  commit: ({ repository, oid }, _args, { store }) => commitNode(store, repository, oid),
  contexts: ({ repository, oid }) => getStatuses(repository, oid),
  context: ({ repository, oid }, args) =>
    getStatuses(repository, oid).find(({ context }) => context === args.text("name")) ?? null,
  combinedContexts: contexts,
  state: ({ repository, oid }) => {
    const states = getStatuses(repository, oid).map(({ state }) => state);
    return (
      states.find((one) => one === "FAILURE" || one === "ERROR") ??
      (states.includes("PENDING") ? "PENDING" : "SUCCESS")
    );
  },
};

/** Whether a pull request, given by id or number, needs this check before it can be merged. */
function isRequired(
  name: string,
  repository: Repository,
  args: Input,
  { store }: Context,
): boolean {
  const id = args.text("pullRequestId");
  const number = args.number("pullRequestNumber");
  const node = id === undefined ? undefined : store.node(id);
  const pull = [...repository.issues.values()].find((one) => one === node);
  const found = pull ?? (number === undefined ? undefined : findPull(repository, number));
  const base = found?.type === "PullRequest" ? found.baseRef : repository.defaultBranch;
  return repository.protections.get(base)?.requiredChecks.includes(name) ?? false;
}

const checkRunFields: Fields<CheckRun> = {
  ...entityFields,
  name: ({ name }) => name,
  status: ({ status }) => status,
  conclusion: ({ conclusion }) => conclusion,
  startedAt: ({ startedAt }) => startedAt,
  completedAt: ({ completedAt }) => completedAt,
  detailsUrl: (check, _args, { urls }) => check.detailsUrl ?? checkRunHtml(urls, check),
  permalink: (check, _args, { urls }) => checkRunHtml(urls, check),
  url: (check, _args, { urls }) => checkRunHtml(urls, check),
  resourcePath: (check, _args, { urls }) => urlPath(checkRunHtml(urls, check)),
  externalId: () => "",
  title: () => null,
  summary: ({ summary }) => summary,
  text: () => null,
  checkSuite: ({ suite }) => suite,
  repository: ({ suite }) => suite.repository,
  isRequired: ({ name, suite }, args, context) => isRequired(name, suite.repository, args, context),
  deployment: () => null,
  pendingDeploymentRequest: () => null,
  annotations: ({ annotations, suite }) =>
    annotations.map((annotation) => ({ type: "CheckAnnotation", annotation, suite })),
  steps: ({ steps }) =>
    steps.map(({ name, number, status, conclusion, startedAt, completedAt }) => ({
      name,
      number,
      status,
      conclusion,
      startedAt,
      completedAt,
      externalId: null,
      secondsToCompletion:
        completedAt === null ? null : (Date.parse(completedAt) - Date.parse(startedAt)) / 1000,
    })),
};

interface AnnotationNode {
  readonly annotation: Annotation;
  readonly suite: CheckSuite;
}

const annotationFields: Fields<AnnotationNode> = {
  annotationLevel: ({ annotation }) => annotation.level,
  message: ({ annotation }) => annotation.message,
  path: ({ annotation }) => annotation.path,
  title: () => null,
  rawDetails: () => null,
  databaseId: () => null,
  blobUrl: ({ annotation, suite }, _args, { urls }) =>
    `${repoHtml(urls, suite.repository)}/blob/${suite.headSha}/${annotation.path}`,
  location: ({ annotation: { line } }) => ({
    start: { line, column: null },
    end: { line, column: null },
  }),
};

function suiteUrl({ urls }: Context, { repository, headSha, id }: CheckSuite): string {
  return `${repoHtml(urls, repository)}/commit/${headSha}/checks?check_suite_id=${id}`;
}

const suiteFields: Fields<CheckSuite> = {
  ...entityFields,
  status: ({ checkRuns }) => overallProgress(checkRuns).status,
  conclusion: (suite) =>
    overallProgress(suite.run === null ? suite.checkRuns : getJobs(suite.run)).conclusion,
  app: ({ app }) => ({ type: "App", app }),
  branch: ({ repository, headBranch }) => branchNode(repository, headBranch),
  commit: ({ repository, headSha }, _args, { store }) => commitNode(store, repository, headSha),
  checkRuns: ({ run, checkRuns }) => (run === null ? checkRuns : getJobs(run)),
  creator: ({ run }) => run?.actor ?? null,
  push: () => null,
  repository: ({ repository }) => repository,
  workflowRun: ({ run }) => run,
  url: (suite, _args, context) => suiteUrl(context, suite),
  resourcePath: (suite, _args, context) => urlPath(suiteUrl(context, suite)),
};

const appFields: Fields<{ readonly app: App }> = {
  id: ({ app }) => app.nodeId,
  databaseId: ({ app }) => app.id,
  name: ({ app }) => app.name,
  slug: ({ app }) => app.slug,
  description: () => null,
  createdAt: ({ app }) => app.createdAt,
  updatedAt: ({ app }) => app.createdAt,
  url: ({ app }, _args, { urls }) => `${urls.html}/apps/${app.slug}`,
};

const contextFields: Fields<CommitStatus> = {
  ...entityFields,
  context: ({ context }) => context,
  state: ({ state }) => state,
  description: ({ description }) => description,
  targetUrl: ({ targetUrl }) => targetUrl,
  creator: ({ creator }) => creator,
  avatarUrl: () => null,
  commit: ({ repository, sha }, _args, { store }) => commitNode(store, repository, sha),
  isRequired: ({ context, repository }, args, own) => isRequired(context, repository, args, own),
};

const runFields: Fields<WorkflowRun> = {
  ...entityFields,
  event: ({ event }) => event,
  runNumber: ({ number }) => number,
  checkSuite: ({ suite }) => suite,
  workflow: ({ workflow }) => workflow,
  url: (run, _args, { urls }) => runHtml(urls, run),
  resourcePath: (run, _args, { urls }) => urlPath(runHtml(urls, run)),
  deploymentReviews: () => [],
  pendingDeploymentRequests: () => [],
};

function workflowUrl({ urls }: Context, { repository, path }: Workflow): string {
  return `${repoHtml(urls, repository)}/actions/workflows/${path.split("/").at(-1) ?? ""}`;
}

const workflowFields: Fields<Workflow> = {
  ...entityFields,
  name: ({ name }) => name,
  state: ({ state }) => state.toUpperCase(),
  runs: (workflow) =>
    workflow.repository.runs.filter((run) => run.workflow === workflow).toReversed(),
  url: (workflow, _args, context) => workflowUrl(context, workflow),
  resourcePath: (workflow, _args, context) => urlPath(workflowUrl(context, workflow)),
};

export const checkTypes: TypeFields = {
  StatusCheckRollup: rollupFields,
  Status: statusFields,
  CheckRun: checkRunFields,
  CheckAnnotation: annotationFields,
  CheckSuite: suiteFields,
  App: appFields,
  StatusContext: contextFields,
  WorkflowRun: runFields,
  Workflow: workflowFields,
};
