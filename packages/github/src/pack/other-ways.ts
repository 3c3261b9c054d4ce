import { camelCased } from "./reading.ts";
import { refuseInput } from "./refuse-input.ts";

/**
 * The next step for inputs of `gh`, GitHub's REST API or its MCP server that a capability does not
 * have.
 */
type Steps = Readonly<Record<string, string>>;

const SELECT = "choose fields with the option select";
const CURSOR = "pass the cursor of the previous page as after";
const BROWSER = "leave it out: nothing is opened in a browser, and the answer has the url";
const LOCAL = "leave it out: Waybill changes only files on GitHub; use git for local files";
const PROJECT =
  "use project_v2.items.issue.add with the url of the issue or pull request and the number of the project, which project_v2.list shows";

/** Next steps that are the same for every capability. */
const ANYWHERE: Steps = {
  bodyFile: "write body=@FILE",
  checkout: LOCAL,
  clobber: LOCAL,
  clone: LOCAL,
  dir: LOCAL,
  dryRun: "use the option dry_run",
  editor: "pass the text itself",
  exitStatus: "read the conclusion in the answer",
  fields: SELECT,
  fieldNames: SELECT,
  include: "it is an option, as in --include comments",
  includeAllBranches: LOCAL,
  jq: SELECT,
  json: SELECT,
  method: "leave it out: each method is a separate capability",
  minimalOutput: SELECT,
  notesFile: "write notes=@FILE",
  output: LOCAL,
  page: CURSOR,
  push: LOCAL,
  recover: "leave it out, and pass all inputs again: Waybill does not keep those of a failed call",
  remote: LOCAL,
  remoteName: LOCAL,
  skipExisting: LOCAL,
  template: SELECT,
  web: BROWSER,
};

const GIST_FILES = 'write files={"NAME": {"content": "text"}}';
const ITEM_URL = "write issueUrl=https://github.com/OWNER/NAME/issues/NUMBER";
const FIELD_BY_REST = "use github.projects.add-field-for-org";
const FOR_ORGS =
  "use the operations of GitHub's REST API for it: search for organization, environment or dependabot";
const ALL_TOPICS =
  "use github.repos.replace-all-topics with every topic in names; github.repos.get-all-topics shows the current ones";
const RAW_REPO = "use github.repos.update, which takes every setting of a repository";
const RAW_CREATE = "use github.repos.create-for-authenticated-user or github.repos.create-in-org";
const RAW_RELEASE = "use github.repos.create-release or github.repos.update-release";
const REPOS_BY_REST =
  "use github.repos.list-for-org, github.repos.list-for-user or github.repos.list-for-authenticated-user";

function subscriptionStep(remove: string): string {
  return `pass ignored=true to ignore, or ignored=false to watch; ${remove} removes the subscription`;
}

const RUN_FILTERS = "use github.actions.list-workflow-runs-for-repo";

