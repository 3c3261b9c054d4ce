import { describe, expect, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import type { Operation } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";

const CAPABILITIES: readonly (readonly [string, string, string])[] = [
  ["issue.view", "Show one issue with its title, body, state and labels", "owner repo number"],
  [
    "issue.list",
    "List the issues of a repository by state, label and assignee",
    "owner repo state",
  ],
  ["issue.create", "Open a new issue", "owner repo title body labels"],
  ["issue.close", "Close an issue", "owner repo number reason"],
  ["issue.reopen", "Reopen a closed issue", "owner repo number"],
  ["issue.update", "Change the title or body of an issue", "owner repo number title body"],
  ["issue.labels.add", "Add labels to an issue", "owner repo number labels"],
  ["issue.labels.remove", "Remove labels from an issue", "owner repo number labels"],
  ["issue.assignees.set", "Assign people to an issue", "owner repo number assignees"],
  ["issue.comments.create", "Write a comment on an issue", "owner repo number body"],
  ["issue.comments.list", "List the comments of an issue", "owner repo number"],
  ["issue.milestone.set", "Put an issue into a milestone", "owner repo number milestone"],
  ["pr.view", "Show one pull request", "owner repo number"],
  ["pr.list", "List pull requests of a repository", "owner repo state base head"],
  ["pr.create", "Open a pull request from a branch", "owner repo title head base"],
  ["pr.merge", "Merge a pull request", "owner repo number method"],
  ["pr.merge.status", "Tell whether a pull request can be merged", "owner repo number"],
  ["pr.diff", "Show the diff of a pull request", "owner repo number"],
  ["pr.files.list", "List the files a pull request changes", "owner repo number"],
  ["pr.reviews.list", "List the reviews of a pull request", "owner repo number"],
  ["pr.reviews.submit", "Approve a pull request or request changes", "owner repo number event"],
  ["pr.reviewers.request", "Ask people to review a pull request", "owner repo number reviewers"],
  ["pr.checks.list", "List the checks of a pull request's head commit", "owner repo number"],
  ["repo.view", "Show a repository", "owner repo"],
  ["repo.list", "List the repositories of an owner", "owner"],
  ["repo.create", "Create a repository", "name private"],
  ["repo.fork", "Fork a repository", "owner repo organization"],
  ["repo.topics.set", "Replace the topics of a repository", "owner repo topics"],
  ["branch.list", "List the branches of a repository", "owner repo"],
  ["branch.protect", "Protect a branch against pushes", "owner repo branch rules"],
  ["file.read", "Read a file at a revision", "owner repo path ref"],
  ["file.write", "Commit a change to one file", "owner repo path content message"],
  ["commit.list", "List commits of a branch", "owner repo sha since until"],
  ["release.list", "List releases", "owner repo"],
  ["release.create", "Publish a release for a tag", "owner repo tag notes"],
  ["workflow.run.list", "List the runs of a workflow", "owner repo workflow status"],
  ["workflow.run.rerun", "Run a failed workflow again", "owner repo runId"],
  ["workflow.dispatch", "Start a workflow by hand", "owner repo workflow inputs"],
  ["workflow.logs.read", "Read the logs of a workflow run", "owner repo runId"],
  ["search.code", "Search source code", "query"],
  ["user.view", "Show a user's profile", "login"],
  ["notification.list", "List unread notifications", "since"],
];

const READS = /^search\.|\.(?:view|list|read|status|diff)$/u;

function operation(
  [id, description, names]: readonly [string, string, string],
  exposed = true,
): Operation {
  const properties = Object.fromEntries(names.split(" ").map((name) => [name, true]));
  const input = { type: "object", properties };
  const effect = READS.test(id) ? "read" : "write";
  return defineOperation({ id, description, effect, input, exposed, handler: () => id });
}

function github(capabilities = CAPABILITIES): OperationRegistry {
  const registry = new OperationRegistry();
  for (const capability of capabilities) registry.register(operation(capability));
  return registry;
}

function found(registry: OperationRegistry, words: string, limit = 20): string[] {
  return registry.search(words, { limit }).map(({ operation: { id } }) => id);
}

describe("OperationRegistry.search", () => {
  const registry = github();

  it.each([
    ["view issue", "issue.view"],
    ["issue.view", "issue.view"],
    ["list issues", "issue.list"],
    ["create an issue", "issue.create"],
    ["open a new issue", "issue.create"],
    ["close issue", "issue.close"],
    ["add a label to an issue", "issue.labels.add"],
    ["assign someone to an issue", "issue.assignees.set"],
    ["write a comment on an issue", "issue.comments.create"],
    ["merge pull request", "pr.merge"],
    ["can the pull request be merged", "pr.merge.status"],
    ["approve a pull request", "pr.reviews.submit"],
    ["ask for a review", "pr.reviewers.request"],
    ["files changed in a pull request", "pr.files.list"],
    ["which branches are there", "branch.list"],
    ["protect branch", "branch.protect"],
    ["fork repository", "repo.fork"],
    ["publish release", "release.create"],
    ["rerun workflow", "workflow.run.rerun"],
    ["workflow logs", "workflow.logs.read"],
    ["read file", "file.read"],
    ["search code", "search.code"],
    ["unread notifications", "notification.list"],
    ["milestone", "issue.milestone.set"],
    ["runId", "workflow.run.rerun"],
    ["PullRequestDiff", "pr.diff"],
    ["failing checks of a pull request", "pr.checks.list"],
    ["comments of an issue", "issue.comments.list"],
    ["list open issues", "issue.list"],
    ["retry a failed workflow", "workflow.run.rerun"],
    ["show the CI log", "workflow.logs.read"],
    ["edit an issue", "issue.update"],
  ])("a search for %j returns %s first", (words, id) => {
    expect(found(registry, words)[0]).toBe(id);
  });

  it.each([
    ["isue", "issue"],
    ["relase", "release"],
    ["reposiotry fork", "repo.fork"],
    ["mileston", "issue.milestone"],
    ["notif", "notification.list"],
    ["workfl disp", "workflow.dispatch"],
  ])("a search matches the misspelt or shortened word %j", (words, start) => {
    expect(found(registry, words)[0]).toMatch(new RegExp(`^${start}`));
  });

  it("a search sorts by score and gives the same result every time", () => {
    const hits = registry.search("list issues of a repository");
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0)).toBe(true);
    expect(registry.search("list issues of a repository")).toEqual(hits);
    const reversed = github(CAPABILITIES.toReversed());
    expect(found(reversed, "list issues of a repository")).toEqual(hits.map((h) => h.operation.id));
  });

  it("a search uses synonyms only for unknown words", () => {
    expect(found(registry, "fork")).toEqual(["repo.fork"]);
    expect(found(registry, "ask")).toEqual(["pr.reviewers.request"]);
    expect(found(registry, "drop")).toEqual(["issue.labels.remove"]);
  });

  it.each(["pull", "pulls", "request", "pull request", "pull_requests", "pull.request", "PR"])(
    "a search finds pull requests by %j",
    (words) => {
      const both = github([["git.createPullRequest", "Open one", "title"]]);
      expect(found(both, words)).toEqual(["git.createPullRequest"]);
      expect(found(registry, words)).toContain("pr.list");
    },
  );

  it('a search treats the phrase "pull request" as one term', () => {
    expect(found(registry, "pull request")).not.toContain("issue.view");
    expect(registry.nearest("pull.request.view")[0]).toBe("pr.view");
    expect(registry.nearest("pulls.list")).toContain("pr.list");
  });

  it.each([
    ["who", "sys.who"],
    ["has", "db.has"],
    ["do", "svc.do"],
    ["from", "mail.from"],
    ["to", "mail.to"],
    ["who has", "db.has"],
    ["db has", "db.has"],
  ])("a search uses the common word %j if the query has no other word", (words, id) => {
    const little = github([
      ["db.has", "Tell about a key", "key"],
      ["db.get", "Value of a key", "key"],
      ["mail.from", "Sender", "id"],
      ["mail.to", "Receiver", "id"],
      ["svc.do", "Anything", "what"],
      ["sys.who", "Those present", "x"],
    ]);
    expect(found(little, words)).toContain(id);
    expect(found(little, `key of the value ${words}`)).not.toContain("mail.to");
  });

  it("a search ranks listed operations before hidden operations", () => {
    const both = new OperationRegistry();
    both.register(operation(["api.close", "Close an issue", "number"], false));
    both.register(operation(["issue.close", "Close an issue for good", "number reason"]));
    expect(found(both, "close")).toEqual(["issue.close", "api.close"]);
    expect(found(both, "api")).toEqual(["api.close"]);
  });

  it("a search sorts equal scores by id", () => {
    const twins = github([
      ["b.same", "Twin", "x"],
      ["c.same", "Twin", "x"],
      ["a.same", "Twin", "x"],
    ]);
    expect(found(twins, "twin")).toEqual(["a.same", "b.same", "c.same"]);
    expect(found(twins, "twin", 2)).toEqual(["a.same", "b.same"]);
  });

  it("a search returns at most the given limit (default: 20)", () => {
    expect(found(registry, "list", 3)).toHaveLength(3);
    expect(found(registry, "list", 0)).toEqual([]);
    expect(registry.search("owner repo number")).toHaveLength(20);
  });

  it("a search with a namespace returns only its operations", () => {
    const hits = registry.search("list issues", { namespace: "pr", limit: 3 });
    expect(hits).toHaveLength(3);
    expect(hits.every(({ operation: { id } }) => id.startsWith("pr."))).toBe(true);
  });

  it.each(["", "   ", "the of a", "!!!", "zzzzqqqq", "\u0000"])(
    "a search for %j returns nothing",
    (words) => {
      expect(found(registry, words)).toEqual([]);
    },
  );

  it("a search with a query of a million words returns a result", () => {
    const words = `merge pull request ${"list issue repository ".repeat(300_000)}`;
    expect(found(registry, words, 1)).toHaveLength(1);
    expect(found(registry, "x".repeat(5_000_000))).toEqual([]);
  });
});

