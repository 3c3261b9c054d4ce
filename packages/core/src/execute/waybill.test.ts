import { describe, expect, it } from "vitest";
import { fail, isResultEnvelope, mcpEnvelope, ResultEnvelopeSchema } from "../envelope/index.ts";
import type { ResultEnvelope } from "../envelope/index.ts";
import { defineOperation, defineSubscription } from "../operation/index.ts";
import { loadChecker } from "../schema/index.ts";
import { localSource } from "../source/index.ts";
import type { Source } from "../source/index.ts";
import { createWaybill } from "./index.ts";
import type { ListCapabilitiesOptions, Waybill } from "./index.ts";

const view = defineOperation({
  id: "issue.view",
  description: "Shows an issue. With its labels.",
  effect: "read",
  input: { type: "object", required: ["number"], properties: { number: { type: "integer" } } },
  output: { type: "object", required: ["title"], properties: { title: { type: "string" } } },
  handler: ({ number }) => ({ title: `Issue ${number}` }),
});
const close = defineOperation({
  id: "issue.close",
  description: "Closes an issue",
  access: { all: ["write"] },
  handler: () => "closed",
});
const merge = defineOperation({
  id: "pr.merge",
  description: "Merges a pull request",
  effect: "destructive",
  handler: () => {
    throw fail("CONFLICT", "not mergeable", { hint: "update the branch" });
  },
});
const hidden = defineOperation({
  id: "debug.dump",
  description: "Dumps everything",
  exposed: false,
  handler: () => null,
});
const watch = defineSubscription({
  id: "issue.watch",
  description: "Watches issues",
  access: { all: ["read"] },
  async *handler() {
    yield* [1, 2];
  },
});

function waybill(): Waybill {
  return createWaybill({ operations: [view, close, merge, hidden, watch] });
}

async function checked(answer: Promise<ResultEnvelope>): Promise<ResultEnvelope> {
  const envelope = await answer;
  const schema = (await loadChecker()).compile(ResultEnvelopeSchema);
  expect(schema.check(envelope) ? [] : schema.issues(envelope)).toEqual([]);
  expect(isResultEnvelope(envelope)).toBe(true);
  return envelope;
}

