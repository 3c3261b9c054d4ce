import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Waybill } from "@waybill/core";
import { createIssue } from "../emulator/store/mutations/issues.ts";
import { createRelease } from "../emulator/store/mutations/releases.ts";
import { cards } from "./cards.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";
import { each, onEach, ownWorlds } from "./fixtures/own-world.ts";

type Name = "graphql" | "rest" | "cli";
const ROUTES: readonly Name[] = ["graphql", "rest", "cli"];
const HELLO = { owner: "octo", name: "hello" };

const start = ownWorlds();

function getHello({ github }: Embedded) {
  return github.store.repositories.find(({ name }) => name === "hello")!;
}

/** Whether a request was sent only to the paths that this capability uses. */
function isInRepository({ path }: { readonly path: string }): boolean {
  return path === "/graphql" || /^\/repos\/[^/]+\/[^/]+(?:\/releases\/tags\/[^/]+)?$/.test(path);
}

describe("hostile names", () => {
  let shared: Embedded;
  beforeAll(async () => {
    shared = await startEmbedded();
  });
  afterAll(() => shared.close());

  const HOSTILE = [
    "..",
    ".",
    "",
    " ",
    "hello/issues",
    "../../user",
    "..%2f..%2fuser",
    "hello?x=1",
    "hello#x",
    "--web",
    "-X",
    "{name}",
    ":owner",
    "@me",
    "https://example.com",
    "héllo",
    "hello\n",
    "hello\u0000",
    "\uD800",
  ];

  it.each(HOSTILE.map((name) => [JSON.stringify(name), name] as const))(
    "no request leaves the repository's paths for the hostile name %s",
    async (_, name) => {
      for (const params of [
        { owner: name, name: "hello" },
        { owner: "octo", name },
      ]) {
        for (const route of ROUTES) {
          const { error } = await shared.waybill.execute("repo.view", params, { route });
          expect(["NOT_FOUND", "VALIDATION"]).toContain(error?.code);
        }
      }
      const tag = { ...HELLO, tagName: name };
      for (const route of ["rest", "cli"] as const) {
        const { error } = await shared.waybill.execute("release.view", tag, { route });
        expect(["NOT_FOUND", "VALIDATION"]).toContain(error?.code);
      }
      expect(shared.github.requests.filter((request) => !isInRepository(request))).toEqual([]);
    },
  );

  it.each([
    ["repo.view", { owner: "..", name: "hello" }],
    ["repo.view", { owner: "octo", name: "." }],
    ["repo.view", { repo: "octo/.." }],
    ["issue.create", { owner: "octo", name: "..", title: "Where?" }],
    ["repo.list", { owner: ".." }],
    ["project_v2.org.view", { org: "..", projectNumber: 1 }],
    ["user.view", { login: "." }],
    ["notification.list", { repository: "../user" }],
  ])("a name of dots is rejected before anything is sent: %s %j", async (id, input) => {
    const { waybill, github } = await start();
    for (const route of ROUTES) {
      const { error } = await waybill.execute(id, input, { route });
      expect(error).toMatchObject({ code: "VALIDATION" });
      expect(error?.message).toContain("must be a name");
    }
    expect(github.requests).toEqual([]);
  });

  it("tags with special characters are found and are encoded in URLs", async () => {
    const embedded = await start();
    const hello = getHello(embedded);
    const [{ author }] = hello.releases as [(typeof hello.releases)[number]];
    for (const tagName of ["-rc/1 – ü", "--web", "v1%2F2", "{tag}"].map((name) =>
      name.replaceAll(" ", "_"),
    )) {
      createRelease(embedded.github.store, author, hello, { tagName });
      for (const route of ["rest", "cli"] as const) {
        const tag = { ...HELLO, tagName };
        const { data } = await embedded.waybill.execute("release.view", tag, { route });
        expect(data).toMatchObject({ tagName });
      }
    }
  });
});

describe("numbers", () => {
  it("number inputs accept strings and URLs", async () => {
    const embedded = await start();
    const { id } = getHello(embedded).runs[0]!;
    for (const params of [
      { ...HELLO, runId: id },
      { ...HELLO, runId: String(id) },
      { ...HELLO, run_id: `#${id}` },
      { url: `https://github.com/octo/hello/actions/runs/${id}` },
      { runId: `https://github.com/octo/hello/actions/runs/${id}/job/1` },
    ]) {
      const { data, error } = await embedded.waybill.execute("workflow.run.view", params);
      expect(error).toBeNull();
      expect(data).toMatchObject({ id });
    }
  });

  it.each(
    ["one", "1.5", "0", "-1", "1e3x", "", null, [1], {}, "https://github.com/octo/hello"].map(
      (value) => [value],
    ),
  )("an invalid number is rejected before anything is sent: %j", async (runId) => {
    const { waybill, github } = await start();
    const { error } = await waybill.execute("workflow.run.view", { ...HELLO, runId });
    expect(error).toMatchObject({ code: "VALIDATION" });
    expect(github.requests).toEqual([]);
  });
});

