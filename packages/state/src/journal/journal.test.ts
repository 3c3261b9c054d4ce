import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { successResult } from "@waybill/core/protocol";
import type { Journal } from "@waybill/core";
import type { JournalLease, JournalVerdict } from "@waybill/core/protocol";
import { journalContract } from "@waybill/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "./fixtures/temporary.ts";
import { openJournal } from "./index.ts";
import type { JournalOptions } from "./index.ts";

const KEY = { key: "k", identity: "me", host: "h", capability: "a.b", digest: "d" };
const DONE = successResult({ id: 1 }, { capability_id: "a.b" });

async function temporaryPath(): Promise<string> {
  return join(await temporaryFolder(onTestFinished), "state", "journal.db");
}

function open(path: string, options: JournalOptions = {}): Journal {
  const journal = openJournal({ path, ...options });
  onTestFinished(() => journal.close());
  return journal;
}

const LOST = {
  ok: false,
  data: null,
  error: { code: "NETWORK", message: "lost", retryable: false, details: { outcome: "unknown" } },
  meta: { capability_id: "a.b" },
};

function insertVersion1(key: string, result: object): string {
  const parts = JSON.stringify(["me", "h", "a.b", key]);
  const scope = createHash("sha256").update(parts).digest("base64url");
  const text = JSON.stringify(result).replaceAll("'", "''");
  return `INSERT INTO calls VALUES
    ('${scope}', 'd', 'r1', 'settled', 1, 'owner', 0, 99999999999999, '${text}')`;
}

