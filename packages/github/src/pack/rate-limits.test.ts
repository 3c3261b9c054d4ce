import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import type { LimitStore } from "@waybill/core/cards";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GithubEmulator } from "../emulator/index.ts";
import { startGithubEmulator } from "../emulator/index.ts";
import { TOKENS } from "../emulator/world/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import { githubApiSource } from "./api-source.ts";
import { githubGate } from "./gate.ts";
import { githubSource } from "./source.ts";

const HELLO = { owner: "octo", name: "hello" };
const EVER = 1_000_000;
const WORDS =
  "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";

async function world() {
  let requests = 0;
  const onExchange = (): void => void (requests += 1);
  const github = await startGithubEmulator({ clock: () => new Date(), onExchange });
  onTestFinished(() => github.close());
  return { github, count: () => requests };
}

function waybillOn(github: GithubEmulator, store?: LimitStore) {
  const transport = createHttpTransport();
  const place = {
    host: "github.com",
    restUrl: github.url,
    graphqlUrl: `${github.url}/graphql`,
    token: TOKENS.octocat,
    ghConfigDir: null,
  };
  const gate = githubGate(place, store);
  const around = { env: {}, transport, userAgent: "waybill-test", gate };
  const sources = [githubSource(place, around), githubApiSource(place, around)];
  const waybill = createWaybill({ sources, policy: { confirm: "none" } });
  onTestFinished(() => waybill.close());
  return waybill;
}

const secondary = {
  kind: "rate-limit",
  limit: "secondary",
  retryAfter: 600,
  times: EVER,
} as const;

