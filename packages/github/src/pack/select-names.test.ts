import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TOKENS, startGithubEmulator } from "../emulator/index.ts";
import type { GithubEmulator } from "../emulator/index.ts";
import { githubSource } from "./source.ts";

const repo = "octo/hello";

let github: GithubEmulator;
let waybill: Waybill;
beforeAll(async () => {
  github = await startGithubEmulator();
  const place = {
    host: "github.com",
    restUrl: github.url,
    graphqlUrl: `${github.url}/graphql`,
    token: TOKENS.octocat,
    ghToken: TOKENS.octocat,
    ghConfigDir: null,
  };
  const around = { env: {}, transport: createHttpTransport(), userAgent: "waybill-test" };
  const policy = { confirm: "none" } as const;
  waybill = createWaybill({ sources: [githubSource(place, around)], policy });
});
afterEach(() => github.reset());
afterAll(async () => {
  await waybill.close();
  await github.close();
});

type Row = Readonly<Record<string, unknown>>;

/**
 * Calls that select fields by the names of `gh --json` and GitHub's APIs, and one item of the
 * answer.
 */
const SELECTIONS: readonly (readonly [id: string, params: object, select: string, row: Row])[] = [
  ["issue.list", { repo }, "number,body,comments", { number: 3, body: "Bonjour.", comments: 0 }],
  ["pr.list", { repo }, "reviewDecision", { reviewDecision: "REVIEW_REQUIRED" }],
  ["pr.list", { repo, base: "main", head: "chore/version" }, "checks", { checks: "SUCCESS" }],
  [
    "pr.list",
    { repo, head: "chore/version" },
    "statusCheckRollup,headRefName",
    { statusCheckRollup: "SUCCESS", headRefName: "chore/version" },
  ],
  ["workflow.runs.list", { repo }, "databaseId,runId", { databaseId: 1004, runId: 1004 }],
  ["release.list", { repo }, "tag,prerelease", { tag: "v2.0.0", prerelease: false }],
];

describe("select", () => {
  it.each(SELECTIONS)(
    '%s %j with select returns the fields "%s"',
    async (id, params, select, row) => {
      const { data, meta } = await waybill.execute(
        id,
        { ...params },
        { select: select.split(",") },
      );
      expect(meta.warnings ?? []).toEqual([]);
      expect((data as { items: Row[] }).items[0]).toEqual(row);
    },
  );

  it("issue.list returns updated_at if it is selected, although only an optional field group contains it", async () => {
    const { data } = await waybill.execute("issue.list", { repo }, { select: ["updated_at"] });
    const [first] = (data as { items: Row[] }).items;
    expect(Object.keys(first ?? {})).toEqual(["updated_at"]);
  });

  it("pr.view returns files, reviews and commits that are selected", async () => {
    const select = ["files", "reviews", "commits", "reviewDecision"];
    const { data, meta } = await waybill.execute("pr.view", { repo, number: 6 }, { select });
    expect(meta.warnings).toBeUndefined();
    const { files, reviews, commits, ...rest } = data as Record<string, Row[]>;
    expect(files).toMatchObject([{ path: "src/greet.ts" }, { path: "test/greet.test.ts" }]);
    expect(reviews?.map(({ state }) => state)).toContain("CHANGES_REQUESTED");
    expect(Object.keys(commits?.[0] ?? {})).toEqual(["oid", "message"]);
    expect(rest).toEqual({ reviewDecision: "CHANGES_REQUESTED" });
  });

  it.each(["graphql", "rest"] as const)(
    "repo.view returns selected topics by %s",
    async (route) => {
      const options = { select: ["topics", "license", "visibility"], route };
      const { data } = await waybill.execute("repo.view", { repo }, options);
      const topics = ["greetings", "typescript"];
      expect(data).toEqual({ topics, license: "MIT", visibility: "PUBLIC" });
    },
  );

  it("a selected field that does not exist is named in a warning and not sent to GitHub", async () => {
    const { meta } = await waybill.execute(
      "issue.list",
      { repo },
      { select: ["number", "nothing"] },
    );
    expect(meta.warnings?.[0]).toContain("nothing to select at nothing; there is id, number");
  });
});