/** Next steps by capability id or prefix. The longest matching prefix is used. */
const BY_ID: Readonly<Record<string, Steps>> = {
  "discussion.list": {
    orderBy: "use github.graphql with discussions(orderBy:)",
    direction: "use github.graphql with discussions(orderBy:)",
  },
  "file.commit": {
    path: "pass path and content together, or files",
    content: "pass path and content together, or files",
    sha: "leave it out: Waybill looks it up; pass expectedHead to refuse the commit if the branch has moved",
    allowSymlinkWrite: "use github.repos.create-or-update-file-contents",
  },
  "gist.create": {
    filename: "write filename=NAME content=@NAME for a file, or content=TEXT",
    content: 'write files={"NAME": "text"}',
  },
  "gist.list": {
    since: "use github.gists.list",
    public: "filter the answer by isPublic",
    secret: "filter the answer by isPublic",
  },
  "issue.agents.assign": {
    confidence: "leave it out: GitHub's API has no such input",
    isSuggestion: "leave it out: GitHub's API has no such input",
    rationale: "leave it out: GitHub's API has no such input",
    baseRef: "use github.issues.add-assignees with agent_assignment",
    customInstructions: "use github.issues.add-assignees with agent_assignment",
  },
  "issue.branches.create": {
    branchRepo: "use github.graphql.mutate with createLinkedBranch",
  },
  "issue.comments.create": {
    commentId: "use issue.comments.update to change a comment",
    editLast: "use issue.comments.update with the id of the comment",
    reaction: "use github.reactions.create-for-issue",
  },
  "issue.create": { project: PROJECT, issueFields: "use github.issues.add-issue-field-values" },
  "issue.list": {
    noAssignee: "write assignee=none",
    noLabel: "write search=no:label",
    noMilestone: "write milestone=none",
    app: "use search.issues with author:app/NAME in the query",
    fieldFilters: "use search.issues",
  },
  "issue.relations": {
    afterId: "use afterNumber, the number of the issue",
    beforeId: "use beforeNumber, the number of the issue",
    subIssueId: "use subIssueNumber, the number of the issue",
    replaceParent: "leave it out: the parent is replaced",
  },
  "issue.reopen": { comment: "use issue.comments.create for the comment" },
  "issue.update": {
    addProject: PROJECT,
    comment: "use issue.comments.create for the comment",
    removeProject: "use project_v2.items.issue.remove",
    duplicateOf: "use github.issues.update with state_reason duplicate",
    issueFields: "use github.issues.add-issue-field-values",
  },
  "issue.view": { comments: "add the option include: comments (--include comments)" },
  "label.create": { force: "use label.update for a label that exists" },
  "notification.list": {
    owner: "write repository=OWNER/NAME",
    filter: "pass all=true or participating=true",
    unread: "leave it out: only unread ones are listed without all=true",
    since: "use github.activity.list-notifications-for-authenticated-user",
    before: "use github.activity.list-notifications-for-authenticated-user",
  },
  "pr.checks.list": {
    branch: "use github.checks.list-for-ref",
    ref: "use github.checks.list-for-ref",
    sha: "use github.checks.list-for-ref",
    required: "leave it out, and filter the items of the answer",
    watch: "use workflow.run.wait",
    interval: "use workflow.run.wait",
    failFast: "use workflow.run.wait",
  },
  "pr.comments.create": { editLast: "use issue.comments.update with the id of the comment" },
  "pr.create": {
    fill: "pass title and body",
    fillFirst: "pass title and body",
    fillVerbose: "pass title and body",
    project: PROJECT,
  },
  "pr.diff": {
    color: "leave it out: the text has no colours",
    patch: "use pr.commits.list and commit.view for each commit",
  },
  "pr.list": {
    app: "use search.prs with author:app/NAME in the query",
  },
  "pr.merge": {
    authorEmail: "use github.graphql.mutate with mergePullRequest",
    disableAuto: "use github.graphql.mutate with disablePullRequestAutoMerge",
    matchHeadCommit: "use github.pulls.merge with sha",
  },
  "pr.reopen": { comment: "use pr.comments.create for the comment" },
  "pr.reviews.submit": { commitID: "use github.pulls.create-review with commit_id" },
  "pr.reviews.pending.comment": { subjectType: "leave line out to comment on the file" },
  "pr.threads.reply": { reaction: "use github.reactions.create-for-pull-request-review-comment" },
  "pr.update": {
    addProject: PROJECT,
    comment: "use pr.comments.create for the comment",
    removeProject: "use project_v2.items.issue.remove",
    removeReviewer: "use github.pulls.remove-requested-reviewers",
    maintainerCanModify: "use github.pulls.update",
  },
  "pr.view": { comments: "add the option include: comments (--include comments)" },
  project_v2: {
    before: CURSOR,
    statusUpdateId: "use project_v2.status.list",
    viewId: "use github.projects.list-view-items-for-org",
    fieldName: "use fieldId, which project_v2.fields.list shows",
    updatedField:
      "use fieldId and one of valueText, valueNumber, valueDate, valueSingleSelectOptionId",
    itemOwner: ITEM_URL,
    itemRepo: ITEM_URL,
    itemType: ITEM_URL,
    issueNumber: ITEM_URL,
    pullRequestNumber: ITEM_URL,
    items: "call this for each item",
    iterations: FIELD_BY_REST,
    iterationDuration: FIELD_BY_REST,
    visibleFields: "use github.projects.create-view-for-org",
    visibleFieldNames: "use github.projects.create-view-for-org with visible_fields",
    layout: "use github.projects.create-view-for-org",
    query: "leave it out, and filter the items of the answer",
  },
  "release.assets": { archive: "use github.repos.download-tarball-archive" },
  "release.create": {
    discussionCategory: RAW_RELEASE,
    latest: RAW_RELEASE,
    notesFromTag: "give the text as notes",
    notesStartTag: "use github.repos.generate-release-notes, then give the text as notes",
    verifyTag: "use tag.list to see whether the tag exists",
  },
  "release.list": {
    excludeDrafts: "filter the answer by isDraft",
    excludePreReleases: "filter the answer by isPrerelease",
    order: "leave it out: the newest come first",
  },
  "release.update": {
    discussionCategory: RAW_RELEASE,
    latest: RAW_RELEASE,
    verifyTag: "use tag.list to see whether the tag exists",
  },
  "repo.create": {
    disableIssues: RAW_CREATE,
    disableWiki: RAW_CREATE,
    gitignore: RAW_CREATE,
    homepage: RAW_CREATE,
    internal: RAW_CREATE,
    license: RAW_CREATE,
    source: LOCAL,
    team: RAW_CREATE,
    template: "use github.repos.create-using-template",
  },
  "repo.labels.list": {
    order: "leave it out, and sort the items of the answer",
    search: "filter the answer with the option query",
    sort: "leave it out, and sort the items of the answer",
  },
  "repo.list": {
    affiliation: "use github.repos.list-for-authenticated-user",
    direction: REPOS_BY_REST,
    order: REPOS_BY_REST,
    sort: REPOS_BY_REST,
    archived: "use search.repos with archived:true and user:OWNER in the query",
    fork: "use search.repos with fork:only and user:OWNER in the query",
    language: "use search.repos with language:NAME and user:OWNER in the query",
    noArchived: "use search.repos with archived:false and user:OWNER in the query",
    source: "use search.repos with fork:false and user:OWNER in the query",
    topic: "use search.repos with topic:NAME and user:OWNER in the query",
  },
  "repo.update": {
    addTopic: ALL_TOPICS,
    allowForking: RAW_REPO,
    allowUpdateBranch: RAW_REPO,
    enableAutoMerge: RAW_REPO,
    enableDiscussions: RAW_REPO,
    enableMergeCommit: RAW_REPO,
    enableRebaseMerge: RAW_REPO,
    enableSquashMerge: RAW_REPO,
    removeTopic: ALL_TOPICS,
    template: RAW_REPO,
  },
  "repo.view": { branch: "use branch.list, or file.view with ref for a file of the branch" },
  "search.issues": {
    includePrs: "call search.prs too, or github.search.issues-and-pull-requests",
  },
  secret: {
    app: FOR_ORGS,
    env: FOR_ORGS,
    envFile: "set one secret at a time, with value=@FILE for one from a file",
    noStore: "use secret.key.view and encrypt the value",
    noReposSelected: FOR_ORGS,
    org: FOR_ORGS,
    repos: FOR_ORGS,
    user: FOR_ORGS,
    visibility: FOR_ORGS,
  },
  "secret.set": {
    app: "use github.dependabot.create-or-update-repo-secret or that of github.codespaces, with an encrypted value",
    env: "use github.actions.create-or-update-environment-secret, with a value that is encrypted with the key of github.actions.get-environment-public-key",
    org: "use github.actions.create-or-update-org-secret, with a value that is encrypted with the key of github.actions.get-org-public-key",
  },
  "variable.set": {
    env: "use github.actions.create-environment-variable or github.actions.update-environment-variable",
    org: "use github.actions.create-org-variable or github.actions.update-org-variable",
  },
  variable: {
    env: FOR_ORGS,
    envFile: "set one variable at a time, with value=@FILE for one from a file",
    org: FOR_ORGS,
    repos: FOR_ORGS,
    visibility: FOR_ORGS,
  },
  "workflow.dispatch": {
    field: 'write inputs={"NAME": "value"}',
    json: 'write inputs={"NAME": "value"}',
    rawField: 'write inputs={"NAME": "value"}',
  },
  "workflow.job.logs": {
    failedOnly: "use workflow.run.view, which has the error lines of failed jobs",
    runId: "use workflow.run.view for the jobs of a run",
  },
  "workflow.list": { all: "leave it out: disabled workflows are listed too" },
  "workflow.run.artifacts": { pattern: "filter the answer by name" },
  "workflow.run.rerun": {
    debug: "use github.actions.re-run-workflow with enable_debug_logging",
    job: "use github.actions.re-run-job-for-workflow-run",
  },
  "workflow.run.view": {
    attempt: "use github.actions.get-workflow-run-attempt",
    log: "use workflow.job.logs.raw with a job of the run",
    verbose: "add the option include: steps (--include steps)",
  },
  "workflow.run.wait": { interval: "leave it out: it waits until the run has ended" },
  "workflow.runs.list": { commit: RUN_FILTERS, created: RUN_FILTERS, user: RUN_FILTERS },
  "workflow.view": {
    ref: "use file.view with the path of the workflow and ref",
    yaml: "use file.view with the path of the workflow",
  },
  "commit.view": {
    detail: "use diff, and the option select for fewer fields",
  },
  "file.list": {
    pathFilter: "use path",
    treeSha: "use ref",
  },
  "pr.branch.update": {
    expectedHeadSha: "use github.pulls.update-branch with expected_head_sha",
  },
  "issue.branches": {
    issueRepo: "use repo",
  },
  workflow: {
    workflowRunsFilter: "use workflowId, branch, event and status",
    workflowJobsFilter: "read the jobs in the answer of workflow.run.view",
  },
  "github.gists": {
    add: GIST_FILES,
    content: GIST_FILES,
    filename: GIST_FILES,
    remove: GIST_FILES,
    files: "read files in the answer",
    raw: "read files in the answer",
  },
  "github.activity": {
    state:
      "use the operation for that state: github.activity.mark-thread-as-done or github.activity.mark-thread-as-read",
    action: "each action is an operation of its own: search for subscription",
  },
  "github.activity.set-repo-subscription": {
    action: subscriptionStep("github.activity.delete-repo-subscription"),
  },
  "github.activity.set-thread-subscription": {
    action: subscriptionStep("github.activity.delete-thread-subscription"),
  },
  "github.codespaces": {
    all: "list the codespaces, then call this for each by its name",
    days: "list the codespaces, then call this for each by its name",
    force: "list the codespaces, then call this for each by its name",
    user: "list the codespaces, then call this for each by its name",
    repo: "list the codespaces, then call this for each by its name",
    repoOwner: "list the codespaces, then call this for each by its name",
    org: "list the codespaces, then call this for each by its name",
    defaultPermissions: "leave it out: GitHub's API has no such input",
    status: "leave it out: GitHub's API has no such input",
  },
  "github.orgs": { repo: "leave it out: this belongs to the organization" },
  "github.teams": { user: "use github.graphql with user(login:) and its organizations" },
  "github.git": {
    tag: "use github.git.get-ref with ref=tags/NAME, then the sha of its object as tag_sha",
  },
  "github.repos": {
    allowWrite: "use read_only=false",
    force: "use github.git.update-ref with force",
    source: "leave it out: the parent of the fork is the source",
  },
};

/** The next step for an input name, from the longest matching prefix of the id. */
function ownWay(id: string, name: string): string | undefined {
  const words = id.split(".");
  for (let length = words.length; length > 0; length -= 1) {
    const steps = BY_ID[words.slice(0, length).join(".")];
    if (steps !== undefined && Object.hasOwn(steps, name)) return steps[name];
  }
  return undefined;
}

/**
 * Whether a capability has its own step for a name, so that the name is not read as another input.
 */
export function hasOwnWay(id: string, name: string): boolean {
  return ownWay(id, camelCased(name)) !== undefined;
}

/** Refuses an unknown input if a next step is known for it. */
export function refuseForOtherWay(id: string, name: string): void {
  const proper = camelCased(name);
  const anywhere = Object.hasOwn(ANYWHERE, proper) ? ANYWHERE[proper] : undefined;
  const step = ownWay(id, proper) ?? anywhere;
  if (step !== undefined) throw refuseInput(id, name, `is not an input; ${step}`);
}
