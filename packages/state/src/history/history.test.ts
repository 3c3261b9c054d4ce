import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRedactor, createWaybill, defineOperation, fail } from "@waybill/core";
import { failureResult, successResult } from "@waybill/core/protocol";
import type { CallRecord } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { sharedBundle } from "../../../../test/support/shared-bundle.ts";
import { record } from "../fixtures/record.ts";
import { breakText } from "../fixtures/break-text.ts";
import { temporaryFolder } from "../journal/fixtures/temporary.ts";
import { openHistory } from "./index.ts";
import type { History, HistoryOptions } from "./index.ts";

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const redactor = createRedactor(() => ["swordfish-known"]);

function open(path: string, options: Partial<HistoryOptions> = {}): History {
  const history = openHistory({ path, redact: (value) => redactor.value(value), ...options });
  onTestFinished(() => history.close());
  return history;
}

async function newPath(): Promise<string> {
  return join(await temporaryFolder(onTestFinished), "state", "history.db");
}

async function keep(history: History, call: Partial<CallRecord>): Promise<void> {
  history.observe("run").onCall(record(call));
  await history.flush();
}

const ids = (calls: readonly { request_id: string }[]): string[] =>
  calls.map(({ request_id }) => request_id);

async function keepAll(history: History, records: readonly Partial<CallRecord>[]): Promise<void> {
  for (const each of records) await keep(history, each);
}

const failed = (code: "AUTH" | "SERVER" | "NOT_FOUND" | "VALIDATION") =>
  failureResult({ code, message: code, retryable: false }, { capability_id: "a.b" });

function stepFailure(code: "CANCELLED" | "VALIDATION", message: string) {
  return failureResult({ code, message, retryable: false }, { capability_id: "a.b" });
}

