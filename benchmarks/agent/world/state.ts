import type { Store } from "@waybill/github/emulator";
import { divergence, reachable } from "./history.ts";

type Repository = Store["repositories"][number];
type Conversation = Repository["issues"] extends ReadonlyMap<number, infer Item> ? Item : never;
type Issue = Extract<Conversation, { type: "Issue" }>;
type Pull = Extract<Conversation, { type: "PullRequest" }>;
type Run = Repository["runs"][number];
type Facts = Record<string, unknown>;

const HEADS = "refs/heads/";
const TAGS = "refs/tags/";

function byNumber<Item extends { number: number }>(
  items: Iterable<Item>,
  factsOf: (item: Item) => Facts,
): Facts {
  return Object.fromEntries([...items].map((item) => [String(item.number), factsOf(item)]));
}

function shared(subject: Conversation): Facts {
  const { number, title, body, state, author, labels, assignees, milestone, comments } = subject;
  return {
    number,
    title,
    body,
    state,
    author: author.login,
    labels: labels.map(({ name }) => name),
    assignees: assignees.map(({ login }) => login),
    milestone: milestone?.title ?? null,
    locked: subject.locked,
    comments: comments.map((each) => ({ author: each.author.login, body: each.body })),
  };
}

function issueState(issue: Issue): Facts {
  return {
    ...shared(issue),
    stateReason: issue.stateReason,
    parent: issue.parent?.number ?? null,
    subIssues: issue.subIssues.map(({ number }) => number),
    blockedBy: issue.blockedBy.map(({ number }) => number),
  };
}

/** The files of a pull request's head, and the messages of its commits, oldest first. */
function proposed({ objects }: Store, { baseOid, headOid }: Pull): Facts {
  const { files, ...counts } = divergence(objects, baseOid, headOid);
  const known = objects.filesAt(headOid);
  const before = reachable(objects, baseOid);
  const own = [...reachable(objects, headOid)].filter((oid) => !before.has(oid));
  const text = (path: string): string | null =>
    objects.blob(known.get(path) ?? "")?.toString("utf8") ?? null;
  return {
    ...counts,
    files,
    texts: Object.fromEntries(files.map((path) => [path, text(path)])),
    messages: own.toReversed().map((oid) => objects.commit(oid)?.message),
  };
}

function pullState(store: Store, pull: Pull): Facts {
  const { threads, reviews, reviewRequests } = pull;
  return {
    ...shared(pull),
    ...proposed(store, pull),
    isDraft: pull.isDraft,
    headRefName: pull.headRef,
    headRefOid: pull.headOid,
    baseRefName: pull.baseRef,
    merged: pull.mergedAt !== null,
    reviews: reviews.map((each) => ({ author: each.author.login, state: each.state })),
    reviewRequests: reviewRequests.map(({ reviewer }) => reviewer.login),
    threads: threads.map(({ nodeId, path, originalLine, resolvedBy, comments }) => ({
      id: nodeId,
      path,
      line: originalLine,
      isResolved: resolvedBy !== null,
      comments: comments.map(({ body }) => body),
    })),
  };
}

function runState({ id, headBranch, attempt, event, inputs, workflow, suite }: Run): Facts {
  const jobs = suite.checkRuns.filter((job) => job.attempt === attempt);
  return {
    id,
    branch: headBranch,
    attempt,
    event,
    inputs,
    workflow: workflow.name,
    jobs: jobs.map(({ id: jobId, name, status, conclusion, annotations }) => ({
      id: jobId,
      name,
      status,
      conclusion,
      annotations: annotations.map(({ message }) => message),
    })),
  };
}

function refsUnder({ refs }: Repository, prefix: string): string[] {
  return [...refs.keys()]
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}

function repositoryFiles({ objects }: Store, { refs, defaultBranch }: Repository): Facts {
  const head = refs.get(`${HEADS}${defaultBranch}`);
  const files = head === undefined ? [] : [...objects.filesAt(head)];
  const text = (oid: string): string | undefined => objects.blob(oid)?.toString("utf8");
  return Object.fromEntries(files.map(([path, oid]) => [path, text(oid) ?? null]));
}

/** The commit messages of each branch, oldest first. */
function commitStates({ objects }: Store, { refs }: Repository): Facts {
  const heads = [...refs].filter(([name]) => name.startsWith(HEADS));
  const messages = (head: string): (string | undefined)[] =>
    [...reachable(objects, head)].toReversed().map((oid) => objects.commit(oid)?.message);
  return Object.fromEntries(heads.map(([name, oid]) => [name.slice(HEADS.length), messages(oid)]));
}

function repositoryState(store: Store, repository: Repository): Facts {
  const numbered = [...repository.issues.values()];
  const issues = numbered.filter((item): item is Issue => item.type === "Issue");
  const pulls = numbered.filter((item): item is Pull => item.type === "PullRequest");
  return {
    description: repository.description,
    isPrivate: repository.isPrivate,
    defaultBranch: repository.defaultBranch,
    stargazerCount: repository.stargazers.length,
    labels: repository.labels.map(({ name }) => name),
    labelColors: Object.fromEntries(repository.labels.map(({ name, color }) => [name, color])),
    milestones: repository.milestones.map(({ title, state }) => ({ title, state })),
    issues: byNumber(issues, issueState),
    pulls: byNumber(pulls, (pull) => pullState(store, pull)),
    runs: repository.runs.map(runState),
    releases: repository.releases.map(({ tagName, name, body, isDraft, isPrerelease, assets }) => ({
      tagName,
      name,
      body,
      isDraft,
      isPrerelease,
      assets: assets.map((asset) => asset.name),
    })),
    branches: refsUnder(repository, HEADS),
    commits: commitStates(store, repository),
    tags: refsUnder(repository, TAGS),
    files: repositoryFiles(store, repository),
    discussions: byNumber(repository.discussions.values(), ({ title, answer }) => ({
      title,
      answer: answer?.body ?? null,
    })),
  };
}

/**
 * Everything that an oracle can ask about the embedded GitHub, read directly from its store: each
 * repository by name, such as `hello` and `atlas`, and everything outside of repositories.
 */
export function storeState(store: Store): Facts {
  const { repositories, users, gists, notifications, projects } = store;
  const own = repositories.filter(({ parent }) => parent === null);
  return {
    ...Object.fromEntries(own.map((each) => [each.name, repositoryState(store, each)])),
    users: users.map(({ login, name, bio, location }) => ({ login, name, bio, location })),
    gists: gists.map(({ owner, isPublic, files }) => ({
      owner: owner.login,
      isPublic,
      files: [...files.keys()],
    })),
    notifications: notifications.map(({ user, subject, reason, isUnread }) => ({
      user: user.login,
      subject: subject.title,
      reason,
      isUnread,
    })),
    projects: projects.map(({ title, items }) => ({
      title,
      items: items.map(({ content, values }) => ({
        title: content.title,
        values: Object.fromEntries([...values].map(([field, value]) => [field.name, value])),
      })),
    })),
  };
}
