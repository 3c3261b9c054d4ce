import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import { cardOperation, prepareCard } from "@waybill/core/cards";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { TOKENS } from "../emulator/world/index.ts";
import { checkoutRepository } from "./checkout.ts";
import { each, onEach, ownWorlds } from "./fixtures/own-world.ts";
import { githubKit } from "./kit.ts";
import type { GithubSurroundings } from "./surroundings.ts";
import type { GithubHost } from "./github-host.ts";
import { githubSource } from "./source.ts";

const HELLO = { owner: "octo", name: "hello" };
const PATH = process.env["PATH"];

const start = ownWorlds();
const transport = createHttpTransport();
const connected: Waybill[] = [];
const plainly: GithubSurroundings = { env: { PATH }, transport, userAgent: "waybill-test" };

afterEach(async () => {
  await Promise.all(connected.splice(0).map((waybill) => waybill.close()));
});
afterAll(() => transport.close());

/** The parts of the pack for a host, with their dependencies. */
function connect(place: GithubHost, around: Partial<GithubSurroundings> = {}): Waybill {
  const sources = [githubSource(place, { ...plainly, ...around })];
  const waybill = createWaybill({ sources, policy: { confirm: "none" } });
  connected.push(waybill);
  return waybill;
}

function errorCodeFor({ error }: ResultEnvelope): string | undefined {
  return error?.code;
}

describe("chains", () => {
  it("a chain keeps the data of each write, fails only bad steps, and combines shared reads", async () => {
    const embedded = await start();
    const create = (title: string) => ({ task: "issue.create", input: { ...HELLO, title } });
    const { results, status } = await embedded
      .by("graphql")
      .chain(
        [
          create("one"),
          { task: "issue.create", input: HELLO },
          { task: "repo.view", input: { owner: "octo", name: "nope" } },
          create("two"),
          { task: "repo.view", input: HELLO },
        ],
        { on_error: "continue" },
      );
    expect(status).toBe("partial");
    expect(results.map(errorCodeFor)).toEqual([
      undefined,
      "VALIDATION",
      "NOT_FOUND",
      undefined,
      undefined,
    ]);
    expect(results[0]!.data).toMatchObject({ title: "one" });
    expect(results[3]!.data).toMatchObject({ title: "two" });
    expect(embedded.github.applied()).toEqual({ createIssue: 2 });
    const asked = embedded.github.requests.flatMap(({ operations }) => operations);
    expect(asked.filter((name) => name === "RepositoryId")).toHaveLength(1);
  });

  it("a chain returns the data of single calls, even on different routes", async () => {
    const { waybill } = await start();
    const steps = [
      { task: "repo.view", input: HELLO },
      { task: "release.view", input: { ...HELLO, tagName: "v1.0.0" } },
      { task: "project_v2.items.list", input: { owner: "octo", projectNumber: 1 } },
      { task: "workflow.runs.list", input: { ...HELLO, first: 1 } },
    ];
    const { results } = await waybill.chain(steps);
    for (const [index, { task, input }] of steps.entries()) {
      const single = await waybill.execute(task, input);
      expect(results[index]!.data).toEqual(single.data);
      expect(results[index]!.meta.pagination).toEqual(single.meta.pagination);
    }
  });
});

describe("error codes", () => {
  it("a revoked token returns AUTH without a retry on every route", async () => {
    const embedded = await start(TOKENS.revoked);
    expect(await onEach(embedded, "repo.view", HELLO, errorCodeFor)).toEqual(each("AUTH"));
    expect(embedded.github.requests).toHaveLength(3);
    const { error } = await embedded.waybill.execute("repo.view", HELLO);
    expect(error).toMatchObject({ code: "AUTH", retryable: false });
  });

  it.each([
    [422, "author is not a valid login", "VALIDATION"],
    [404, "Bad credentials of the author were not found", "NOT_FOUND"],
    [409, "rate limit of the author", "CONFLICT"],
  ])(
    "GitHub's status %i with the message %j becomes the error code %s",
    async (status, message, code) => {
      const embedded = await start();
      const body = JSON.stringify({ message });
      embedded.github.faults.inject({ kind: "status", status, body, times: 3 });
      // GraphQL reports "not found" with status 200, so a 404 means that the endpoint does not
      // exist.
      const graphql = status === 404 ? "ADAPTER_UNSUPPORTED" : code;
      const expected = { ...each(code), graphql };
      expect(await onEach(embedded, "repo.view", HELLO, errorCodeFor)).toEqual(expected);
    },
  );

  it("the type of a GitHub GraphQL error decides the error code", async () => {
    const embedded = await start();
    const answers: readonly (readonly [string, string])[] = [
      ["UNPROCESSABLE", "VALIDATION"],
      ["FORBIDDEN", "AUTH"],
      ["NOT_FOUND", "NOT_FOUND"],
    ];
    for (const [type, code] of answers) {
      for (const route of ["graphql", "cli"] as const) {
        const errors = [{ type, path: ["repository"], message: "the author is not authorised" }];
        const body = JSON.stringify({ data: { repository: null }, errors });
        embedded.github.faults.inject({ kind: "status", status: 200, body });
        const { error } = await embedded.waybill.execute("issue.list", HELLO, { route });
        expect([route, error?.code]).toEqual([route, code]);
      }
    }
  });

  it("another route is used if gh is missing", async () => {
    const { place } = await start();
    const waybill = connect(place, { program: "no-such-gh", prefer: "cli" });
    const { data, meta } = await waybill.execute("repo.view", HELLO, { trace: true });
    expect(data).toMatchObject({ nameWithOwner: "octo/hello" });
    expect(meta).toMatchObject({
      route_used: "graphql",
      reason: "CLI_NOT_AVAILABLE",
      attempts: [
        { route: "cli", status: "skipped", error_code: "CLI_NOT_AVAILABLE" },
        { route: "graphql", status: "success" },
      ],
    });
    const forced = await waybill.execute("repo.view", HELLO, { route: "cli" });
    expect(forced.error).toMatchObject({ code: "ADAPTER_UNSUPPORTED" });
  });
});