describe("numbers out of range", () => {
  it.each(["0", "01", 0, 2_147_483_648])(
    "the error for a number out of range names the allowed range: %j",
    async (wrong) => {
      const { waybill, github } = await start();
      for (const route of ROUTES) {
        const input = { ...HELLO, issueNumber: wrong };
        const { error } = await waybill.execute("issue.view", input, { route });
        expect(error).toMatchObject({ code: "VALIDATION" });
        expect(error?.message).toContain(
          "/issueNumber must be a whole number from 1 to 2147483647",
        );
      }
      expect(github.requests).toEqual([]);
    },
  );
});

describe("URLs as inputs", () => {
  it("a write sends nothing if its URL contradicts its repository input", async () => {
    const { waybill, github } = await start();
    const issueNumber = "https://github.com/octo/atlas/issues/1";
    const input = { ...HELLO, issueNumber, body: "Where to?" };
    const { error } = await waybill.execute("issue.comments.create", input);
    expect(error).toMatchObject({ code: "VALIDATION", details: { outcome: "not_applied" } });
    expect(error?.message).toMatch(/name=atlas.*name=hello/);
    expect(github.requests).toEqual([]);
  });

  it.each([
    ["issue.close", { url: "https://github.com/octo/hello/discussions/2" }],
    ["issue.view", { url: "https://github.com/octo/hello/milestone/1" }],
    ["pr.merge", { prNumber: "https://github.com/octo/hello/issues/6" }],
    ["workflow.job.logs.view", { jobId: "https://github.com/octo/hello/actions/runs/1002" }],
  ])("%s sends nothing for the URL of another kind of object", async (id, input) => {
    const { waybill, github } = await start();
    const { error } = await waybill.execute(id, input);
    expect(error?.code).toBe("VALIDATION");
    expect(github.requests).toEqual([]);
  });

  const ELSEWHERE = "https://github.com.example/octo/hello/issues/1";
  it.each([
    ["issue.view", { issueNumber: ELSEWHERE }],
    ["issue.comments.delete", { commentId: `${ELSEWHERE}#issuecomment-1` }],
    ["issue.comments.update", { commentId: ELSEWHERE, body: "Hm" }],
    ["project_v2.items.issue.add", { owner: "octo", projectNumber: 1, issueUrl: ELSEWHERE }],
  ])("%s sends nothing for a URL of another host", async (id, input) => {
    const { waybill, github } = await start();
    for (const route of ROUTES) {
      const { error } = await waybill.execute(id, input, { route });
      expect(error).toMatchObject({ code: "VALIDATION" });
      expect(error?.message).toContain("is an address on github.com.example");
    }
    expect(github.requests).toEqual([]);
  });

  it("workflow.job.logs.view resolves the URL of a job to the job, not to its run", async () => {
    const { waybill, github } = await start();
    const jobId = "https://github.com/octo/hello/actions/runs/1002/job/1004";
    await waybill.execute("workflow.job.logs.view", { jobId });
    const paths = github.requests.map(({ path }) => path).filter((path) => /jobs/.test(path));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !/\/jobs\/1004(?:\/|$)/.test(path))).toEqual([]);
  });
});

describe("renamed repository", () => {
  const OLD = { owner: "octo", name: "hello-world" };

  it("every GitHub route reads a renamed repository by its old name", async () => {
    const embedded = await start();
    const { data } = await embedded.waybill.execute("repo.view", HELLO);
    const said = await onEach(embedded, "repo.view", OLD, (one) => one.data);
    expect(said).toEqual(each(data));
  });

  it("every GitHub route writes once to a renamed repository by its old name", async () => {
    for (const route of ROUTES) {
      const { waybill, github } = await start();
      const input = { ...OLD, title: "Moved?" };
      const { error } = await waybill.execute("issue.create", input, { route });
      expect([route, error, github.applied()]).toEqual([route, null, { createIssue: 1 }]);
    }
  });
});

const hasIssueView = cards.cardById("issue.view") !== undefined;

describe("pull request number for an issue", () => {
  it.runIf(hasIssueView)(
    "every GitHub route returns NOT_FOUND for a pull request number where an issue is needed",
    async () => {
      const embedded = await start();
      const pull = { ...HELLO, issueNumber: 6 };
      const said = await onEach(embedded, "issue.view", pull, ({ error }) => error?.code);
      expect(said).toEqual(each("NOT_FOUND"));
    },
  );
});

