import type {
  App,
  Artifact,
  CheckRun,
  CheckSuite,
  CommitStatus,
  Workflow,
  Organization,
  WorkflowRun,
} from "../../store/model.ts";
import { getJobs, overallProgress } from "../../store/facts.ts";
import { getDigest } from "./digest.ts";
import { encodePath, simpleCommit } from "./git.ts";
import { checkRunHtml, jobHtml, repoApi, repoHtml, runHtml } from "../../urls.ts";
import type { Urls } from "../../urls.ts";
import { simpleUser } from "./account.ts";
import { minimalRepository } from "./repository.ts";
import type { Asked } from "./repository.ts";

export function workflowView(urls: Urls, workflow: Workflow): Record<string, unknown> {
  const { repository, path } = workflow;
  const html = repoHtml(urls, repository);
  return {
    id: workflow.id,
    node_id: workflow.nodeId,
    name: workflow.name,
    path,
    state: workflow.state,
    created_at: workflow.createdAt,
    updated_at: workflow.updatedAt,
    url: `${repoApi(urls, repository)}/actions/workflows/${workflow.id}`,
    html_url: `${html}/blob/${repository.defaultBranch}/${encodePath(path)}`,
    badge_url: `${html}/workflows/${encodeURIComponent(workflow.name)}/badge.svg`,
  };
}

export function getAddresses(urls: Urls, run: WorkflowRun): Record<string, string | null> {
  const repository = repoApi(urls, run.repository);
  const api = `${repository}/actions/runs/${run.id}`;
  return {
    url: api,
    html_url: runHtml(urls, run),
    jobs_url: `${api}/jobs`,
    logs_url: `${api}/logs`,
    check_suite_url: `${repository}/check-suites/${run.suite.id}`,
    artifacts_url: `${api}/artifacts`,
    cancel_url: `${api}/cancel`,
    rerun_url: `${api}/rerun`,
    previous_attempt_url: run.attempt > 1 ? `${api}/attempts/${run.attempt - 1}` : null,
    workflow_url: `${repository}/actions/workflows/${run.workflow.id}`,
  };
}

export function runView(
  { store, urls }: Asked,
  run: WorkflowRun,
  attempt = run.attempt,
): Record<string, unknown> {
  const { status, conclusion } = overallProgress(getJobs(run, attempt));
  const commit = store.objects.commit(run.headSha);
  const repository = minimalRepository(urls, run.repository);
  return {
    id: run.id,
    node_id: run.nodeId,
    name: run.workflow.name,
    display_title: run.title,
    head_branch: run.headBranch,
    head_sha: run.headSha,
    path: run.workflow.path,
    run_number: run.number,
    run_attempt: attempt,
    event: run.event,
    status: status.toLowerCase(),
    conclusion: conclusion?.toLowerCase() ?? null,
    workflow_id: run.workflow.id,
    check_suite_id: run.suite.id,
    check_suite_node_id: run.suite.nodeId,
    ...getAddresses(urls, run),
    pull_requests: [],
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    run_started_at: run.startedAt,
    actor: simpleUser(urls, run.actor),
    triggering_actor: simpleUser(urls, run.triggeredBy),
    head_commit: commit === undefined ? null : simpleCommit(commit),
    repository,
    head_repository: repository,
  };
}

export function jobView(urls: Urls, run: WorkflowRun, job: CheckRun): Record<string, unknown> {
  const repository = repoApi(urls, run.repository);
  return {
    id: job.id,
    run_id: run.id,
    workflow_name: run.workflow.name,
    head_branch: run.headBranch,
    run_url: `${repository}/actions/runs/${run.id}`,
    run_attempt: job.attempt,
    node_id: job.nodeId,
    head_sha: run.headSha,
    url: `${repository}/actions/jobs/${job.id}`,
    html_url: jobHtml(urls, run, job),
    status: job.status.toLowerCase(),
    conclusion: job.conclusion?.toLowerCase() ?? null,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    name: job.name,
    steps: job.steps.map((step) => ({
      name: step.name,
      status: step.status.toLowerCase(),
      conclusion: step.conclusion?.toLowerCase() ?? null,
      number: step.number,
      started_at: step.startedAt,
      completed_at: step.completedAt,
    })),
    check_run_url: `${repository}/check-runs/${job.id}`,
    labels: ["ubuntu-latest"],
    runner_id: null,
    runner_name: null,
    runner_group_id: null,
    runner_group_name: null,
  };
}

