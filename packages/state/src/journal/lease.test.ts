import { join } from "node:path";
import { successResult } from "@waybill/core/protocol";
import type { Journal } from "@waybill/core";
import type { JournalLease, JournalVerdict } from "@waybill/core/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "./fixtures/temporary.ts";
import { openJournal } from "./index.ts";
import type { JournalOptions } from "./index.ts";

const KEY = { key: "k", identity: "me", host: "h", capability: "a.b", digest: "d" };
const DONE = successResult({ id: 1 }, { capability_id: "a.b" });
const HOUR = 3_600_000;

interface Pair {
  readonly first: Journal;
  readonly second: Journal;
  readonly path: string;
  readonly now: () => number;
  readonly later: (ms: number) => void;
}

function open(options: JournalOptions): Journal {
  const journal = openJournal(options);
  onTestFinished(() => journal.close());
  return journal;
}

/**
 * Both callers live in this process, so only an expired lease makes one of them count as dead.
 * The test moves the clock.
 */
async function pair(options: JournalOptions = {}): Promise<Pair> {
  const path = join(await temporaryFolder(onTestFinished), "journal.db");
  let time = 1_000_000;
  const now = (): number => time;
  const all = { path, now, ...options };
  return { first: open(all), second: open(all), path, now, later: (ms) => void (time += ms) };
}

/** Reads the file directly, without the journal. */
async function asker(path: string, query: string): Promise<() => unknown> {
  const { default: Database } = await import("libsql");
  const statement = new Database(path).prepare(query);
  return () => (statement.get() as { value: unknown }).value;
}

function getLease(verdict: JournalVerdict): JournalLease {
  if (verdict.state !== "owned") throw new Error(`expected owned, got ${verdict.state}`);
  return verdict.lease;
}

describe("leases", () => {
  it("another caller can take over a journal lease that expired before sending, and the old owner cannot send", async () => {
    const { first, second, later } = await pair();
    const old = getLease(await first.begin(KEY, "r1"));
    later(29_999);
    expect(await second.begin(KEY, "r2")).toMatchObject({ state: "in_flight", requestId: "r1" });
    later(1);
    const next = getLease(await second.begin(KEY, "r2"));
    await expect(old.sent()).rejects.toMatchObject({
      details: { code: "NOT_READY", outcome: "unknown" },
    });
    await old.settle(DONE, "not_applied");
    await next.sent();
    expect(next.requestId).toBe("r2");
  });

  it("a journal lease that expired before sending frees the key for other input", async () => {
    const { first, second, later } = await pair();
    await first.begin(KEY, "r1");
    later(30_000);
    expect(await second.begin({ ...KEY, digest: "other" }, "r2")).toMatchObject({ state: "owned" });
    expect(await second.begin(KEY, "r3")).toMatchObject({ state: "conflict" });
  });

  it("the outcome of a call whose journal lease expired after sending stays unknown", async () => {
    const { first, second, later } = await pair();
    await getLease(await first.begin(KEY, "r1")).sent();
    later(30_000);
    const unknown = { state: "unknown", requestId: "r1" };
    expect(await second.join(KEY, new AbortController().signal, "r2")).toMatchObject(unknown);
    expect(await first.begin(KEY, "r3")).toMatchObject(unknown);
    expect(await first.begin({ ...KEY, digest: "other" }, "r4")).toEqual({ state: "conflict" });
  });

  it("a slow owner of a journal lease can record the end of its call after the lease has expired", async () => {
    const { first, second, later } = await pair();
    const slow = getLease(await first.begin(KEY, "r1"));
    await slow.sent();
    later(60_000);
    expect(await second.begin(KEY, "r2")).toMatchObject({ state: "unknown" });
    await expect(slow.again()).rejects.toMatchObject({ details: { code: "NOT_READY" } });
    await slow.settle(DONE, "applied");
    expect(await second.begin(KEY, "r3")).toEqual({ state: "settled", result: DONE });
  });

  it("the journal keeps the record of a sent write when the clock jumps forward", async () => {
    const { first, second, later } = await pair();
    const lease = getLease(await first.begin(KEY, "r1"));
    await lease.sent();
    later(25 * HOUR);
    expect(getLease(await second.begin({ ...KEY, key: "other" }, "r2")).attempt).toBe(1);
    expect(await second.begin(KEY, "r3")).toMatchObject({ state: "unknown", requestId: "r1" });
    await lease.settle(DONE, "applied");
    expect(await second.begin(KEY, "r4")).toEqual({ state: "settled", result: DONE });
  });

  it("the owner of a journal lease cannot send after the clock jumped forward and another call took its key", async () => {
    const { first, second, later } = await pair();
    const old = getLease(await first.begin(KEY, "r1"));
    later(25 * HOUR);
    getLease(await second.begin(KEY, "r2"));
    await expect(old.sent()).rejects.toMatchObject({ details: { outcome: "unknown" } });
  });

  it("a journal lease is renewed while its owner is at work", async () => {
    const { first, second, path, later, now } = await pair({ leaseMs: 30_000, renewMs: 5 });
    await getLease(await first.begin(KEY, "r1")).sent();
    const until = await asker(path, "SELECT lease_until AS value FROM calls");
    for (let round = 0; round < 3; round++) {
      later(20_000);
      await expect.poll(() => until()).toBe(now() + 30_000);
    }
    expect(await second.begin(KEY, "r2")).toMatchObject({ state: "in_flight" });
  });
});

describe("retention of the journal", () => {
  it("the journal forgets a finished call after 24 hours", async () => {
    const { first, second, later } = await pair();
    const lease = getLease(await first.begin(KEY, "r1"));
    await lease.sent();
    await lease.settle(DONE, "applied");
    later(24 * HOUR - 1);
    expect(await second.begin(KEY, "r2")).toMatchObject({ state: "settled" });
    later(1);
    expect(await second.begin(KEY, "r3")).toMatchObject({ state: "owned" });
  });

  it("the journal removes expired entries in small batches, and entries of sent writes after twice the time", async () => {
    const { first, path, later } = await pair();
    for (let index = 0; index < 50; index++) {
      const lease = getLease(await first.begin({ ...KEY, key: `k${index}` }, `r${index}`));
      if (index % 2 === 0) await lease.sent();
      if (index % 4 === 0) await lease.settle(DONE, "applied");
    }
    later(25 * HOUR);
    const rows = await asker(path, "SELECT count(*) AS value FROM calls");
    const seen: unknown[] = [];
    for (let index = 0; index < 3; index++) {
      await first.begin({ ...KEY, key: `new${index}` }, "r");
      seen.push(rows());
    }
    // Sent calls are kept twice as long, because their outcome is unknown.
    expect(seen).toEqual([31, 14, 15]);
    later(25 * HOUR);
    await first.begin({ ...KEY, key: "last" }, "r");
    expect(rows()).toBe(1);
  });
});
