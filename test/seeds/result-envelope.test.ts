import { createWaybill, defineOperation, fail, isResultEnvelope, mcpEnvelope } from "@waybill/core";
import type { ErrorCode, ResultEnvelope, Route } from "@waybill/core";
import { oneRouteOperation } from "@waybill/core/cards";
import { executeTask } from "waybill";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startEmbedded } from "../../packages/github/src/pack/fixtures/embedded.ts";
import type { Embedded } from "../../packages/github/src/pack/fixtures/embedded.ts";
import { executeWithRetry, throwIfError } from "./snippets/result-envelope.ts";
import { useEmbeddedGithub } from "./support/embedded-github.ts";

const HELLO = { owner: "octo", name: "hello" };
const ROUTES: readonly Route[] = ["graphql", "rest", "cli"];

async function open(): Promise<Embedded> {
  const embedded = await startEmbedded({ waybill: { retry: { maxAttempts: 1 } } });
  onTestFinished(() => embedded.close());
  return embedded;
}

/** A capability that fails in one way. */
function failing(code: ErrorCode): Promise<ResultEnvelope> {
  const task = defineOperation({
    id: "task.fail",
    description: "Fails",
    effect: "read",
    handler: () => {
      throw fail(code, `It failed with ${code}`);
    },
  });
  return createWaybill({ operations: [task] }).execute("task.fail");
}

describe("Structure", () => {
  it("the envelope of a success has all four keys and no error", async () => {
    const { waybill } = await open();
    const result = await waybill.execute("repo.view", HELLO);
    expect(Object.keys(result)).toEqual(["ok", "data", "error", "meta"]);
    expect(result).toMatchObject({ ok: true, error: null, meta: { capability_id: "repo.view" } });
    expect(isResultEnvelope(result)).toBe(true);
  });

  it("the envelope of a failure has all four keys and no data", async () => {
    const { waybill } = await open();
    const result = await waybill.execute("repo.view", { owner: "octo", name: "nope" });
    expect(Object.keys(result)).toEqual(["ok", "data", "error", "meta"]);
    expect(result).toMatchObject({
      ok: false,
      data: null,
      error: { code: "NOT_FOUND", message: expect.any(String) as string, retryable: false },
      meta: { capability_id: "repo.view", route_used: "graphql" },
    });
  });
});

describe("Reading the Envelope", () => {
  it("repo.view returns the fields of the specification's example", async () => {
    const { waybill } = await open();
    const { data, meta } = await waybill.execute("repo.view", HELLO);
    expect(data).toMatchObject({
      id: expect.any(String) as string,
      name: "hello",
      nameWithOwner: "octo/hello",
      description: expect.any(String) as string,
      isPrivate: false,
    });
    expect(meta).toMatchObject({ route_used: "graphql", reason: "CARD_PREFERRED" });
  });

  it.each(ROUTES)("NOT_FOUND by %s has owner and repo in the details", async (route) => {
    const { waybill } = await open();
    const missing = { owner: "invalid-owner", name: "invalid-repo" };
    const { error, meta } = await waybill.execute("repo.view", missing, { route });
    expect(error).toEqual({
      code: "NOT_FOUND",
      message: "Repository invalid-owner/invalid-repo was not found",
      retryable: false,
      details: { owner: "invalid-owner", repo: "invalid-repo" },
    });
    expect(meta.reason).toBe("DEFAULT_POLICY");
  });
});

describe("error.code and error.retryable", () => {
  it.each([
    ["AUTH", false],
    ["NOT_FOUND", false],
    ["VALIDATION", false],
    ["RATE_LIMIT", true],
    ["NETWORK", true],
    ["SERVER", true],
    ["ADAPTER_UNSUPPORTED", false],
    ["UNKNOWN", false],
  ] as const)("an error with the code %s has retryable %s", async (code, retryable) => {
    const { error } = await failing(code);
    expect(error).toMatchObject({ code, retryable, message: `It failed with ${code}` });
  });

  it("the details of RATE_LIMIT say how long to wait", async () => {
    const embedded = await open();
    const { github } = embedded;
    github.faults.inject({ kind: "rate-limit", limit: "secondary", retryAfter: 3_600 });
    const options = { deadline_ms: 600_000 };
    const { error } = await embedded.by("rest").execute("repo.view", HELLO, options);
    expect(error).toMatchObject({ code: "RATE_LIMIT", retryable: true });
    expect(error?.details?.["retry_after_ms"]).toBeGreaterThan(0);
  });

  it("a route that is not configured returns ADAPTER_UNSUPPORTED without a retry", async () => {
    const embedded = await open();
    const { error, meta } = await embedded.by("mcp").execute("repo.view", HELLO);
    expect(error).toMatchObject({ code: "ADAPTER_UNSUPPORTED", retryable: false });
    expect(meta.reason).toBeDefined();
    expect(meta.attempts?.every(({ status }) => status === "skipped")).toBe(true);
  });
});