export function artifactView(urls: Urls, artifact: Artifact): Record<string, unknown> {
  const { run } = artifact;
  const api = `${repoApi(urls, run.repository)}/actions/artifacts/${artifact.id}`;
  return {
    id: artifact.id,
    node_id: artifact.nodeId,
    name: artifact.name,
    size_in_bytes: artifact.content.length,
    url: api,
    archive_download_url: `${api}/zip`,
    expired: false,
    created_at: artifact.createdAt,
    updated_at: artifact.updatedAt,
    expires_at: artifact.expiresAt,
    digest: getDigest(artifact),
    workflow_run: {
      id: run.id,
      repository_id: run.repository.id,
      head_repository_id: run.repository.id,
      head_branch: run.headBranch,
      head_sha: run.headSha,
    },
  };
}

/** The owner of the GitHub Actions app. */
const GITHUB: Organization = {
  type: "Organization",
  id: 9919,
  nodeId: "MDEyOk9yZ2FuaXphdGlvbjk5MTk=",
  createdAt: "2008-05-11T04:37:31Z",
  updatedAt: "2008-05-11T04:37:31Z",
  login: "github",
  name: "GitHub",
  description: null,
  members: [],
  issueTypes: [],
};

function appView(urls: Urls, app: App): Record<string, unknown> {
  return {
    id: app.id,
    slug: app.slug,
    node_id: app.nodeId,
    owner: simpleUser(urls, GITHUB),
    name: app.name,
    description: null,
    external_url: "https://help.github.com/en/actions",
    html_url: `${urls.html}/apps/${app.slug}`,
    created_at: app.createdAt,
    updated_at: app.createdAt,
    permissions: { checks: "write" },
    events: [],
  };
}

export function checkRunView(urls: Urls, check: CheckRun): Record<string, unknown> {
  const { suite } = check;
  const api = `${repoApi(urls, suite.repository)}/check-runs/${check.id}`;
  const html = checkRunHtml(urls, check);
  return {
    id: check.id,
    name: check.name,
    node_id: check.nodeId,
    head_sha: suite.headSha,
    external_id: "",
    url: api,
    html_url: html,
    details_url: check.detailsUrl ?? html,
    status: check.status.toLowerCase(),
    conclusion: check.conclusion?.toLowerCase() ?? null,
    started_at: check.startedAt,
    completed_at: check.completedAt,
    output: {
      title: null,
      summary: check.summary,
      text: null,
      annotations_count: check.annotations.length,
      annotations_url: `${api}/annotations`,
    },
    check_suite: { id: suite.id },
    app: appView(urls, suite.app),
    pull_requests: [],
  };
}

export function suiteView({ store, urls }: Asked, suite: CheckSuite): Record<string, unknown> {
  const { status, conclusion } = overallProgress(suite.checkRuns);
  const api = `${repoApi(urls, suite.repository)}/check-suites/${suite.id}`;
  return {
    id: suite.id,
    node_id: suite.nodeId,
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    status: status.toLowerCase(),
    conclusion: conclusion?.toLowerCase() ?? null,
    url: api,
    before: null,
    after: suite.headSha,
    pull_requests: [],
    app: appView(urls, suite.app),
    repository: minimalRepository(urls, suite.repository),
    created_at: suite.createdAt,
    updated_at: suite.updatedAt,
    head_commit: simpleCommit(store.objects.commit(suite.headSha)!),
    latest_check_runs_count: suite.checkRuns.length,
    check_runs_url: `${api}/check-runs`,
  };
}

export function statusView(urls: Urls, status: CommitStatus): Record<string, unknown> {
  return {
    url: `${repoApi(urls, status.repository)}/statuses/${status.sha}`,
    avatar_url: null,
    id: status.id,
    node_id: status.nodeId,
    state: status.state.toLowerCase(),
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.updatedAt,
  };
}
