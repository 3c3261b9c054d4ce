import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Journal } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { startStepper, startWorker } from "./fixtures/child.ts";
import type { Child } from "./fixtures/child.ts";
import { temporaryFolder } from "./fixtures/temporary.ts";
import { openJournal } from "./index.ts";

function keyed(key: string) {
  return { key, identity: "me", host: "h", capability: "a.b", digest: "d" };
}

function open(path: string): Journal {
  const journal = openJournal({ path });
  onTestFinished(() => journal.close());
  return journal;
}

async function drain(child: Child): Promise<void> {
  while ((await child.line()) !== undefined);
}

async function take(steps: readonly string[], path: string): Promise<Child> {
  const child = startStepper(path, "k", onTestFinished);
  for (const step of steps) {
    expect(await child.ask(step)).toBe(step === "begin" ? "owned" : step);
  }
  return child;
}

/**
 * The steps of a caller before it was killed, and the answer that waiting callers get after
 * that.
 */
const UNFINISHED = [
  [["begin"], { state: "owned", lease: { attempt: 1 } }],
  [["begin", "sent"], { state: "unknown" }],
  [["begin", "sent", "again"], { state: "owned", lease: { attempt: 2 } }],
  [["begin", "sent", "again", "sent"], { state: "unknown" }],
] as const;

const FINISHED = [
  [["begin", "sent", "applied"], "settled"],
  [["begin", "sent", "unknown"], "unknown"],
  [["begin", "sent", "not_applied"], "owned"],
  [["begin", "not_applied"], "owned"],
] as const;

describe("processes that are killed", () => {
  it.each(UNFINISHED)(
    "if a caller is killed after the journal steps %j, callers that wait for its key get %j",
    async (steps, verdict) => {
      const path = join(await temporaryFolder(onTestFinished), "journal.db");
      const child = await take(steps, path);
      const journal = open(path);
      expect(await journal.begin(keyed("k"), "early")).toMatchObject({ state: "in_flight" });
      const joined = journal.join(keyed("k"), new AbortController().signal, "joined");
      await child.kill();
      expect(await joined).toMatchObject(verdict);
      const later = verdict.state === "owned" ? "in_flight" : verdict.state;
      expect(await open(path).begin(keyed("k"), "later")).toMatchObject({ state: later });
    },
  );

  it.each(FINISHED)(
    "if a caller is killed after the journal steps %j, the next caller finds its key %s",
    async (steps, state) => {
      const path = join(await temporaryFolder(onTestFinished), "journal.db");
      const child = await take(steps, path);
      await child.kill();
      expect(await open(path).begin(keyed("k"), "next")).toMatchObject({ state });
    },
  );

  it("no keyed call is sent twice or forgotten if its process is killed at a random time", async () => {
    const folder = await temporaryFolder(onTestFinished);
    const [path, sends] = [join(folder, "journal.db"), join(folder, "sends")];
    const count = 60;
    await writeFile(sends, "");
    for (let round = 0; round < 4; round++) {
      const worker = startWorker(path, sends, count, onTestFinished);
      for (let line = Math.floor(Math.random() * count); line > 0; line--) await worker.line();
      await worker.kill();
    }
    await drain(startWorker(path, sends, count, onTestFinished));
    const sent = (await readFile(sends, "utf8")).trim().split("\n");
    expect(new Set(sent).size).toBe(sent.length);
    const journal = open(path);
    for (let index = 0; index < count; index++) {
      const { state } = await journal.begin(keyed(`key-${index}`), "check");
      expect(["settled", "unknown"]).toContain(state);
    }
  });
});

describe("processes that share a journal", () => {
  it("one of three processes owns an idempotency key, and the other processes get its result", async () => {
    const path = join(await temporaryFolder(onTestFinished), "journal.db");
    const children = Array.from({ length: 3 }, () => startStepper(path, "k", onTestFinished));
    const states = await Promise.all(children.map((child) => child.ask("begin")));
    expect(states.map(String).toSorted()).toEqual(["in_flight", "in_flight", "owned"]);
    const owner = children[states.indexOf("owned")]!;
    const joined = open(path).join(keyed("k"), new AbortController().signal, "joined");
    await owner.ask("sent");
    await owner.ask("applied");
    expect(await joined).toMatchObject({ state: "settled" });
    const after = await Promise.all(children.map((child) => child.ask("begin")));
    expect(after).toEqual(["settled", "settled", "settled"]);
  });

  it("three processes that share a journal send the calls of 40 idempotency keys once each", async () => {
    const folder = await temporaryFolder(onTestFinished);
    const [path, sends] = [join(folder, "journal.db"), join(folder, "sends")];
    const workers = Array.from({ length: 3 }, () => startWorker(path, sends, 40, onTestFinished));
    await Promise.all(workers.map(drain));
    const sent = (await readFile(sends, "utf8")).trim().split("\n");
    expect([sent.length, new Set(sent).size]).toEqual([40, 40]);
  });
});
