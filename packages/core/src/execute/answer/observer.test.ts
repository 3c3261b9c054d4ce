import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { prepareCard } from "../../cards/index.ts";
import { fail, httpEnvelope } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import type { Operation } from "../../operation/index.ts";
import { cardOperation, memoryJournal } from "../../router/index.ts";
import type { RouteAnswer } from "../../router/index.ts";
import { localSource } from "../../source/index.ts";
import { createWaybill } from "../index.ts";
import type { CallRecord, Observer, Waybill, WaybillOptions } from "../index.ts";

const view = defineOperation({
  id: "issue.view",
  description: "",
  effect: "read",
  handler: () => ({ title: "Hello" }),
});
const burn = defineOperation({
  id: "issue.burn",
  description: "",
  handler: () => Promise.reject(new Error("the password is swordfish")),
});
const operations = [view, burn];

describe("Observer.onCall", () => {
  it("an observer gets a record of each call with its caller and its envelope", async () => {
    const records: CallRecord[] = [];
    const observer: Observer = { onCall: (record) => records.push(record) };
    const identity = { id: "ada", scopes: [] };
    const waybill = createWaybill({ operations, observer }).as(identity);
    const envelope = await waybill.execute("issue.view", { a: 1 });
    expect(records).toHaveLength(1);
    const [record] = records;
    expect(record).toMatchObject({ capability_id: "issue.view", params: { a: 1 }, identity });
    expect(record!.envelope).toBe(envelope);
    expect(record!.error).toBeUndefined();
    expect(record!.duration_ms).toBeGreaterThanOrEqual(0);
    expect(record!.started_at).toBeLessThanOrEqual(Date.now());
  });

  it("an observer gets the cause of a failure that is hidden from the caller, under the failure's request id", async () => {
    const records: CallRecord[] = [];
    const waybill = createWaybill({ operations, observer: { onCall: (r) => records.push(r) } });
    const { error, meta } = await waybill.execute("issue.burn");
    expect(JSON.stringify(error)).not.toContain("swordfish");
    expect(error?.message).toContain(records[0]!.request_id);
    expect(meta.request_id).toBe(records[0]!.request_id);
    expect(records[0]!.error).toHaveProperty("cause.message", "the password is swordfish");
  });

  it("an observer gets records of calls that never reached an operation", async () => {
    const records: CallRecord[] = [];
    const waybill: Waybill = createWaybill({
      operations,
      observer: { onCall: (r) => records.push(r) },
    });
    await waybill.execute("no.such");
    await waybill.execute("issue.view", {}, { trace: 1 as unknown as boolean });
    expect(records.map(({ error }) => error?.code)).toEqual([
      "OPERATION_NOT_FOUND",
      "VALIDATION_ERROR",
    ]);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("log is full");
      },
    ],
    ["rejects", () => Promise.reject(new Error("log is full"))],
  ])("a call returns the same answer if an observer %s", async (_how, report) => {
    const sources = [localSource("twice", [view])];
    const observer = { onCall: report, onProblem: report } as Observer;
    const waybill = createWaybill({ operations, sources, observer });
    expect((await waybill.execute("issue.view")).ok).toBe(true);
    expect((await waybill.execute("no.such")).error?.code).toBe("NOT_FOUND");
    await sleep(5);
  });

  it("a call succeeds with an observer that has only onProblem", async () => {
    const waybill = createWaybill({ operations, observer: { onProblem: () => {} } });
    expect((await waybill.execute("issue.view")).ok).toBe(true);
  });
});

/**
 * A card with a REST route that returns the given answers, after a CLI route that is not
 * available.
 */
async function cardWith(answers: (RouteAnswer | Error)[]): Promise<Operation> {
  const send = async (): Promise<RouteAnswer> => {
    const answer = answers.shift();
    if (answer instanceof Error || answer === undefined) throw answer ?? new Error("no more");
    return answer;
  };
  const card = await prepareCard({
    capability_id: "repo.view",
    version: "1.0.0",
    description: "View a repository",
    effect: "read",
    input_schema: { type: "object" },
    output_schema: { type: "object" },
    routing: { preferred: "cli", fallbacks: ["rest"] },
    cli: { use: "rest" },
    rest: { method: "GET", path: "/repo", output: { fields: { name: "name" } } },
  });
  const rest = { route: "rest", needs: [], send, describe: () => ({}) } as const;
  return cardOperation(card, { routes: [rest], host: "example.com" });
}

const ANSWER: RouteAnswer = {
  response: httpEnvelope(
    { name: "hello", more: "x" },
    {
      statusCode: 200,
      contentType: "application/json",
      headers: { "x-ratelimit-limit": "60", "x-ratelimit-reset": "1700000000" },
    },
  ),
  upstreamRequests: 1,
  rateLimitRemaining: 42,
  rawBytes: 4_000,
};

function watching(options: Partial<WaybillOptions>): { records: CallRecord[]; waybill: Waybill } {
  const records: CallRecord[] = [];
  const observer: Observer = { onCall: (record) => records.push(record) };
  return { records, waybill: createWaybill({ ...options, observer }) };
}