describe("changes of the search index", () => {
  it("a search finds an operation that was registered after an earlier search", () => {
    const registry = github();
    expect(found(registry, "deployment")).toEqual([]);
    registry.register(operation(["deployment.create", "Deploy a commit", "ref"]));
    expect(found(registry, "deployment")).toEqual(["deployment.create"]);
  });

  it("a search does not find a removed operation, and finds it again under its new description", () => {
    const registry = github();
    expect(found(registry, "fork")).toEqual(["repo.fork"]);
    registry.unregister("repo.fork");
    expect(found(registry, "fork")).toEqual([]);
    expect(registry.nearest("repo.fork")).not.toContain("repo.fork");
    registry.register(operation(["repo.fork", "Copy a repository", "owner"]));
    expect(found(registry, "copy")).toEqual(["repo.fork"]);
    expect(found(registry, "organization")).toEqual([]);
  });

  it("a search does not find an operation that was removed before the first search", () => {
    const registry = github();
    registry.unregister("repo.fork");
    expect(found(registry, "fork")).not.toContain("repo.fork");
  });

  it("a search finds only registered operations while 600 operations are added and removed", () => {
    const registry = github();
    for (let round = 0; round < 4; round++) {
      for (let number = 0; number < 600; number++) {
        registry.register(operation([`round${round}.op${number}`, "Passing by", "x"]));
      }
      expect(found(registry, "passing", 600)).toHaveLength(600);
      for (let number = 0; number < 600; number++) registry.unregister(`round${round}.op${number}`);
      expect(found(registry, "passing")).toEqual([]);
      expect(found(registry, "merge pull request")[0]).toBe("pr.merge");
    }
    expect(found(registry, "list issues")).toEqual(found(github(), "list issues"));
  });

  it("a search in a large registry ignores very common words, unless the query has no other words", () => {
    const registry = github();
    for (let number = 0; number < 3_000; number++) {
      registry.register(operation([`bulk.item${number}`, "Common thing", "x"]));
    }
    expect(found(registry, "common merge", 5)).not.toContain("bulk.item0");
    expect(found(registry, "common", 5)).toHaveLength(5);
  });
});
