import { mkdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isCallError } from "@waybill/core";
import { successResult } from "@waybill/core/protocol";
import type { CallError, Journal } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { startStepper } from "./fixtures/child.ts";
import { mountTinyDisk } from "./fixtures/full-disk.ts";
import { temporaryFolder } from "./fixtures/temporary.ts";
import { openJournal } from "./index.ts";

const KEY = { key: "k", identity: "me", host: "h", capability: "a.b", digest: "d" };
const DONE = successResult({ id: 1 }, { capability_id: "a.b" });

function open(path: string): Journal {
  const journal = openJournal({ path, waitMs: 50 });
  onTestFinished(() => journal.close());
  return journal;
}

async function readRefusal(promise: Promise<unknown>): Promise<CallError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isCallError(error)) throw new Error(`expected a refusal, got ${String(error)}`);
  return error;
}

async function expectRefusal(journal: Journal, path: string, words: RegExp): Promise<void> {
  const error = await readRefusal(journal.begin(KEY, "r1"));
  // The journal cannot tell whether an earlier call with this key was applied.
  expect(error.details).toMatchObject({ code: "NOT_READY", outcome: "unknown" });
  expect(error.details.hint).toContain(path);
  expect(`${error.message}: ${error.details.hint}`).toMatch(words);
}

/** The file of a journal with one write. No other file is beside it. */
async function settledFile(): Promise<string> {
  const path = join(await temporaryFolder(onTestFinished), "journal.db");
  const journal = open(path);
  const verdict = await journal.begin(KEY, "r1");
  if (verdict.state !== "owned") throw new Error(verdict.state);
  await verdict.lease.sent();
  await verdict.lease.settle(DONE, "applied");
  await journal.close();
  return path;
}

/** A file whose middle page was overwritten. */
async function damagedFile(): Promise<string> {
  const path = join(await temporaryFolder(onTestFinished), "journal.db");
  const journal = open(path);
  await journal.begin(KEY, "r1");
  await journal.close();
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0xff, 4_096));
  return path;
}

function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1 << bit;
  return copy;
}

/** Opens a changed file. A call must be refused, or get exactly the recorded result. */
async function readFlipped(path: string): Promise<"same" | "refused" | "changed"> {
  const journal = openJournal({ path, waitMs: 50 });
  try {
    const verdict = await journal.begin(KEY, "r2");
    return JSON.stringify(verdict) === JSON.stringify({ state: "settled", result: DONE })
      ? "same"
      : "changed";
  } catch (error) {
    return isCallError(error) && error.details.outcome === "unknown" ? "refused" : "changed";
  } finally {
    await journal.close();
  }
}