const inner = defineOperation({
  id: "inner.look",
  description: "",
  effect: "read",
  handler: (input) => ({ seen: input }),
});
const outer = defineOperation({
  id: "outer.look",
  description: "",
  effect: "read",
  handler: async (_input, context) => (await context.call("inner.look", { a: 1 })).data,
});

describe("CallRecord", () => {
  it("an observer's record of a call lists every skip, attempt and wait that the envelope omits", async () => {
    const busy = fail("RATE_LIMIT", "Too many", { retry_after_ms: 1 });
    const { records, waybill } = watching({
      sources: [localSource("hub", [await cardWith([busy, ANSWER])])],
    });
    const envelope = await waybill.execute("repo.view", {});
    expect(envelope).toMatchObject({ ok: true, data: { name: "hello" } });
    const [record] = records;
    expect(record).toMatchObject({
      kind: "call",
      parent_id: undefined,
      source: "hub",
      effect: "read",
      upstream_requests: 2,
      raw_bytes: 4_000,
      rate_limit: { remaining: 42, limit: 60, reset_at: 1_700_000_000_000 },
      options: {},
      journal: undefined,
    });
    expect(record!.timeline).toMatchObject([
      { route: "cli", status: "skipped", error_code: "CLI_NOT_AVAILABLE" },
      { route: "rest", status: "error", error_code: "RATE_LIMIT", reason: "Too many" },
      { route: "rest", status: "wait", error_code: "RATE_LIMIT", reason: "before attempt 2 of 3" },
      { route: "rest", status: "success" },
    ]);
    expect(record!.timeline[3]).not.toHaveProperty("reason");
    const starts = record!.timeline.map(({ at_ms }) => at_ms);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
  });

  it("an observer's record of a call has the options of the call except trace", async () => {
    const { records, waybill } = watching({ operations: [inner] });
    const shown = { select: ["seen"], max_tokens: 1_000 };
    await waybill.execute("inner.look", { a: 1 }, { ...shown, trace: true });
    expect(records[0]!.options).toEqual(shown);
    await waybill.execute("inner.look", { a: 1 }, { dry_run: true, query: "a", route: "local" });
    expect(records[1]!.options).toEqual({ dry_run: true, query: "a", route: "local" });
  });

  it("an observer's record of a nested call names the call that made it", async () => {
    const { records, waybill } = watching({ operations: [inner, outer] });
    await waybill.execute("outer.look");
    const [nested, whole] = records;
    expect(nested).toMatchObject({
      capability_id: "inner.look",
      parent_id: whole!.request_id,
      params: { a: 1 },
      envelope: { ok: true, data: { seen: { a: 1 } } },
    });
    expect(whole).toMatchObject({ capability_id: "outer.look", parent_id: undefined });
  });

  it("an observer gets the attempts of a nested routed call, and the nested call's failure reaches the handler", async () => {
    const asking = defineOperation({
      id: "outer.ask",
      description: "",
      effect: "read",
      handler: (_input, context) => context.call("repo.view"),
    });
    const lost = fail("NOT_FOUND", "No such repository");
    const { records, waybill } = watching({ operations: [asking, await cardWith([lost])] });
    const { error } = await waybill.execute("outer.ask");
    expect(error).toMatchObject({ code: "NOT_FOUND", message: "No such repository" });
    expect(records[0]).toMatchObject({
      capability_id: "repo.view",
      envelope: { ok: false, error: { code: "NOT_FOUND" } },
    });
    expect(records[0]!.timeline.at(-1)).toMatchObject({ route: "rest", status: "error" });
  });

  it("an observer gets the record of a chain after the records of its steps, and each step names the chain as its parent", async () => {
    const { records, waybill } = watching({ operations: [view, burn] });
    const steps = [
      { task: "issue.view", input: {} },
      { task: "issue.burn", input: {} },
    ];
    const result = await waybill.chain(steps);
    expect(records.map(({ kind }) => kind)).toEqual(["step", "step", "chain"]);
    const [step, , chain] = records;
    expect(step!.parent_id).toBe(chain!.request_id);
    expect(chain).toMatchObject({
      capability_id: "chain",
      request_id: result.meta.request_id,
      params: { steps },
      envelope: { ok: true, data: { status: "partial", meta: { total: 2, failed: 1 } } },
    });
  });

  it("an observer's record of a call has the outcome of a write and the size of an answer before it was cut", async () => {
    const { records, waybill } = watching({ operations, journal: memoryJournal() });
    await waybill.execute("issue.burn", {}, { idempotency_key: "k" });
    await waybill.execute("issue.view", {}, { select: ["nothing"] });
    expect(records[0]).toMatchObject({
      effect: "write",
      journal: { outcome: "unknown", keyed: true },
      timeline: [{ route: "local", status: "error" }],
    });
    expect(records[1]).toMatchObject({ raw_bytes: '{"title":"Hello"}'.length });
  });
});