/** The same GitHub as an Enterprise Server. */
function asEnterprise(place: GithubHost): GithubHost {
  const api = { restUrl: "http://ghe.test/api/v3", graphqlUrl: "http://ghe.test/api/graphql" };
  return { ...place, ...api, host: "ghe.test" };
}

describe("Enterprise host", () => {
  it("the gh route calls only the configured host, regardless of GH_HOST", async () => {
    const { place, github } = await start();
    const env = { PATH, GH_HOST: "github.com", GH_TOKEN: TOKENS.hubot };
    const waybill = connect(asEnterprise(place), { env });
    for (const route of ["graphql", "rest", "cli"] as const) {
      const { data } = await waybill.execute("repo.view", HELLO, { route });
      expect(data).toMatchObject({ url: "https://ghe.test/octo/hello" });
    }
    expect([...new Set(github.requests.map(({ host }) => host))]).toEqual(["ghe.test"]);
  });

  it("the token of github.com is not sent to another host", async () => {
    const { place, github } = await start();
    const { token: _token, ghToken: _ghToken, ...rest } = asEnterprise(place);
    const env = { PATH, GH_TOKEN: TOKENS.octocat, HOME: "/nonexistent" };
    const waybill = connect({ ...rest, tokenHost: "github.com" }, { env });
    const { error } = await waybill.execute("repo.view", HELLO);
    expect(error).toMatchObject({ code: "AUTH" });
    expect(github.requests).toEqual([]);
  });

  it("the URL of a run on another host is rejected", async () => {
    const { waybill, github } = await start();
    const runId = "https://ghe.test/octo/hello/actions/runs/1001";
    const { error } = await waybill.execute("workflow.run.cancel", { ...HELLO, runId });
    expect(error).toMatchObject({ code: "VALIDATION" });
    expect(github.requests).toEqual([]);
  });
});

describe("repository of the checkout", () => {
  it("the default repository is read from the remote that the checkout currently has", async () => {
    const { place, github } = await start();
    const folder = mkdtempSync(join(tmpdir(), "waybill-checkout-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const git = (...words: string[]): unknown => execFileSync("git", words, { cwd: folder });
    git("init", "--quiet");
    git("remote", "add", "origin", "git@github.com:octo/atlas.git");
    const env = { PATH, HOME: folder };
    const open = async (title: string): Promise<ResultEnvelope> => {
      const repository = await checkoutRepository(folder, place.host, env);
      return connect(place, { repository }).execute("issue.create", { title });
    };
    const old = await open("Before");
    git("remote", "set-url", "origin", "git@github.com:octo/hello.git");
    const now = await open("After");
    expect([old, now].map(({ data }) => (data as { url: string }).url)).toEqual([
      expect.stringContaining("/octo/atlas/"),
      expect.stringContaining("/octo/hello/"),
    ]);
    expect(github.applied()).toEqual({ createIssue: 2 });
  });
});

describe("missing features of the installed gh", () => {
  it("the gh route is skipped with a reason when the installed gh lacks a feature", async () => {
    const { place } = await start();
    const card = await prepareCard({
      capability_id: "repo.peek",
      version: "1.0.0",
      description: "Look at a repository",
      effect: "read",
      input_schema: { type: "object", properties: { owner: {}, name: {} } },
      output_schema: { type: "object", required: ["id"] },
      routing: { preferred: "cli", fallbacks: ["rest"] },
      rest: { method: "GET", path: "/repos/{owner}/{name}", output: { id: "node_id" } },
      cli: {
        command: "repo peek",
        jsonFields: ["id"],
        output: { id: "id" },
        min_gh_version: "99.0",
      },
    });
    const operations = [cardOperation(card, githubKit(place, plainly))];
    const waybill = createWaybill({ operations });
    connected.push(waybill);
    const { meta } = await waybill.execute("repo.peek", HELLO, { trace: true });
    expect(meta).toMatchObject({
      route_used: "rest",
      reason: "CAPABILITY_LIMIT",
      attempts: [{ route: "cli", status: "skipped", error_code: "CLI_VERSION" }, { route: "rest" }],
    });
  });
});