/** A file in the format of the first version of the journal, in WAL mode. */
async function writeVersion1(path: string): Promise<void> {
  const { default: Database } = await import("libsql");
  const database = new Database(path);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE calls (scope TEXT PRIMARY KEY, digest TEXT NOT NULL,
    request_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('started', 'sent', 'settled', 'unknown')),
    attempt INTEGER NOT NULL, owner TEXT NOT NULL, lease_until INTEGER NOT NULL,
    expires INTEGER NOT NULL, result TEXT) STRICT; PRAGMA user_version = 1;
    ${insertVersion1("k", DONE)}; ${insertVersion1("lost", LOST)}`);
  database.close();
}

function getLease(verdict: JournalVerdict): JournalLease {
  if (verdict.state !== "owned") throw new Error(`expected owned, got ${verdict.state}`);
  return verdict.lease;
}

describe("the journal in a file", () => {
  const cases = journalContract(async () => openJournal({ path: await temporaryPath() }));
  for (const { name, run } of cases) it(name, () => run());

  it("the journal file is readable by its user only", async () => {
    const path = await temporaryPath();
    await open(path).begin(KEY, "r1");
    const modes = [path, `${path}-journal`, join(path, "..")].map(async (file) => {
      const { mode } = await stat(file);
      return mode & 0o777;
    });
    expect(await Promise.all(modes)).toEqual([0o600, 0o600, 0o700]);
  });

  it("opening an older journal file removes the read permission of other users", async () => {
    const path = join(await temporaryFolder(onTestFinished), "journal.db");
    await open(path).begin(KEY, "r0");
    await chmod(path, 0o644);
    await open(path).begin(KEY, "r1");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("the journal creates no file before the first idempotency key", async () => {
    const path = await temporaryPath();
    await open(path).close();
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });

  it("fifty concurrent calls with different idempotency keys each own their key", async () => {
    const journal = open(await temporaryPath());
    const begins = Array.from({ length: 50 }, (_, index) =>
      journal.begin({ ...KEY, key: `k${index}` }, `r${index}`),
    );
    const states = (await Promise.all(begins)).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["owned"]));
  });

  it("a copy of the open journal's file is complete", async () => {
    const path = await temporaryPath();
    const lease = getLease(await open(path).begin(KEY, "r1"));
    await lease.sent();
    await lease.settle(DONE, "applied");
    const copy = await temporaryPath();
    await mkdir(join(copy, ".."));
    await copyFile(path, copy);
    expect(await open(copy).begin(KEY, "r2")).toEqual({ state: "settled", result: DONE });
  });

  it("a journal of version 1 can be opened, and its writes of unknown outcome can be checked", async () => {
    const path = join(await temporaryFolder(onTestFinished), "journal.db");
    await writeVersion1(path);
    const journal = open(path);
    expect(await journal.begin(KEY, "r2")).toEqual({ state: "settled", result: DONE });
    const lost = await journal.begin({ ...KEY, key: "lost" }, "r3");
    expect(lost).toMatchObject({ state: "unknown", requestId: "r1", probe: {} });
  });

  it("a journal of version 1 whose SQLite WAL file is missing is refused", async () => {
    const folder = await temporaryFolder(onTestFinished);
    const path = join(folder, "journal.db");
    const { default: Database } = await import("libsql");
    const old = new Database(join(folder, "old.db"));
    onTestFinished(() => void old.close());
    old.exec("PRAGMA journal_mode = WAL; CREATE TABLE calls (scope TEXT); PRAGMA user_version = 1");
    await copyFile(join(folder, "old.db"), path);
    await expect(open(path).begin(KEY, "r1")).rejects.toThrow("The journal of writes is damaged");
  });

  it("a new connection to the journal returns the result of a finished call", async () => {
    const path = await temporaryPath();
    const lease = getLease(await open(path).begin(KEY, "r1"));
    await lease.sent();
    await lease.settle(DONE, "applied");
    expect(await open(path).begin(KEY, "r2")).toEqual({ state: "settled", result: DONE });
  });

  it("one of two connections to the journal owns an idempotency key, and the other can wait for its result", async () => {
    const path = await temporaryPath();
    const [one, two] = [open(path), open(path)];
    const verdicts = await Promise.all([one.begin(KEY, "r1"), two.begin(KEY, "r2")]);
    expect(verdicts.map(({ state }) => state).toSorted()).toEqual(["in_flight", "owned"]);
    const lease = getLease(verdicts.find(({ state }) => state === "owned")!);
    const joined = two.join(KEY, new AbortController().signal, "r3");
    await lease.sent();
    await lease.settle(DONE, "applied");
    expect(await joined).toEqual({ state: "settled", result: DONE });
  });

  it("closing the journal frees the keys of calls that were begun but not sent", async () => {
    const path = await temporaryPath();
    const journal = open(path);
    await journal.begin(KEY, "r1");
    await journal.close();
    expect(await open(path).begin(KEY, "r2")).toMatchObject({ state: "owned" });
  });

  it("the journal continues with a new file when the old file was moved away", async () => {
    const path = await temporaryPath();
    const journal = open(path);
    const lease = getLease(await journal.begin(KEY, "r1"));
    await rename(path, `${path}.old`);
    await expect(lease.sent()).rejects.toMatchObject({ details: { code: "NOT_READY" } });
    expect(await journal.begin(KEY, "r2")).toMatchObject({ state: "owned" });
    expect(await open(path).begin(KEY, "r3")).toMatchObject({ state: "in_flight" });
  });
});

describe("recorded results", () => {
  it("the journal records a result over 1 MB without its data, marked as truncated", async () => {
    const path = await temporaryPath();
    const lease = getLease(await open(path).begin(KEY, "r1"));
    await lease.sent();
    const large = successResult("x".repeat(1_000_001), { capability_id: "a.b", request_id: "r1" });
    await lease.settle(large, "applied");
    const verdict = await open(path).begin(KEY, "r2");
    expect(verdict).toMatchObject({
      state: "settled",
      result: { ok: true, data: null, meta: { request_id: "r1", truncated: true } },
    });
    expect(JSON.stringify(verdict)).toContain("too large to be recorded");
  });

  it("the journal records a failure with details over 1 MB by its code and outcome", async () => {
    const path = await temporaryPath();
    const lease = getLease(await open(path).begin(KEY, "r1"));
    const details = { outcome: "applied", partial: "x".repeat(1_000_001) };
    const error = { code: "SERVER", message: "cut", retryable: false, details } as const;
    const meta = { capability_id: "a.b", route_used: "rest" } as const;
    await lease.settle({ ok: false, data: null, error, meta }, "applied");
    expect(await open(path).begin(KEY, "r2")).toMatchObject({
      result: { error: { code: "SERVER", details: { outcome: "applied" } }, meta },
    });
  });

  it("the journal records a result that JSON cannot hold without its data", async () => {
    const journal = open(await temporaryPath());
    const lease = getLease(await journal.begin(KEY, "r1"));
    await lease.settle(successResult({ id: 1n }, { capability_id: "a.b" }), "applied");
    expect(await journal.begin(KEY, "r2")).toMatchObject({ result: { ok: true, data: null } });
  });
});