describe("releases by tag", () => {
  it("release.update changes the release of a tag", async () => {
    const { data } = await waybill.execute("release.update", { repo, tag: "v1.0.0", title: "One" });
    expect(data).toMatchObject({ name: "One", tagName: "v1.0.0" });
  });

  it("release.update with draft=false publishes the draft", async () => {
    const input = { repo, tag: "v2.0.0", draft: false };
    const { data, meta } = await waybill.execute("release.update", input);
    expect([data, meta.capability_id]).toMatchObject([{ isDraft: false }, "release.publish"]);
  });

  it("release.delete with cleanupTag deletes the release and its tag", async () => {
    const input = { repo, tag: "v1.0.0", cleanup_tag: true };
    expect((await waybill.execute("release.delete", input)).error).toBeNull();
    const { data } = await waybill.execute("tag.list", { repo });
    expect(JSON.stringify(data)).not.toContain("v1.0.0");
  });

  it("release.publish publishes the draft of a tag", async () => {
    const { data } = await waybill.execute("release.publish", { repo, tag: "v2.0.0" });
    expect(data).toMatchObject({ isDraft: false, wasDraft: true });
  });

  it("release.delete deletes the release of a tag, even a draft", async () => {
    for (const tag of ["v1.0.0", "v2.0.0"]) {
      const { data } = await waybill.execute("release.delete", { repo, tag });
      expect(data).toMatchObject({ deleted: true });
      const { error } = await waybill.execute("release.id.view", { repo, tag });
      expect(error?.code).toBe("NOT_FOUND");
    }
  });

  it("release.delete of an unknown tag deletes nothing", async () => {
    const { error } = await waybill.execute("release.delete", { repo, tag: "v77" });
    expect(error).toMatchObject({ code: "NOT_FOUND", details: { outcome: "not_applied" } });
    expect(github.applied()["deleteRelease"] ?? 0).toBe(0);
  });
});

describe("ids that imply the value of an input", () => {
  it.each([
    ["pr.approve", { repo, number: 6 }, { state: "APPROVED" }],
    ["repo.archive", { repo }, { archived: true }],
    ["issue.unlock", { repo, number: 5 }, { locked: false }],
    ["file.delete", { repo, path: "README.md", branch: "main", message: "m" }, { branch: "main" }],
  ])(
    "a call by the id %s, which stands for an operation with one of its inputs set, with %j returns %j",
    async (id, params, shown) => {
      const { data, error } = await waybill.execute(id, params);
      expect(error).toBeNull();
      expect(data).toMatchObject(shown);
    },
  );

  it("an explicit input takes precedence over the input that the called id implies", async () => {
    const input = { repo, number: 6, event: "COMMENT", body: "Hm" };
    const { data } = await waybill.execute("pr.approve", input);
    expect(data).toMatchObject({ state: "COMMENTED" });
  });

  it("file.delete removes only the named file", async () => {
    const branch = "main";
    await waybill.execute("file.delete", { repo, path: "README.md", branch, message: "m" });
    const { data } = await waybill.execute("file.list", { repo, ref: branch });
    const paths = (data as { items: { path: string }[] }).items.map(({ path }) => path);
    expect(paths).toContain("LICENSE");
    expect(paths).not.toContain("README.md");
  });
});

describe("inputs in the forms of other tools", () => {
  it("file.commit moves a file with delete: true for the old path", async () => {
    const files = [
      { path: "docs/README.md", content: "Hi\n" },
      { path: "README.md", delete: true },
    ];
    const input = { repo, branch: "main", message: "Move", files };
    expect((await waybill.execute("file.commit", input)).error).toBeNull();
    const { data } = await waybill.execute("file.list", { repo, ref: "main", recursive: true });
    const paths = (data as { items: { path: string }[] }).items.map(({ path }) => path);
    expect(paths).toContain("docs/README.md");
    expect(paths).not.toContain("README.md");
  });

  it("GitHub lists accept the filter words of GitHub's search", async () => {
    const found = await waybill.execute("issue.list", { repo, search: "greeting in:title" });
    expect(found.data).toMatchObject({ items: [{ number: 1 }] });
    const pulls = await waybill.execute("pr.list", { repo, search: "version" });
    expect(pulls.data).toMatchObject({ items: [{ number: 9 }] });
  });

  it.each(["graphql", "rest"] as const)(
    "pr.merge uses the given commit message by %s",
    async (route) => {
      const input = {
        repo,
        number: 9,
        method: "merge",
        commit_title: "Nine",
        commit_message: "Why",
      };
      const { data } = await waybill.execute("pr.merge", input, { route });
      const { mergeCommitOid: ref } = data as { mergeCommitOid: string };
      const { data: commit } = await waybill.execute("commit.view", { repo, ref });
      expect(commit).toMatchObject({ message: "Nine\n\nWhy" });
    },
  );

  it("milestone.create accepts a day as the due date and sends noon UTC", async () => {
    const input = { repo, title: "v2", due_on: "2027-01-01" };
    const { data } = await waybill.execute("milestone.create", input);
    expect(data).toMatchObject({ dueOn: "2027-01-01T12:00:00Z" });
  });

  it("release.create refuses a list for name, and the error names the inputs to pass instead", async () => {
    const input = { owner: "octo", name: ["hello", "Nine"], tagName: "v9" };
    const { error } = await waybill.execute("release.create", input);
    expect(error?.message).toContain(
      "/name names the repository here; pass the other name as title",
    );
  });

  it("issue.lock returns the reason of the lock", async () => {
    const { data } = await waybill.execute("issue.lock", { repo, number: 1, reason: "spam" });
    expect(data).toMatchObject({ locked: true, reason: "SPAM" });
  });
});