describe("Waybill.execute", () => {
  it("a successful read returns its data, and in its meta only the capability, route and reason", async () => {
    expect(await checked(waybill().execute("issue.view", { number: 1 }))).toEqual({
      ok: true,
      data: { title: "Issue 1" },
      error: null,
      meta: { capability_id: "issue.view", route_used: "local", reason: "DEFAULT_POLICY" },
    });
  });

  it("a successful write returns its request id", async () => {
    const { meta } = await checked(waybill().execute("issue.close"));
    expect(meta.request_id).toMatch(/^\w{7,}$/);
  });

  it("executeTask of a Waybill returns what execute returns", async () => {
    expect(await waybill().executeTask("issue.view", { number: 2 })).toMatchObject({
      data: { title: "Issue 2" },
    });
  });

  it("a destructive call of a Waybill needs an approval by default", async () => {
    const { error, meta } = await checked(waybill().execute("pr.merge"));
    expect(error).toMatchObject({
      code: "POLICY",
      details: { outcome: "not_applied", approve: expect.any(String) as unknown },
    });
    expect(meta).not.toHaveProperty("attempts");
  });

  it("a failed call returns the code, message and hint of the handler's error", async () => {
    const one = createWaybill({ operations: [merge], policy: { confirm: "none" } });
    const { error, meta, data } = await checked(one.execute("pr.merge"));
    expect(data).toBeNull();
    expect(error).toEqual({
      code: "CONFLICT",
      message: "not mergeable",
      retryable: false,
      details: { hint: "update the branch", outcome: "unknown" },
    });
    expect(meta.attempts).toMatchObject([
      { route: "local", status: "error", error_code: "CONFLICT" },
    ]);
  });

  it("a call of an unknown capability returns NOT_FOUND with the nearest ids", async () => {
    const { error, meta } = await checked(waybill().execute("isue.view", { number: 1 }));
    expect(error).toMatchObject({ code: "NOT_FOUND", retryable: false });
    expect(error?.details?.["did_you_mean"]).toContain("issue.view");
    expect(meta).not.toHaveProperty("route_used");
    expect(meta).not.toHaveProperty("attempts");
  });

  it.each([undefined, null, 7, {}, Symbol("id")])(
    "a call with an id that is not a string returns NOT_FOUND: %s",
    async (id) => {
      const { error, meta } = await checked(waybill().execute(id as string));
      expect([error?.code, meta.capability_id]).toEqual(["NOT_FOUND", ""]);
    },
  );

  it("a call with wrong params returns VALIDATION with their pointers", async () => {
    const { error } = await checked(waybill().execute("issue.view", { number: "one" }));
    expect(error).toMatchObject({ code: "VALIDATION", details: { issues: [{ path: "/number" }] } });
    expect(error?.details).not.toHaveProperty("outcome");
  });

  it("execute of a subscription is refused and says how to subscribe", async () => {
    const { error } = await checked(waybill().execute("issue.watch"));
    expect(error).toMatchObject({ code: "ADAPTER_UNSUPPORTED" });
    expect(error?.message).toContain('subscribe("issue.watch"');
  });

  it("a failure that an MCP tool reports becomes a failed call with the route mcp", async () => {
    const tool = defineOperation({
      id: "tool.run",
      description: "",
      handler: () =>
        mcpEnvelope([], { isError: true, content: [{ type: "text", text: "disk full" }] }),
    });
    const mute = defineOperation({
      id: "tool.mute",
      description: "",
      effect: "read",
      handler: () => mcpEnvelope([], { isError: true, content: [] }),
    });
    const tools = createWaybill({ operations: [tool, mute] });
    const { error, meta } = await checked(tools.execute("tool.run"));
    expect(error).toMatchObject({ code: "UNKNOWN", message: "disk full", retryable: false });
    expect(error?.details).toEqual({ outcome: "unknown" });
    expect(meta.route_used).toBe("mcp");
    const silent = await checked(tools.execute("tool.mute"));
    expect(silent.error).toMatchObject({ message: "The tool reported an error without a message" });
    expect(silent.error).not.toHaveProperty("details");
  });

  it("a result that breaks its output schema is returned with a warning", async () => {
    const odd = defineOperation({ ...view.spec, output: { type: "number" }, handler: () => 1 });
    const lying = createWaybill({
      operations: [{ ...odd, run: { kind: "local", handler: () => "one" } }],
    });
    const { ok, data, meta } = await checked(lying.execute("issue.view", { number: 1 }));
    expect([ok, data]).toEqual([true, "one"]);
    expect(meta.warnings).toEqual([
      expect.stringContaining("does not match its schema") as unknown,
    ]);
  });
});

describe("Waybill.as", () => {
  const reader = { id: "reader", scopes: ["read"] };

  it("Waybill.as(caller).execute is bound by the access rules", async () => {
    const { error } = await checked(waybill().as(reader).execute("issue.close"));
    expect(error).toMatchObject({ code: "POLICY", details: { outcome: "not_applied" } });
    const writer = { id: "writer", scopes: ["write"] };
    expect((await waybill().as(writer).execute("issue.close")).ok).toBe(true);
    const one = createWaybill({ operations: [close], identity: reader });
    expect((await one.execute("issue.close")).error?.code).toBe("POLICY");
  });

  it("Waybill.as(caller).subscribe is bound by the access rules", async () => {
    const values = waybill().as(reader).subscribe("issue.watch");
    expect((await values.next()).value).toMatchObject({ data: 1 });
    const nobody = waybill().as({ id: "nobody", scopes: [] });
    await expect(nobody.subscribe("issue.watch").next()).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
  });
});

async function ids(options: ListCapabilitiesOptions): Promise<string[]> {
  const list = await waybill().list_capabilities(options);
  return list.map(({ capability_id }) => capability_id);
}