describe("long lists", () => {
  const COUNT = 100;

  async function walk(
    waybill: Waybill,
    id: string,
    input: Readonly<Record<string, unknown>>,
    idOf: (item: Readonly<Record<string, unknown>>) => unknown,
  ): Promise<{ readonly pages: number; readonly ids: unknown[] }> {
    const ids: unknown[] = [];
    let after: string | undefined;
    for (let pages = 1; ; pages += 1) {
      const page = after === undefined ? {} : { after };
      const { data, error, meta } = await waybill.execute(id, { ...HELLO, ...input, ...page });
      expect(error).toBeNull();
      ids.push(...(data as { items: Record<string, unknown>[] }).items.map(idOf));
      after = meta.pagination?.end_cursor ?? undefined;
      expect(meta.pagination?.has_next_page).toBe(after !== undefined);
      if (after === undefined || pages > COUNT * 2) return { pages, ids };
    }
  }

  it.each<[Name, number]>([
    ["graphql", 1],
    ["rest", 1],
    ["cli", 5],
  ])(
    "a long list can be read to its end on the %s route, %i items at a time",
    async (route, first) => {
      const embedded = await start();
      const hello = getHello(embedded);
      const { store } = embedded.github;
      const author = store.users.find(({ login }) => login === "octocat")!;
      const known = [...hello.issues.values()].filter(({ type }) => type === "Issue").length;
      for (let n = known; n < COUNT; n += 1) {
        createIssue(store, author, hello, { title: `Issue ${n}`, body: "" });
      }
      const input = { state: "all", first };
      const { pages, ids } = await walk(
        embedded.by(route),
        "issue.list",
        input,
        ({ number }) => number,
      );
      expect(pages).toBe(COUNT / first);
      expect(new Set(ids).size).toBe(COUNT);
    },
  );

  it("the gh route returns several megabytes without loss", async () => {
    const embedded = await start();
    const hello = getHello(embedded);
    const [{ author }] = hello.releases as [(typeof hello.releases)[number]];
    const body = "ü".repeat(60_000);
    for (let n = 0; n < 40; n += 1) {
      createRelease(embedded.github.store, author, hello, { tagName: `v3.${n}.0`, body });
    }
    const input = { ...HELLO, first: 100 };
    const said = new Map<Name, unknown>();
    for (const route of ["rest", "cli"] as const) {
      const { data } = await embedded.waybill.execute("release.list", input, { route });
      said.set(route, (data as { items: object[] }).items);
    }
    expect(said.get("cli")).toHaveLength(44);
    expect(said.get("cli")).toEqual(said.get("rest"));
  });
});

describe("long strings", () => {
  const LONGEST = 65_536;

  it("every GitHub route accepts strings up to GitHub's limit", async () => {
    const embedded = await start();
    const body = `a\r\n👋${"x".repeat(LONGEST - 4)}`;
    for (const route of ROUTES) {
      const input = { ...HELLO, title: "Long", body };
      const { data, error } = await embedded.waybill.execute("issue.create", input, { route });
      expect(error).toBeNull();
      const { number } = data as { number: number };
      expect(getHello(embedded).issues.get(number)?.body).toBe(body);
    }
  });

  it("strings over GitHub's limit are rejected before anything is sent", async () => {
    const { waybill, github } = await start();
    const input = { ...HELLO, title: "Long", body: "x".repeat(LONGEST + 1) };
    const { error } = await waybill.execute("issue.create", input);
    expect(error).toMatchObject({ code: "VALIDATION", details: { outcome: "not_applied" } });
    expect(error?.message.length).toBeLessThan(1_000);
    expect(github.requests).toEqual([]);
  });
});

describe("emoji, line ends and quotes", () => {
  const TEXT = "👩‍👩‍👧 \"a\" 'b' `c` $d %e \\n \\\r\nzwei\r\n\tdrei\u2028 ¼ 中文 \u202E";
  const TITLE = TEXT.replaceAll(/[\r\n]/g, " ");

  it("every GitHub route keeps emoji, line ends and quotes", async () => {
    const embedded = await start();
    const hello = getHello(embedded);
    for (const route of ROUTES) {
      const input = { ...HELLO, title: TITLE, body: TEXT };
      const { data } = await embedded.waybill.execute("issue.create", input, { route });
      const { number } = data as { number: number };
      expect(hello.issues.get(number)).toMatchObject({ title: TITLE, body: TEXT });
    }
    for (const route of ["rest", "cli"] as const) {
      const input = { ...HELLO, tagName: `t-${route}`, title: TITLE, notes: TEXT };
      await embedded.waybill.execute("release.create", input, { route });
      const made = hello.releases.find(({ tagName }) => tagName === input.tagName);
      expect(made).toMatchObject({ name: TITLE, body: TEXT });
    }
  });
});

describe("update without a change", () => {
  it.each([
    [
      "issue.update",
      { number: 1 },
      "needs at least one of title, body, state, milestone, type, labels",
    ],
    ["pr.update", { number: 6 }, "needs at least one of title, body, base, state, draft"],
    ["label.update", { label: "bug" }, "needs at least one of newName, color, description"],
  ])("%s without a change lists what it can change", async (id, params, message) => {
    const embedded = await startEmbedded();
    try {
      const { error } = await embedded.waybill.execute(id, { repo: "octo/hello", ...params });
      expect(error).toMatchObject({
        code: "VALIDATION",
        details: { outcome: "not_applied" },
      });
      expect(error?.message).toContain(`Invalid input for ${id}: ${message}`);
    } finally {
      await embedded.close();
    }
  });
});