describe("the history of calls", () => {
  it("the history finds a call by its id before the batch of the call is written", async () => {
    // Files that are opened at once open slowly, so some batches are written during the first read.
    const paths = await Promise.all(Array.from({ length: 40 }, newPath));
    const found = paths.map((path) => {
      const history = open(path);
      history.observe("run").onCall(record({ request_id: "a" }));
      return history.call("a");
    });
    expect((await Promise.all(found)).filter((call) => call?.request_id === "a")).toHaveLength(40);
  });

  it("the next process reads the stored calls of the history, newest first, from a private file", async () => {
    const path = await newPath();
    const first = open(path);
    await keepAll(first, [{ request_id: "a" }, { request_id: "b" }]);
    await first.close();
    const second = open(path);
    const { calls, total, last_seq, more } = await second.calls();
    expect([ids(calls), total, last_seq, more]).toEqual([["b", "a"], 2, 2, false]);
    expect(calls[0]).toMatchObject({ kind: "call", via: "run", ok: true, effect: "read" });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await second.mark()).instance).toBe((await open(path).mark()).instance);
  });

  it("the history orders calls by arrival, not by their clock time", async () => {
    const history = open(await newPath());
    const times = { a: 5_000, b: 1_000, c: 3_000 };
    await keepAll(
      history,
      Object.entries(times).map(([request_id, started_at]) => ({ request_id, started_at })),
    );
    expect(ids((await history.calls()).calls)).toEqual(["c", "b", "a"]);
    expect(ids(await history.since(1))).toEqual(["b", "c"]);
    const { calls, more } = await history.calls({ limit: 1, before: 3 });
    expect([ids(calls), more]).toEqual([["b"], true]);
  });

  it("the history filters calls by capability, route, status, outcome, source, text and time", async () => {
    const history = open(await newPath());
    const envelope = failureResult(
      { code: "NOT_FOUND", message: "No 100% match_", retryable: false },
      { capability_id: "issue.view", route_used: "rest" },
    );
    await keepAll(history, [
      { request_id: "a", capability_id: "issue.list", params: { repo: "octo/hello" } },
      { request_id: "b", capability_id: "issue.view", envelope, source: "hub", started_at: 9 },
      {
        request_id: "c",
        parent_id: "a",
        journal: { outcome: "unknown", keyed: true },
        effect: "write",
      },
    ]);
    const found = async (query: Parameters<History["calls"]>[0]) =>
      ids((await history.calls(query)).calls);
    expect(await found({ capability: "issue.*" })).toEqual(["b", "a"]);
    expect(await found({ capability: "issue.view" })).toEqual(["b"]);
    expect(await found({ route: "rest" })).toEqual(["b"]);
    expect(await found({ status: "error" })).toEqual(["b"]);
    expect(await found({ status: "ok" })).toEqual(["c", "a"]);
    expect(await found({ outcome: "unknown" })).toEqual(["c"]);
    expect(await found({ source: "hub" })).toEqual(["b"]);
    expect(await found({ q: "octo/HELLO" })).toEqual(["a"]);
    expect(await found({ q: "100% match_" })).toEqual(["b"]);
    expect(await found({ q: "%" })).toEqual(["b"]);
    expect(await found({ since: 5, until: 10 })).toEqual(["b"]);
    expect(await found({ parent: "a" })).toEqual(["c"]);
    expect(await found({ parent: "none" })).toEqual(["b", "a"]);
    expect(await found({ via: "mcp" })).toEqual([]);
  });

  it("the history shows for a call its attempts, the calls inside it and the calls around it", async () => {
    const history = open(await newPath());
    const timeline = [{ route: "rest", status: "success", at_ms: 1, duration_ms: 2 }] as const;
    await keepAll(history, [
      { request_id: "inner", parent_id: "middle" },
      {
        request_id: "middle",
        parent_id: "outer",
        params: { a: 1 },
        timeline,
        journal: { outcome: "applied", keyed: true },
        raw_bytes: 400,
        upstream_requests: 3,
      },
      { request_id: "outer" },
    ]);
    expect(await history.call("middle")).toMatchObject({
      params: { a: 1 },
      envelope: { ok: true, data: { big: "data" } },
      envelope_cut: false,
      timeline,
      attempts: 1,
      journal: { outcome: "applied", keyed: true },
      tokens_raw: 100,
      cost: 3,
      children: [{ request_id: "inner" }],
      ancestors: [{ request_id: "outer" }],
    });
    expect(await history.call("none")).toBeUndefined();
  });

  it("the history counts all nested calls of a call, including calls that its detail leaves out", async () => {
    const history = open(await newPath());
    const inner = Array.from({ length: 230 }, (_, index) => ({
      request_id: `inner-${index}`,
      parent_id: "outer",
    }));
    await keepAll(history, [...inner, { request_id: "outer" }]);
    const found = await history.call("outer");
    expect([found?.nested, found?.children.length]).toEqual([230, 200]);
    expect(found?.children[0]).not.toHaveProperty("nested");
    expect((await history.calls({ parent: "none" })).calls[0]?.nested).toBe(230);
  });

  it.each([
    ["failed", ["VALIDATION", "There is no a.nothing"]],
    ["partial", [undefined, undefined]],
  ])("the history shows for a chain that is %s the error %j", async (status, error) => {
    const history = open(await newPath());
    const results = [
      stepFailure("CANCELLED", "Another step cannot be called"),
      stepFailure("VALIDATION", "There is no a.nothing"),
    ];
    const envelope = successResult({ status, results }, { capability_id: "chain" });
    await keep(history, { request_id: "ch", kind: "chain", envelope });
    const { ok, error_code, error_message } = (await history.call("ch"))!;
    expect([ok, error_code, error_message]).toEqual([false, ...error]);
  });

  it("a history with a call that is its own ancestor can be read without an endless loop", async () => {
    const history = open(await newPath());
    await keep(history, { request_id: "self", parent_id: "self" });
    expect((await history.call("self"))?.ancestors.length).toBeLessThan(100);
  });

  it("the history file never contains a secret or an approval token", async () => {
    const path = await newPath();
    const history = open(path);
    const purge = defineOperation({
      id: "a.purge",
      description: "",
      effect: "destructive",
      handler: () => null,
    });
    const echo = defineOperation({
      id: "a.echo",
      description: "",
      effect: "read",
      handler: (input) => ({ input, password: "in-plain-sight", known: "swordfish-known" }),
    });
    const broken = defineOperation({
      id: "a.break",
      description: "",
      effect: "read",
      handler: () => Promise.reject(fail("SERVER", `refused ${SECRET}`)),
    });
    const waybill = createWaybill({
      operations: [purge, echo, broken],
      observer: history.observe("program"),
    });
    const asked = await waybill.execute("a.purge");
    const approve = String(asked.error?.details?.["approve"]);
    expect(approve.length).toBeGreaterThan(10);
    await waybill.execute("a.echo", { token: "t0p-secret-value", text: SECRET, [SECRET]: 1 });
    await waybill.execute("a.break");
    await waybill.chain([
      { task: "a.purge", input: {}, approve },
      { task: "a.purge", input: {} },
    ]);
    await history.close();
    const wal = await readFile(`${path}-wal`, "latin1").catch(() => "");
    const bytes = (await readFile(path, "latin1")) + wal;
    for (const secret of [SECRET, approve, "t0p-secret-value", "in-plain-sight", "swordfish"]) {
      expect(bytes).not.toContain(secret);
    }
    expect((await open(path).calls()).total).toBeGreaterThan(4);
  });

  it("the history cuts a large result and stores its full size", async () => {
    const path = await newPath();
    const history = open(path);
    const lines = Array.from({ length: 60_000 }, (_, index) => ({ index, text: "x".repeat(70) }));
    const data = { password: "in-plain-sight", lines, [SECRET]: SECRET };
    const envelope = successResult(data, { capability_id: "a.b" });
    await keep(history, { request_id: "big", envelope, params: { text: "y".repeat(100_000) } });
    const found = await history.call("big");
    expect(found).toMatchObject({ envelope_cut: true, params_size: 100_011 });
    expect(found!.envelope_size).toBeGreaterThan(5_000_000);
    expect(found!.tokens_out).toBeGreaterThan(500_000);
    expect(String(found!.envelope)).toMatch(/^\{"ok":true,"data":\{"password":"\[redacted\]"/);
    expect(String(found!.envelope).length).toBeLessThan(300_000);
    await history.close();
    expect(await readFile(path, "latin1")).not.toContain("in-plain-sight");
  });

  it("the history is limited in calls and bytes, and drops the oldest calls first", async () => {
    const few = open(await newPath(), { maxCalls: 3 });
    await keepAll(
      few,
      ["a", "b", "c", "d", "e"].map((request_id) => ({ request_id })),
    );
    expect(await few.calls()).toMatchObject({ total: 3, last_seq: 5 });
    expect(ids((await few.calls()).calls)).toEqual(["e", "d", "c"]);
    const small = open(await newPath(), { maxBytes: 10_000 });
    const params = { text: "x".repeat(4_000) };
    await keepAll(
      small,
      ["a", "b", "c", "d"].map((request_id) => ({ request_id, params })),
    );
    expect(ids((await small.calls()).calls)).toEqual(["d", "c"]);
    expect(await small.call("a")).toBeUndefined();
  });

  it("the history returns totals of calls by time, capability, route and source", async () => {
    const history = open(await newPath());
    const bad = failureResult(
      { code: "SERVER", message: "broken", retryable: true },
      { capability_id: "a.b", route_used: "rest" },
    );
    const limit = { remaining: 7, limit: 60, reset_at: 99 };
    await keepAll(history, [
      { request_id: "1", started_at: 1_000, duration_ms: 10, source: "hub", raw_bytes: 8_000 },
      { request_id: "2", started_at: 1_999, duration_ms: 30, source: "hub", rate_limit: limit },
      { request_id: "3", started_at: 2_000, duration_ms: 20, source: "hub", envelope: bad },
      { request_id: "nested", parent_id: "3", started_at: 1_000, source: "other" },
      { request_id: "step", parent_id: "ch", kind: "step", started_at: 2_500 },
      { request_id: "ch", kind: "chain", capability_id: "chain", started_at: 2_500 },
    ]);
    const { buckets, capabilities, routes, clients, p50_ms, p95_ms } = await history.totals({
      since: 1_000,
      until: 3_000,
      buckets: 2,
    });
    expect(buckets).toMatchObject([
      { at: 1_000, calls: 2, errors: 0 },
      { at: 2_000, calls: 2, errors: 1 },
    ]);
    expect(buckets[0]!.tokens_raw).toBeGreaterThan(2_000);
    // Counts only the answer of the chain, not also that of its step.
    const { calls } = await history.calls();
    const tokensOf = (id: string): number =>
      calls.find(({ request_id }) => request_id === id)!.tokens_out;
    expect(buckets[1]!.tokens_out).toBe(tokensOf("3") + tokensOf("ch"));
    expect(capabilities).toMatchObject([{ capability_id: "a.b", calls: 4, errors: 1, p50_ms: 10 }]);
    expect(routes).toEqual([{ route: "rest", calls: 1 }]);
    expect([p50_ms, p95_ms]).toEqual([10, 30]);
    expect(clients).toMatchObject([{ via: "run", calls: 4, errors: 1 }]);
    expect(await history.sources()).toMatchObject([
      { name: "hub", calls: 3, errors: 1, p50_ms: 20, p95_ms: 30, rate_limit: limit },
      { name: "local", calls: 1 },
      { name: "other", calls: 1 },
    ]);
    expect((await history.sources())[0]!.last_error).toEqual({
      code: "SERVER",
      message: "broken",
      at: 2_000,
    });
    expect((await open(await newPath()).totals()).buckets).toHaveLength(1);
  });

  it("the history groups calls by session, agent and caller, with the latest group first", async () => {
    const history = open(await newPath());
    const client: { session: string; agent?: string } = { session: "s1" };
    const { onCall } = history.observe("mcp", client);
    client.agent = `editor 1.0 ${SECRET}`;
    onCall(record({ request_id: "1", started_at: 1_000 }));
    onCall(record({ request_id: "2", started_at: 3_000, envelope: failed("SERVER") }));
    history.observe("http", { session: "s2" }).onCall(record({ request_id: "3" }));
    await keep(history, { request_id: "outside" });
    const { sessions } = await history.totals();
    expect(sessions).toMatchObject([
      { session: "s2", via: "http", calls: 1 },
      { session: "s1", via: "mcp", calls: 2, errors: 1, first_at: 1_000, last_at: 3_000 },
    ]);
    expect(sessions[1]?.agent).toMatch(/^editor 1\.0 /u);
    expect(JSON.stringify(sessions)).not.toContain(SECRET);
    expect(ids((await history.calls({ session: "s1" })).calls)).toEqual(["2", "1"]);
    const { agent } = sessions[1]!;
    expect((await history.calls({ agent })).total).toBe(2);
  });

  it("a history file from a version without sessions is read and extended", async () => {
    const path = await newPath();
    const older = open(path);
    await keep(older, { request_id: "old" });
    await older.close();
    const { default: Database } = await import("libsql");
    const file = new Database(path);
    file.exec(
      "ALTER TABLE calls DROP COLUMN session; ALTER TABLE calls DROP COLUMN agent; PRAGMA user_version = 2",
    );
    file.close();
    const history = open(path);
    history.observe("mcp", { session: "s1" }).onCall(record({ request_id: "new" }));
    await history.flush();
    const { calls } = await history.calls();
    expect(calls.map(({ request_id, session }) => [request_id, session])).toEqual([
      ["new", "s1"],
      ["old", undefined],
    ]);
  });

  it("the history does not count a call that no route could send as a call of its source", async () => {
    const history = open(await newPath());
    const envelope = failed("AUTH");
    const timeline = [{ route: "rest", status: "error", at_ms: 1, duration_ms: 2 }] as const;
    await keepAll(history, [
      { request_id: "unsent", source: "hub", envelope, upstream_requests: 0, timeline: [] },
      { request_id: "sent", source: "other", envelope, upstream_requests: 1, timeline },
    ]);
    expect(await history.sources()).toMatchObject([{ name: "other", calls: 1, errors: 1 }]);
  });

  it("the history does not count NOT_FOUND and VALIDATION as errors of a source", async () => {
    const history = open(await newPath());
    await keepAll(history, [
      { request_id: "1", source: "hub", envelope: failed("SERVER") },
      { request_id: "2", source: "hub", envelope: failed("NOT_FOUND") },
      { request_id: "3", source: "hub", envelope: failed("VALIDATION") },
    ]);
    expect(await history.sources()).toMatchObject([
      { name: "hub", calls: 2, errors: 1, last_error: { code: "SERVER" } },
    ]);
  });
});

