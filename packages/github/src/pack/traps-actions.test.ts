import { describe, expect, it } from "vitest";
import type { GithubEmulator } from "../emulator/index.ts";
import type { Embedded } from "./fixtures/embedded.ts";
import { ownWorlds } from "./fixtures/own-world.ts";

const HELLO = { owner: "octo", name: "hello" };
const ROADMAP = { owner: "octo", projectNumber: 1 };

const start = ownWorlds();

function getHello({ store }: GithubEmulator) {
  return store.repositories.find(({ name }) => name === "hello")!;
}

function getRun(github: GithubEmulator, branch: string) {
  return getHello(github).runs.find(({ headBranch }) => headBranch === branch)!;
}

function releaseId(github: GithubEmulator, tag: string): number {
  return getHello(github).releases.find(({ tagName }) => tagName === tag)!.id;
}

function loseAnswer({ github }: Embedded, method: string): void {
  github.faults.inject({
    kind: "drop",
    when: "after",
    match: { method, path: /^\/(?:repos|orgs)/ },
  });
}

describe("lost responses of writes to Actions", () => {
  it.each(["rest", "cli"] as const)(
    "workflow.run.rerun.failed is applied once, with a warning, when its response is lost on the %s route",
    async (route) => {
      const embedded = await start();
      loseAnswer(embedded, "POST");
      const input = { ...HELLO, runId: getRun(embedded.github, "fix/empty-name").id };
      const said = await embedded.waybill.execute("workflow.run.rerun.failed", input, { route });
      expect(said.error).toBeNull();
      expect(said.data).toEqual({ runId: input.runId, queued: true });
      expect(said.meta.warnings).toEqual([
        expect.stringContaining("response to this write was lost"),
      ]);
      expect(embedded.github.applied()).toEqual({ rerun: 1 });
    },
  );

  it("release.create whose response is lost does not return an existing release as its own", async () => {
    const embedded = await start();
    const input = { ...HELLO, tagName: "v2.0.0" };
    embedded.github.faults.inject({ kind: "drop", match: { method: "POST", path: /releases$/u } });
    const { error } = await embedded.waybill.execute("release.create", input);
    expect(error?.details).toMatchObject({ outcome: "unknown" });
    expect(error?.retryable).toBe(false);
    expect(embedded.github.applied()).toEqual({});
  });

  it("release.publish is repeated after a lost response, and returns the state from before the first attempt", async () => {
    const embedded = await start();
    loseAnswer(embedded, "PATCH");
    const input = { ...HELLO, releaseId: releaseId(embedded.github, "v2.0.0") };
    const { data } = await embedded.waybill.execute("release.publish", input);
    expect(data).toMatchObject({ isDraft: false, wasDraft: true });
  });
});

describe("invalid states", () => {
  it.each<[string, (github: GithubEmulator) => object, string]>([
    ["workflow.run.cancel", (github) => ({ runId: getRun(github, "main").id }), "CONFLICT"],
    [
      "workflow.run.rerun.all",
      (github) => ({ runId: getRun(github, "feature/locale").id }),
      "CONFLICT",
    ],
    ["workflow.run.rerun.failed", (github) => ({ runId: getRun(github, "main").id }), "CONFLICT"],
    ["workflow.dispatch", () => ({ workflowId: "ci.yml", ref: "main" }), "VALIDATION"],
    ["workflow.dispatch", () => ({ workflowId: "publish.yml", ref: "nope" }), "VALIDATION"],
    ["release.create", () => ({ tagName: "v1.0.0" }), "VALIDATION"],
    ["release.view", () => ({ tagName: "v2.0.0" }), "NOT_FOUND"],
    ["release.delete", () => ({ releaseId: 999_999 }), "NOT_FOUND"],
    ["workflow.view", () => ({ workflowId: "nope.yml" }), "NOT_FOUND"],
    ["workflow.job.logs.view", () => ({ jobId: 999_999 }), "NOT_FOUND"],
  ])(
    "every GitHub route returns an equal error for an object whose state forbids the call: %s",
    async (id, params, code) => {
      const embedded = await start();
      const input = { ...HELLO, ...params(embedded.github) };
      for (const route of ["rest", "cli"] as const) {
        const { error } = await embedded.waybill.execute(id, input, { route });
        expect([route, error?.code]).toEqual([route, code]);
      }
      expect(embedded.github.applied()).toEqual({});
    },
  );

  it("the project capabilities return NOT_FOUND for a missing project, owner or item", async () => {
    const { waybill } = await start();
    const calls: readonly (readonly [string, object])[] = [
      ["project_v2.org.view", { org: "octo", projectNumber: 99 }],
      ["project_v2.org.view", { org: "octocat", projectNumber: 1 }],
      ["project_v2.user.view", { user: "nobody", projectNumber: 1 }],
      ["project_v2.fields.list", { owner: "nobody", projectNumber: 1 }],
      ["project_v2.items.list", { owner: "octo", projectNumber: 99 }],
      ["project_v2.items.issue.remove", { ...ROADMAP, itemId: "PVTI_nope" }],
      ["project_v2.items.issue.remove", { ...ROADMAP, itemId: 999_999 }],
      [
        "project_v2.items.issue.add",
        { ...ROADMAP, issueUrl: "https://github.com/octo/hello/issues/999" },
      ],
    ];
    for (const [id, params] of calls) {
      const { error } = await waybill.execute(id, { ...params });
      expect([id, params, error?.code]).toEqual([id, params, "NOT_FOUND"]);
    }
  });
});