describe("error.details", () => {
  it("the details of VALIDATION list each invalid input with its problem", async () => {
    const { waybill } = await open();
    const { error } = await waybill.execute("repo.view", {});
    expect(error).toMatchObject({ code: "VALIDATION", retryable: false });
    expect(error?.details?.["issues"]).toContainEqual(
      expect.objectContaining({ path: "/owner", missing: true }),
    );
  });

  it("an error without details has no member details", async () => {
    expect((await failing("SERVER")).error).not.toHaveProperty("details");
  });
});

describe("meta.route_used", () => {
  it.each(ROUTES)("the meta of an answer by %s names the route", async (route) => {
    const { waybill } = await open();
    const { ok, meta } = await waybill.execute("repo.view", HELLO, { route });
    expect([ok, meta.route_used]).toEqual([true, route]);
  });
});

describe("meta.reason", () => {
  it.each([
    ["the card's first route", "CARD_PREFERRED", () => undefined],
    [
      "another route, after the first one failed",
      "PREFERRED_ROUTE_FAILED",
      ({ github }: Embedded) => github.faults.inject({ kind: "drop", match: { path: "/graphql" } }),
    ],
  ])("an answer by %s has the reason %s", async (_, reason, prepare) => {
    const embedded = await open();
    prepare(embedded);
    const { ok, meta } = await embedded.waybill.execute("repo.view", HELLO);
    expect([ok, meta.reason]).toEqual([true, reason]);
  });

  it("the reason is PREFERRED_ROUTE_FAILED even when every fallback fails", async () => {
    const { github, waybill } = await open();
    github.faults.inject({ kind: "drop", times: 20 });
    const { ok, meta } = await waybill.execute("repo.view", HELLO);
    expect([ok, meta.reason]).toEqual([false, "PREFERRED_ROUTE_FAILED"]);
  });

  it("the reason is ADAPTER_UNSUPPORTED when the preferred route is not configured", async () => {
    const embedded = await open();
    const { meta } = await embedded.by("rest").execute("repo.view", HELLO);
    expect(meta).toMatchObject({ route_used: "rest", reason: "ADAPTER_UNSUPPORTED" });
  });

  it("the second page of a list has the reason of the first page", async () => {
    const { waybill } = await open();
    const params = { ...HELLO, state: "all", first: 1 };
    const first = await waybill.execute("issue.list", params);
    const after = first.meta.pagination?.end_cursor;
    const second = await waybill.execute("issue.list", { ...params, after });
    expect([first.meta.reason, second.meta.reason]).toEqual(["CARD_PREFERRED", "CARD_PREFERRED"]);
  });
});

describe("meta.attempts: the status is the result of the attempt", () => {
  it("a tool answer with isError counts as a failed attempt", async () => {
    const response = mcpEnvelope([], {
      isError: true,
      content: [{ type: "text", text: "bad thing" }],
    });
    const tool = oneRouteOperation({
      spec: {
        id: "tool.call",
        description: "Calls a tool",
        effect: "read",
        idempotent: true,
        kind: "call",
        parameters: [],
        inputSchema: {},
        outputSchema: {},
      },
      route: "mcp",
      host: "",
      send: () => Promise.resolve({ response, upstreamRequests: 1 }),
      describe: () => ({}),
    });
    const { ok, error, meta } = await createWaybill({ operations: [tool] }).execute("tool.call");
    expect(ok).toBe(false);
    expect(error).toMatchObject({ code: "UNKNOWN", message: "bad thing" });
    expect(meta.attempts).toMatchObject([{ route: "mcp", status: "error", error_code: "UNKNOWN" }]);
  });
});

describe("meta.cost", () => {
  it("meta.cost counts the tokens of the input and of the answer", async () => {
    const echo = defineOperation({
      id: "text.echo",
      description: "Answers what it gets",
      effect: "read",
      handler: (input) => input,
    });
    const waybill = createWaybill({ operations: [echo] });
    const short = await waybill.execute("text.echo", { text: "a" }, { trace: true });
    const long = await waybill.execute("text.echo", { text: "a b c ".repeat(50) }, { trace: true });
    expect(short.meta.cost?.tokens_in).toBeGreaterThan(2);
    expect(long.meta.cost?.tokens_in).toBeGreaterThan(short.meta.cost!.tokens_in! + 50);
    expect(long.meta.cost?.tokens_out).toBeGreaterThan(50);
  });
});