describe("list of capabilities", () => {
  it("list_capabilities returns exposed capabilities, sorted by id", async () => {
    expect(await waybill().list_capabilities()).toEqual([
      { capability_id: "issue.close", description: "Closes an issue" },
      { capability_id: "issue.view", description: "Shows an issue." },
      { capability_id: "issue.watch", description: "Watches issues" },
      { capability_id: "pr.merge", description: "Merges a pull request" },
    ]);
  });

  it("list_capabilities filters by domain and limit", async () => {
    expect(await ids({ domain: "pr" })).toEqual(["pr.merge"]);
    expect(await ids({ limit: 1 })).toEqual(["issue.close"]);
    expect(await ids({ limit: -1 })).toEqual([]);
    expect(await ids({ query: "issue", domain: "pr" })).toEqual([]);
    expect(await ids({ query: "merges issue", domain: "pr", limit: 1 })).toEqual(["pr.merge"]);
  });

  it("list_capabilities with a query finds capabilities that are not listed", async () => {
    const [hit] = await waybill().list_capabilities({ query: "dump" });
    expect(hit).toEqual({ capability_id: "debug.dump", description: "Dumps everything" });
  });

  it.each([
    ["a".repeat(120), "a".repeat(120)],
    ["a".repeat(121), `${"a".repeat(119)}…`],
    ["🧭".repeat(121), `${"🧭".repeat(119)}…`],
    [`Long ${"words ".repeat(150)}end. More`, `Long ${"words ".repeat(19).trim()}…`],
    ["\n  Shows it.\nAll of it", "Shows it."],
  ])(
    "list_capabilities cuts a description to one line of 120 characters: %j",
    async (description, line) => {
      const long = defineOperation({ id: "long.one", description, handler: () => null });
      const one = createWaybill({ operations: [long] });
      const item = { capability_id: "long.one", description: line };
      expect(await one.list_capabilities()).toEqual([item]);
      expect(await one.list_capabilities({ query: "long" })).toEqual([item]);
    },
  );
});

describe("sources of a Waybill", () => {
  const broken: Source = {
    ...localSource("broken", []),
    list: () => Promise.reject(new Error("no such file")),
  };
  const hanging: Source = { ...localSource("hanging", []), list: () => new Promise(() => {}) };

  it("a source is loaded once, when it is needed, and is closed with the Waybill", async () => {
    let lists = 0;
    let closes = 0;
    const source: Source = { ...localSource("github", [view]) };
    const counted: Source = {
      ...source,
      list: () => {
        lists += 1;
        return source.list();
      },
      close: async () => {
        closes += 1;
      },
    };
    const one = createWaybill({ operations: [close], sources: [counted] });
    await one.execute("issue.close");
    expect(lists).toBe(0);
    await Promise.all([one.execute("issue.view", { number: 1 }), one.explain("issue.view")]);
    await one.list_capabilities();
    expect(lists).toBe(1);
    await one.close();
    expect(closes).toBe(1);
    expect((await one.execute("issue.view", { number: 1 })).error?.code).toBe("NOT_FOUND");
  });

  it("a source that fails to load is reported, and other sources can be called", async () => {
    const problems: unknown[] = [];
    const observer = { onProblem: (problem: unknown) => problems.push(problem) };
    const sources = [broken, localSource("github", [view, merge])];
    const one = createWaybill({ operations: [merge], sources, observer });
    expect((await one.execute("issue.view", { number: 1 })).ok).toBe(true);
    expect(problems).toMatchObject([
      { source: "broken", operationId: "", message: "no such file" },
    ]);
  });

  it("a call waits for a source that never loads only until its deadline", async () => {
    const one = createWaybill({ operations: [view], sources: [hanging] });
    expect((await one.execute("issue.view", { number: 1 })).ok).toBe(true);
    const late = await checked(one.execute("other.thing", {}, { deadline_ms: 20 }));
    expect(late.error).toMatchObject({ code: "TIMEOUT" });
    const gone = one.execute("other.thing", {}, { signal: AbortSignal.abort() });
    expect((await checked(gone)).error).toMatchObject({ code: "CANCELLED" });
    const wrong = one.execute("other.thing", {}, { deadline_ms: -1 });
    expect((await checked(wrong)).error).toMatchObject({ code: "VALIDATION" });
  });

  it("the operations of a source keep their access rules in a Waybill", async () => {
    const one = createWaybill({ sources: [localSource("github", [close, view])] });
    const reader = one.as({ id: "reader", scopes: ["read"] });
    expect((await reader.execute("issue.close")).error?.code).toBe("POLICY");
    expect((await reader.execute("issue.view", { number: 1 })).ok).toBe(true);
  });

  it("a subscription loads the source of its operation", async () => {
    const one = createWaybill({ sources: [localSource("github", [watch])] });
    const values: unknown[] = [];
    for await (const { data } of one.subscribe("issue.watch")) values.push(data);
    expect(values).toEqual([1, 2]);
  });
});