const WRITER = await sharedBundle(new URL("./fixtures/writer.ts", import.meta.url));

async function write(path: string, name: string, count: number): Promise<string> {
  const child = spawn(process.execPath, [WRITER, path, name, String(count)]);
  let said = "";
  child.stdout.on("data", (part) => (said += String(part)));
  await once(child, "close");
  return said.trim();
}

describe("a history with several writers", () => {
  it("a reader of the history sees every call of three writing processes exactly once", async () => {
    const path = await newPath();
    const reader = open(path);
    const writing = Promise.all(["one", "two", "three"].map((name) => write(path, name, 100)));
    const seen: string[] = [];
    let last = 0;
    let isDone = false;
    void writing.finally(() => (isDone = true));
    for (let quiet = 0; quiet < 2;) {
      const calls = await reader.since(last);
      seen.push(...ids(calls));
      last = calls.at(-1)?.seq ?? last;
      quiet = isDone && calls.length === 0 ? quiet + 1 : 0;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await writing).toEqual(["done", "done", "done"]);
    expect(new Set(seen).size).toBe(300);
    expect(seen).toHaveLength(300);
  });
});

describe("a history that is damaged, locked or full", () => {
  it("a history whose text is not valid UTF-8 can be read and written", async () => {
    const path = await newPath();
    const first = open(path);
    await keepAll(first, [{ request_id: "a", params: { repo: "octo/hello" }, source: "hub" }]);
    await first.close();
    await breakText(path, "UPDATE calls SET capability_id = @text, source = @text, words = @text");
    await breakText(path, "UPDATE texts SET params = @text, envelope = @text, timeline = @text");
    const history = open(path);
    expect((await history.calls()).calls[0]).toMatchObject({ capability_id: "a\uFFFDb" });
    expect(await history.call("a")).toMatchObject({ params: "a\uFFFDb" });
    expect((await history.totals()).capabilities[0]).toMatchObject({ capability_id: "a\uFFFDb" });
    expect(await history.sources()).toMatchObject([{ name: "a\uFFFDb" }]);
    await keep(history, { request_id: "b" });
    expect(ids((await history.calls()).calls)).toEqual(["b", "a"]);
  });

  it("a history file without one of its columns is reported as damaged", async () => {
    const path = await newPath();
    await keep(open(path), { request_id: "a" });
    await breakText(path, "ALTER TABLE calls RENAME COLUMN route TO roote");
    await expect(open(path).calls()).rejects.toThrow("The history of calls is damaged");
  });

  it("calls succeed with a damaged history file, and the history reports the problem", async () => {
    const path = join(await temporaryFolder(onTestFinished), "history.db");
    const text = "not a database ".repeat(500);
    await writeFile(path, text);
    const history = open(path);
    const look = defineOperation({ id: "a.b", description: "", effect: "read", handler: () => 1 });
    const waybill = createWaybill({ operations: [look], observer: history.observe("program") });
    expect(await waybill.execute("a.b")).toMatchObject({ ok: true });
    await history.flush();
    expect(history.problem).toContain("The history of calls is damaged");
    expect(await readFile(path, "utf8")).toBe(text);
    await expect(history.calls()).rejects.toThrow("The history of calls is damaged");
  });

  it("a locked history file keeps new calls in memory for a while and then counts the lost calls", async () => {
    const path = await newPath();
    const history = open(path, { waitMs: 50 });
    await keep(history, { request_id: "before" });
    const { default: Database } = await import("libsql");
    const other = new Database(path);
    other.exec("BEGIN IMMEDIATE");
    await keep(history, { request_id: "lost" });
    expect(history.problem).toContain("is locked");
    history.observe("run").onCall(record({ request_id: "after" }));
    other.exec("COMMIT");
    other.close();
    await history.flush();
    expect(history.problem).toBe(
      "Calls missing from the history, because they could not be stored: 1",
    );
    expect(ids((await history.calls()).calls)).toEqual(["after", "before"]);
  });

  it("the history keeps 5,000 unwritten calls in memory and counts further calls as lost", async () => {
    const history = open(await newPath(), { maxCalls: 100_000 });
    const { onCall } = history.observe("run");
    for (let index = 0; index < 5_200; index++) onCall(record({ request_id: `r${index}` }));
    expect(history.problem).toBe(
      "Calls missing from the history, because they could not be stored: 200",
    );
    await history.flush();
    expect((await history.calls()).total).toBe(5_000);
  });

  it("the history does not store a call whose redaction fails", async () => {
    const history = open(await newPath(), {
      redact: () => {
        throw new Error("no idea");
      },
    });
    const look = defineOperation({ id: "a.b", description: "", effect: "read", handler: () => 1 });
    const waybill = createWaybill({ operations: [look], observer: history.observe("program") });
    expect(await waybill.execute("a.b")).toMatchObject({ ok: true });
    await history.flush();
    expect((await history.calls()).total).toBe(0);
  });
});