describe("Patterns: executeTask is a function of the package", () => {
  it("executeTask returns data with the type of the capability", async () => {
    await useEmbeddedGithub();
    const result = await executeTask("repo.view", { owner: "octo", name: "hello" });
    expect(result.error).toBeNull();
    if (!result.ok) throw new Error(result.error.message);
    const repoName: string = result.data.nameWithOwner;
    expect(repoName).toBe("octo/hello");
    expect(result.meta).toMatchObject({ capability_id: "repo.view", reason: "CARD_PREFERRED" });
  });

  it("executeTask answers a repeated write with an equal key from the journal", async () => {
    await useEmbeddedGithub();
    const input = { owner: "octo", name: "hello", title: "Once" } as const;
    const options = { idempotency_key: "seed-1" };
    const [first, again] = [
      await executeTask("issue.create", input, options),
      await executeTask("issue.create", input, options),
    ];
    expect(first).toMatchObject({ ok: true });
    expect(again).toMatchObject({ ok: true, data: first.data, meta: { replayed: true } });
  });

  it("executeTask returns an error envelope when the configuration cannot be read", async () => {
    await useEmbeddedGithub();
    vi.stubEnv("WAYBILL_CONFIG", "/nowhere/waybill.config.json");
    const { ok, error, meta } = await executeTask("repo.view", { owner: "octo", name: "hello" });
    expect({ ok, code: error?.code, meta }).toEqual({
      ok: false,
      code: "VALIDATION",
      meta: { capability_id: "repo.view" },
    });
  });

  it("executeTask accepts an id and input that are known only at run time", async () => {
    await useEmbeddedGithub();
    const [task, input]: [string, unknown] = ["issue.view", { owner: "octo", name: "hello" }];
    const { error } = await executeTask(task, input);
    expect(error).toMatchObject({ code: "VALIDATION", retryable: false });
  });
});

describe("Guarantees", () => {
  it("Waybill returns an envelope for every unusual input", async () => {
    const { waybill } = await open();
    const odd = [undefined, null, 1, "x", [], {}, { owner: 1 }, { owner: "octo", name: "" }];
    for (const id of ["repo.view", "nope.view", "", "graph"]) {
      for (const input of odd) {
        const result = await waybill.execute(id, input);
        expect([isResultEnvelope(result), typeof result.ok]).toEqual([true, "boolean"]);
        expect(result.ok ? result.error : result.data).toBeNull();
      }
    }
  });

  it("every route returns equal data for an equal call", async () => {
    const { waybill } = await open();
    const answers = await Promise.all(
      ROUTES.map((route) => waybill.execute("repo.view", HELLO, { route })),
    );
    const [first] = answers;
    for (const { ok, data, error } of answers) {
      expect({ ok, data, error }).toEqual({ ok: true, data: first!.data, error: null });
    }
  });
});

describe("Patterns", () => {
  it("the documented code that throws unless the call succeeded does so", async () => {
    await useEmbeddedGithub();
    expect(throwIfError(await executeTask("repo.view", HELLO))).toMatchObject({ name: "hello" });
    const missing = await executeTask("repo.view", { owner: "octo", name: "nope" });
    expect(() => throwIfError(missing)).toThrow("[NOT_FOUND] Repository octo/nope was not found");
  });

  it("the documented code that retries only a retryable error does so", async () => {
    const github = await useEmbeddedGithub();
    expect(await executeWithRetry("repo.view", HELLO)).toMatchObject({ ok: true });
    const before = github.requests.length;
    expect(await executeWithRetry("repo.view", { owner: "octo" })).toMatchObject({ ok: false });
    expect(github.requests.length).toBe(before);
  });

  it("the documented code that logs the route of an answer does so", async () => {
    await useEmbeddedGithub();
    const result = await executeTask("repo.view", HELLO, { trace: true });
    const lines = [
      `Executed ${result.meta.capability_id} via ${result.meta.route_used} (${result.meta.reason})`,
    ];
    if (result.meta.attempts) {
      result.meta.attempts.forEach((attempt) => {
        lines.push(`  - ${attempt.route}: ${attempt.status} (${attempt.duration_ms}ms)`);
      });
    }
    expect(lines.join("\n")).toMatch(
      /^Executed repo\.view via graphql \(CARD_PREFERRED\)\n {2}- graphql: success \([\d.]+ms\)$/u,
    );
  });

  it("the data of a successful repo.view can be read as a typed repository", async () => {
    type RepoView = { id: string; name: string; nameWithOwner: string; isPrivate: boolean };
    await useEmbeddedGithub();
    const result = await executeTask("repo.view", HELLO);
    const repo = result.ok ? (result.data as RepoView) : null;
    expect(repo?.nameWithOwner).toBe("octo/hello");
  });
});