describe("secondary rate limit", () => {
  it("a chain sends nothing more after GitHub rate-limits one request", async () => {
    const { github, count } = await world();
    github.faults.inject(secondary);
    const steps = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? { task: "issue.create", input: { ...HELLO, title: `Issue ${index}` } }
        : { task: "release.list", input: HELLO },
    );
    const { results } = await waybillOn(github).chain(steps, { on_error: "continue" });
    expect(results.map((result) => result.error?.code)).toEqual(steps.map(() => "RATE_LIMIT"));
    expect(count()).toBe(1);
  });

  it("a chain of parallel raw operations sends nothing more after GitHub rate-limits one request", async () => {
    const { github, count } = await world();
    github.faults.inject(secondary);
    const input = { owner: "octo", repo: "hello", issue_number: 1 };
    const steps = Array.from({ length: 20 }, () => ({ task: "github.issues.get", input }));
    const { results } = await waybillOn(github).chain(steps, { on_error: "continue" });
    expect(results.map((result) => result.error?.code)).toEqual(steps.map(() => "RATE_LIMIT"));
    expect(count()).toBe(1);
  });

  it.each([
    ["cards", { task: "release.list", input: HELLO }],
    [
      "raw operations",
      { task: "github.issues.get", input: { owner: "octo", repo: "hello", issue_number: 1 } },
    ],
  ])(
    "a chain of %s sends nothing more after a rate-limited request, even if earlier calls were answered",
    async (_, step) => {
      const { github, count } = await world();
      const waybill = waybillOn(github);
      const { error } = await waybill.execute("issue.view", { ...HELLO, issueNumber: 1 });
      expect(error).toBeNull();
      const before = count();
      github.faults.inject(secondary);
      const write = { task: "issue.create", input: { ...HELLO, title: "One more" } };
      const steps = Array.from({ length: 20 }, (_step, index) => (index % 4 === 0 ? write : step));
      const { results } = await waybill.chain(steps, { on_error: "continue" });
      expect(results.map((result) => result.error?.code)).toEqual(steps.map(() => "RATE_LIMIT"));
      expect(count() - before).toBe(1);
    },
  );

  it.each<[string, number, Record<string, string>, unknown]>([
    [
      "GraphQL with status 200 and a header",
      200,
      { "retry-after": "600" },
      { errors: [{ message: WORDS }] },
    ],
    ["GraphQL with status 200 alone", 200, {}, { errors: [{ message: WORDS }] }],
    [
      "the type RATE_LIMITED and a header",
      200,
      { "retry-after": "600" },
      { data: null, errors: [{ type: "RATE_LIMITED", message: "Slow down" }] },
    ],
    ["the message of a 403 alone", 403, {}, { message: WORDS }],
    ["a 429 alone", 429, {}, { message: "Too Many Requests" }],
    ["a Retry-After with a fraction", 429, { "retry-after": "600.5" }, {}],
    ["a Retry-After that is too large", 429, { "retry-after": "99999999999999" }, {}],
    ["a negative Retry-After", 429, { "retry-after": "-1" }, {}],
    ["a Retry-After with a word", 429, { "retry-after": "soon" }, {}],
    [
      "a Retry-After with a date",
      429,
      { "retry-after": new Date(Date.now() + 600_000).toUTCString() },
      {},
    ],
    ["a 503 with a Retry-After", 503, { "retry-after": "600" }, { message: "Unavailable" }],
  ])(
    "Waybill recognizes a secondary rate limit of GitHub by %s",
    async (_, status, headers, body) => {
      const { github, count } = await world();
      const waybill = waybillOn(github);
      const text = JSON.stringify(body);
      github.faults.inject({ kind: "status", status, headers, body: text, times: EVER });
      for (let call = 0; call < 3; call++) {
        const { error } = await waybill.execute("issue.view", { ...HELLO, issueNumber: 1 });
        expect(error?.code).toBe("RATE_LIMIT");
        expect(error?.details?.["retry_after_ms"]).toBeGreaterThan(30_000);
      }
      expect(count()).toBe(1);
    },
  );

  it("no later GitHub call is sent on any route until the rate limit ends", async () => {
    const { github, count } = await world();
    github.faults.inject(secondary);
    const waybill = waybillOn(github);
    for (let call = 0; call < 10; call++) {
      const { error } = await waybill.execute("issue.view", { ...HELLO, issueNumber: 1 });
      expect(error?.code).toBe("RATE_LIMIT");
      expect(error?.details?.["retry_after_ms"]).toBeGreaterThan(500_000);
    }
    expect(count()).toBe(1);
  });

  it("no later GitHub call is sent by gh until the rate limit ends", async () => {
    const embedded = await startEmbedded({ clock: () => new Date() });
    onTestFinished(() => embedded.close());
    embedded.github.faults.inject(secondary);
    const waybill = embedded.by("cli");
    for (let call = 0; call < 10; call++) {
      const { error } = await waybill.execute("issue.view", { ...HELLO, issueNumber: 1 });
      expect(error).toMatchObject({ code: "RATE_LIMIT" });
    }
    expect(embedded.github.requests).toHaveLength(1);
  });

  it("no other route sends a GitHub call after gh met a rate limit", async () => {
    const embedded = await startEmbedded({ clock: () => new Date() });
    onTestFinished(() => embedded.close());
    embedded.github.faults.inject(secondary);
    const params = { ...HELLO, issueNumber: 1 };
    for (const route of ["cli", "rest", "graphql"] as const) {
      const { error } = await embedded.waybill.execute("issue.view", params, { route });
      expect(error).toMatchObject({ code: "RATE_LIMIT" });
    }
    expect(embedded.github.requests).toHaveLength(1);
  });

  it("the trace shows how long a call waited for the end of a rate limit", async () => {
    const { github } = await world();
    github.faults.inject({ ...secondary, retryAfter: 1, times: 1 });
    const waybill = waybillOn(github);
    const params = { ...HELLO, issueNumber: 1 };
    const { error, meta } = await waybill.execute("issue.view", params, { trace: true });
    expect(error).toBeNull();
    const [limited, sent] = meta.attempts!;
    expect(limited).toMatchObject({ status: "error", error_code: "RATE_LIMIT" });
    expect(sent).toMatchObject({ status: "success" });
    expect(sent!.waited_ms).toBeGreaterThanOrEqual(900);
    expect(sent!.duration_ms).toBeGreaterThanOrEqual(sent!.waited_ms!);
  });

  it("a call waits for the end of a secondary rate limit when its deadline allows that", async () => {
    const { github, count } = await world();
    github.faults.inject({ ...secondary, retryAfter: 1, times: 1 });
    const waybill = waybillOn(github);
    const { error } = await waybill.execute("issue.view", { ...HELLO, issueNumber: 1 });
    expect([error, count()]).toEqual([null, 2]);
  });

  it("processes share a secondary rate limit through the state folder", async () => {
    const { openLimits } = await import("../../../state/src/limits/index.ts");
    const folder = await mkdtemp(join(tmpdir(), "waybill-limits-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, "limits.json");
    const { github, count } = await world();
    github.faults.inject(secondary);
    for (let process = 0; process < 3; process++) {
      const waybill = waybillOn(github, openLimits(path));
      const { error } = await waybill.execute("issue.view", { ...HELLO, issueNumber: 1 });
      expect(error?.code).toBe("RATE_LIMIT");
    }
    expect(count()).toBe(1);
  });
});

describe("primary rate limit", () => {
  it("a primary rate limit stops only calls that need the resource it names", async () => {
    const { github, count } = await world();
    const match = { path: "/graphql" };
    github.faults.inject({ kind: "rate-limit", limit: "primary", times: EVER, match });
    const waybill = waybillOn(github);
    const first = await waybill.execute("issue.view", { ...HELLO, issueNumber: 1 });
    expect([first.error, first.meta.route_used]).toEqual([null, "rest"]);
    const before = count();
    const next = await waybill.execute("issue.view", { ...HELLO, issueNumber: 2 });
    expect([next.meta.route_used, count() - before]).toEqual(["rest", 1]);
  });
});

describe("writes to one account", () => {
  it("writes to one GitHub account are sent one after the other, and the trace shows the waiting time", async () => {
    const { github } = await world();
    const match = { isWrite: true };
    github.faults.inject({ kind: "delay", delayMs: 50, times: EVER, match });
    const waybill = waybillOn(github);
    const calls = Array.from({ length: 4 }, (_, index) =>
      waybill.execute(
        "issue.comments.create",
        { ...HELLO, issueNumber: 1, body: `Comment ${index}` },
        { trace: true, route: "rest" },
      ),
    );
    const results = await Promise.all(calls);
    expect(results.map(({ error }) => error)).toEqual([null, null, null, null]);
    const waited = results.flatMap(({ meta }) => meta.attempts?.map((each) => each.waited_ms ?? 0));
    expect(waited.filter((ms) => (ms ?? 0) >= 40).length).toBeGreaterThanOrEqual(2);
  });
});