describe("a journal that cannot be used", () => {
  it("a journal file that is not a database is refused and stays unchanged", async () => {
    const path = join(await temporaryFolder(onTestFinished), "journal.db");
    const text = "not a database ".repeat(500);
    await writeFile(path, text);
    await expectRefusal(open(path), path, /damaged.*move the file away/);
    expect(await readFile(path, "utf8")).toBe(text);
  });

  it("a journal file that was truncated to nothing is refused", async () => {
    const path = join(await temporaryFolder(onTestFinished), "journal.db");
    await open(path).begin(KEY, "r1");
    await truncate(path, 0);
    await expectRefusal(open(path), path, /damaged.*move the file away/);
  });

  it.each([1, 2, 3, 4, 5, 6])(
    "a journal file whose part %i of 6 is overwritten is refused",
    async (part) => {
      const path = await settledFile();
      const bytes = await readFile(path);
      const size = Math.floor(bytes.length / 6);
      await writeFile(path, bytes.fill(0xff, (part - 1) * size, part * size));
      await expectRefusal(open(path), path, /damaged.*move the file away/);
    },
  );

  it("a journal file whose end is missing is refused", async () => {
    const path = await settledFile();
    await truncate(path, 6_000);
    await expectRefusal(open(path), path, /damaged.*move the file away/);
  });

  it("a journal file with one flipped bit in a record never frees the key and never returns a changed result", async () => {
    const path = await settledFile();
    const bytes = await readFile(path);
    const start = bytes.indexOf(JSON.stringify(DONE));
    const found = { changed: 0, refused: 0, same: 0 };
    for (let at = start - 120; at < start + 140; at += 5) {
      await writeFile(path, flipped(bytes, at, at % 8));
      found[await readFlipped(path)] += 1;
    }
    expect(found).toMatchObject({ changed: 0 });
    expect(found.refused).toBeGreaterThan(20);
  });

  it("a journal file with a damaged page is refused until the file is moved away", async () => {
    const path = await damagedFile();
    const journal = open(path);
    await expectRefusal(journal, path, /damaged.*move the file away/);
    await Promise.all([rm(`${path}-wal`, { force: true }), rm(`${path}-shm`, { force: true })]);
    await rename(path, `${path}.damaged`);
    expect(await journal.begin(KEY, "r2")).toMatchObject({ state: "owned" });
  });

  it("a journal file is refused while another process has it locked", async () => {
    const path = join(await temporaryFolder(onTestFinished), "journal.db");
    await open(path).begin({ ...KEY, key: "other" }, "r0");
    const locker = startStepper(path, "other", onTestFinished);
    expect(await locker.ask("lock")).toBe("locked");
    const journal = open(path);
    await expectRefusal(journal, path, /locked.*call again later/);
    await locker.kill();
    expect(await journal.begin(KEY, "r2")).toMatchObject({ state: "owned" });
  });

  it("a keyed call is not sent if the journal file becomes locked, and can be sent afterwards", async () => {
    const path = join(await temporaryFolder(onTestFinished), "journal.db");
    const journal = open(path);
    const verdict = await journal.begin(KEY, "r1");
    if (verdict.state !== "owned") throw new Error(verdict.state);
    const locker = startStepper(path, "other", onTestFinished);
    await locker.ask("lock");
    const { lease } = verdict;
    const unsent = await readRefusal(lease.sent());
    expect(unsent.details).toMatchObject({ code: "NOT_READY", outcome: "not_applied" });
    // The lease was not lost: it may send when the file is no longer busy.
    await locker.kill();
    await lease.sent();
    await lease.settle(DONE, "applied");
  });

  it("the error for a call whose end cannot be recorded says that the call was applied", async () => {
    const path = join(await temporaryFolder(onTestFinished), "journal.db");
    const verdict = await open(path).begin(KEY, "r1");
    if (verdict.state !== "owned") throw new Error(verdict.state);
    await verdict.lease.sent();
    const locker = startStepper(path, "other", onTestFinished);
    await locker.ask("lock");
    const unrecorded = await readRefusal(verdict.lease.settle(DONE, "applied"));
    expect(unrecorded.details).toMatchObject({ code: "NOT_READY", outcome: "applied" });
  });

  it("a journal path below a file is refused", async () => {
    const file = join(await temporaryFolder(onTestFinished), "file");
    await writeFile(file, "");
    const path = join(file, "state", "journal.db");
    await expectRefusal(open(path), path, /cannot be used/);
  });

  it("a journal path that is a folder is refused", async () => {
    const path = join(await temporaryFolder(onTestFinished), "journal.db");
    await mkdir(path);
    await expectRefusal(open(path), path, /cannot be used/);
  });

  it("a journal file that a newer version wrote is refused", async () => {
    const path = join(await temporaryFolder(onTestFinished), "journal.db");
    const { default: Database } = await import("libsql");
    new Database(path).exec("PRAGMA user_version = 99");
    await expectRefusal(open(path), path, /newer version/);
  });
});

describe("a full disk", () => {
  it("the journal's error says that the disk is full, and recorded calls are kept", async ({
    skip,
  }) => {
    const folder = await temporaryFolder(onTestFinished);
    if (!mountTinyDisk(folder, onTestFinished)) skip("this user may not mount a disk");
    const path = join(folder, "journal.db");
    const journal = open(path);
    const begun: string[] = [];
    let refusal: CallError | undefined;
    for (let index = 0; index < 1_000 && refusal === undefined; index++) {
      const call = { ...KEY, key: `k${index}-${"x".repeat(500)}`, digest: "y".repeat(2_000) };
      const verdict = await journal.begin(call, "r").catch((error: unknown) => error);
      if (isCallError(verdict)) refusal = verdict;
      else begun.push(call.key);
    }
    expect(refusal?.details).toMatchObject({ code: "NOT_READY", outcome: "not_applied" });
    expect(refusal?.details.hint).toContain("free some space");
    const first = { ...KEY, key: begun[0]!, digest: "y".repeat(2_000) };
    const known = await journal.join(first, AbortSignal.timeout(20), "r").catch((e: unknown) => e);
    expect(known).toMatchObject({ name: "TimeoutError" });
  });
});
