import type {
  PullRequest,
  Repository,
  Workflow,
  WorkflowRun,
  Artifact,
  CommitStatus,
} from "../store/model.ts";
import { branchOid } from "../store/commits.ts";
import { addComment } from "../store/mutations/conversations.ts";
import { mergePull } from "../store/mutations/merge.ts";
import { createPull, requestReviews } from "../store/mutations/pulls.ts";
import { addReaction } from "../store/mutations/reactions.ts";
import { connect } from "../store/mutations/relations.ts";
import { forkRepository } from "../store/mutations/repositories.ts";
import { addReview, addThread, replyToThread, setResolved } from "../store/mutations/reviews.ts";
import { startRun } from "../store/mutations/runs.ts";
import * as files from "./files.ts";
import type { Planned } from "./hello.ts";
import type { People } from "./people.ts";
import { LINT, TEST_GREEN, TEST_RED, leaveRunning, playJob } from "./runs.ts";
import type { Seed } from "./seed.ts";

const at = { side: "RIGHT", startLine: null, startSide: null } as const;

/** Pull request 6: reviewed, with threads in every state and failing checks. */
export function seedFix(
  seed: Seed,
  repository: Repository,
  people: People,
  { empty }: Planned,
): PullRequest {
  const { octocat, monalisa, hubot } = people;
  const { store } = seed;
  const body = "Fixes #1.\n\nNobody in particular is greeted, too.";
  const facts = {
    title: "Fix greeting for empty names",
    body,
    head: "fix/empty-name",
    base: "main",
  };
  const pull = createPull(store, monalisa, repository, facts);
  connect(store, monalisa, empty, pull);
  seed.label(pull, "bug");
  seed.tick();
  const review = (comment: string, line: number): unknown =>
    addThread(
      store,
      octocat,
      pull,
      { path: "src/greet.ts", body: comment, line, ...at },
      { pending: false },
    );
  review("What about a name of spaces?", 3);
  seed.tick();
  replyToThread(store, monalisa, pull.threads[0]!, "Right, I will trim it.");
  seed.commit(repository, monalisa, "fix/empty-name", "Trim the name", {
    "src/greet.ts": files.GREET_FIXED,
  });
  seed.commit(repository, monalisa, "fix/empty-name", "Test it", {
    "test/greet.test.ts": files.TEST_EMPTY,
  });
  addReview(store, hubot, pull, { event: "REQUEST_CHANGES", body: "The test is red." });
  review("Nice.", 3);
  setResolved(store, monalisa, pull.threads[1]!, true);
  review("A constant, perhaps?", 4);
  addReview(store, octocat, pull, { event: "APPROVE", body: "Looks good once it is green." });
  addReaction(store, octocat, pull, "HOORAY");
  addReaction(store, hubot, pull.threads[0]!.comments[0]!, "THUMBS_UP");
  const comment = addComment(store, octocat, pull, "Thank you!");
  addReaction(store, monalisa, comment, "HEART");
  requestReviews(store, monalisa, pull, { users: [hubot], union: true });
  return pull;
}

/**
 * Pull requests 7 to 10: a draft, a merged one, one that can be merged, and one from a fork that
 * conflicts.
 */
export function seedOthers(
  seed: Seed,
  repository: Repository,
  people: People,
): readonly PullRequest[] {
  const { octocat, monalisa, hubot } = people;
  const { store } = seed;
  const open = (author: typeof octocat, title: string, head: string, body: string): PullRequest => {
    seed.tick();
    return createPull(store, author, repository, { title, head, base: "main", body });
  };
  const locale = open(
    octocat,
    "Add a table of greetings",
    "feature/locale",
    "For #2, not done yet.",
  );
  locale.isDraft = true;
  const docs = open(monalisa, "Document how to use it", "docs/usage", "");
  addReview(store, octocat, docs, { event: "APPROVE" });
  mergePull(store, octocat, docs, { method: "MERGE" });
  const version = open(octocat, "Count up the version", "chore/version", "Ready to go.");
  addReview(store, monalisa, version, { event: "APPROVE", body: "Ship it." });
  const fork = forkRepository(store, hubot, repository, {});
  seed.commit(fork, hubot, "loud", "Greet loudly", { "src/greet.ts": files.GREET_LOUD });
  seed.commit(repository, octocat, "main", "Leave space between greetings", {
    "src/greet.ts": files.GREET_WARM,
  });
  seed.tick();
  const body = "As asked for in #5.";
  const facts = { title: "Greet loudly", body, head: "loud", headRepository: fork, base: "main" };
  return [locale, docs, version, createPull(store, hubot, repository, facts)];
}

export function seedRuns(seed: Seed, repository: Repository, people: People, ci: Workflow): void {
  const { octocat, monalisa } = people;
  const start = (
    author: typeof octocat,
    branch: string,
    event: string,
    title: string,
  ): WorkflowRun => {
    seed.tick();
    const sha = branchOid(repository, branch)!;
    return startRun(seed.store, author, ci, { branch, sha, event, title });
  };
  const green = start(octocat, "main", "push", "Leave space between greetings");
  playJob(seed, green, "lint", LINT);
  playJob(seed, green, "test", TEST_GREEN);
  addArtifact(seed, green);
  const red = start(monalisa, "fix/empty-name", "pull_request", "Fix greeting for empty names");
  playJob(seed, red, "lint", LINT);
  playJob(seed, red, "test", TEST_RED);
  const clean = start(octocat, "chore/version", "pull_request", "Count up the version");
  playJob(seed, clean, "lint", LINT);
  playJob(seed, clean, "test", TEST_GREEN);
  const busy = start(octocat, "feature/locale", "pull_request", "Add a table of greetings");
  playJob(seed, busy, "lint", LINT);
  leaveRunning(seed, busy, "test");
  addStatus(seed, red, octocat);
}

function addArtifact({ store }: Seed, run: WorkflowRun): void {
  const content = Buffer.from('{"lines":{"pct":100}}\n');
  const facts = { run, name: "coverage", content, expiresAt: "2027-01-05T09:00:00Z" };
  run.artifacts.push(store.create<Artifact>("Artifact", facts));
}

function addStatus(
  { store }: Seed,
  { repository, headSha: sha }: WorkflowRun,
  creator: People["octocat"],
): void {
  const status = store.create<CommitStatus>("StatusContext", {
    repository,
    sha,
    creator,
    context: "licence/check",
    state: "SUCCESS",
    description: "All dependencies are fine",
    targetUrl: "https://example.com/licences/1",
  });
  repository.statuses.push(status);
}