describe("draft releases", () => {
  it("release.update changes the draft state of a release only if draft is given", async () => {
    const { waybill, github } = await start();
    const draft = { ...HELLO, releaseId: releaseId(github, "v2.0.0") };
    const out = { ...HELLO, releaseId: releaseId(github, "v1.0.0") };
    const edited = await waybill.execute("release.update", { ...draft, title: "Two" });
    expect(edited.data).toMatchObject({ isDraft: true, name: "Two" });
    const kept = await waybill.execute("release.update", { ...out, title: "One" });
    expect(kept.data).toMatchObject({ isDraft: false });
    const published = await waybill.execute("release.update", { ...draft, draft: false });
    expect(published.data).toMatchObject({ isDraft: false, wasDraft: true });
    const back = await waybill.execute("release.update", { ...out, draft: true });
    expect(back.data).toMatchObject({ isDraft: true });
  });
});

describe("project field values", () => {
  it("a project field's value is stored as it was set, even empty or zero, by node ids and by numbers", async () => {
    const { waybill, github } = await start();
    const { fields, items, nodeId } = github.store.projects[0]!;
    const [item] = items;
    const field = (name: string) => fields.find((one) => one.name === name)!;
    const set = (ids: object, value: object) =>
      waybill.execute("project_v2.items.field.update", { ...ids, ...value });
    for (const [name, value, kept] of [
      ["Notes", { valueText: "" }, ""],
      ["Notes", { valueText: "a\r\nb 👋" }, "a\r\nb 👋"],
      ["Estimate", { valueNumber: 0 }, 0],
      ["Status", { clear: true }, undefined],
    ] as const) {
      const { id, nodeId: fieldId } = field(name);
      for (const ids of [
        { projectId: nodeId, itemId: item!.nodeId, fieldId },
        { ...ROADMAP, itemId: item!.id, fieldId: id },
      ]) {
        item!.values.set(field(name), name === "Estimate" ? 9 : "before");
        expect((await set(ids, value)).error).toBeNull();
        expect(item!.values.get(field(name))).toBe(kept);
      }
    }
  });

  it("a project field rejects a value of the wrong type, several values and no value", async () => {
    const { waybill, github } = await start();
    const { fields, items, nodeId } = github.store.projects[0]!;
    const ids = { projectId: nodeId, itemId: items[0]!.nodeId, fieldId: fields[2]!.nodeId };
    for (const value of [
      {},
      { clear: false },
      { valueText: "a", valueNumber: 1 },
      { valueText: "a" },
    ]) {
      const { error } = await waybill.execute("project_v2.items.field.update", {
        ...ids,
        ...value,
      });
      expect(error?.code).toBe("VALIDATION");
    }
    expect(github.applied()).toEqual({});
  });
});

describe("logs", () => {
  it("every GitHub route returns the end and the start of a log of several megabytes", async () => {
    const { waybill, github } = await start();
    const { suite } = getRun(github, "fix/empty-name");
    const job = suite.checkRuns.find(({ name }) => name === "test")!;
    const failed = job.steps.at(-1)!;
    const stamp = failed.startedAt.replace("Z", ".0000000Z");
    const noise = Array.from({ length: 40_000 }, (_, n) => `${stamp} line ${n} ${"·".repeat(20)}`);
    Object.assign(failed, { log: `${noise.join("\n")}\n${failed.log}` });
    for (const route of ["rest", "cli"] as const) {
      const input = { ...HELLO, jobId: job.id };
      const view = await waybill.execute("workflow.job.logs.view", input, { route });
      expect(view.data).toMatchObject({ failedStep: "Run npm test", truncated: true });
      expect((view.data as { tail: string }).tail).toMatch(/exit code 1\.$/);
      const raw = await waybill.execute("workflow.job.logs.raw", { ...input, lines: 1 }, { route });
      expect((raw.data as { log: string }).log).toMatch(/exit code 1\.$/);
      const first = { ...input, lines: 1, skip: 40_000 + 10 };
      const head = await waybill.execute("workflow.job.logs.raw", first, { route });
      expect((head.data as { log: string }).log).toContain("Current runner version");
    }
  });

  it("every GitHub route returns TOO_LARGE for a log over the limit", async () => {
    const { waybill, github } = await start();
    const [job] = getRun(github, "main").suite.checkRuns;
    Object.assign(job!.steps[0]!, { log: `${"x".repeat(99)}\n`.repeat(210_000) });
    for (const route of ["rest", "cli"] as const) {
      const input = { ...HELLO, jobId: job!.id };
      const { error } = await waybill.execute("workflow.job.logs.raw", input, { route });
      expect([route, error?.code]).toEqual([route, "TOO_LARGE"]);
    }
  });

  it("a log is fetched from its storage host without the token", async () => {
    const { waybill, github } = await start();
    const [job] = getRun(github, "main").suite.checkRuns;
    for (const route of ["rest", "cli"] as const) {
      const input = { ...HELLO, jobId: job!.id };
      const { error } = await waybill.execute("workflow.job.logs.raw", input, { route });
      expect(error).toBeNull();
    }
    const stored = github.requests.filter(({ path }) => path.startsWith("/octo/hello/logs/"));
    expect(stored.map(({ status }) => status)).toEqual([200, 200]);
  });
});
