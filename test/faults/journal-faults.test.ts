import { appendFile, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import type { Waybill } from "@waybill/core";
import { openJournal } from "@waybill/state";
import { describe, expect, it, onTestFinished } from "vitest";
import { mountTinyDisk } from "../../packages/state/src/journal/fixtures/full-disk.ts";
import { waybillFor } from "./bench.ts";
import { Upstream } from "./upstream.ts";

interface Scene {
  readonly upstream: Upstream;
  readonly waybill: Waybill;
}

async function sceneWith(prepare: (path: string) => Promise<void>): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-journal-"));
  const path = join(folder, "journal.db");
  // Registered first, because clean-ups run in reverse order.
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await prepare(path);
  const upstream = await new Upstream().start();
  const transport = createHttpTransport();
  const journal = openJournal({ path, waitMs: 50 });
  const waybill = await waybillFor(upstream.url, transport, journal);
  onTestFinished(async () => {
    await waybill.close();
    transport.close();
    await upstream.close();
  });
  return { upstream, waybill };
}

/** A valid journal on a disk that is full. */
async function fillDisk(path: string): Promise<void> {
  const journal = openJournal({ path });
  await journal.begin({ key: "k0", identity: "", host: "", capability: "a.b", digest: "d" }, "r");
  await journal.close();
  const chunk = new Uint8Array(1_024);
  for (;;) {
    try {
      await appendFile(join(path, "../filler"), chunk);
    } catch {
      return;
    }
  }
}

async function lock(path: string): Promise<void> {
  const { default: Database } = await import("libsql");
  const database = new Database(path);
  database.exec("BEGIN EXCLUSIVE");
  onTestFinished(() => void database.close());
}

async function replaceFolder(path: string): Promise<void> {
  const folder = join(path, "..");
  await rm(folder, { recursive: true });
  await writeFile(folder, "in the way");
}

/** Problems of the journal file. Root ignores file modes, so the tests use other obstacles. */
const TROUBLES: readonly (readonly [string, (path: string) => Promise<void>])[] = [
  ["locked", lock],
  ["not a database", (path) => writeFile(path, "not a database ".repeat(500))],
  ["a folder", (path) => mkdir(path)],
  ["below a file", replaceFolder],
];

describe.each(TROUBLES)("journal that is %s", (_name, prepare) => {
  it("keyed writes are refused and nothing is sent when the journal is unusable", async () => {
    const { waybill, upstream } = await sceneWith(prepare);
    const params = { shelf: "s", text: "keyed" };
    const result = await waybill.execute("keyed.rest", params, { idempotency_key: "k" });
    // An earlier call with this key may have been applied, and the journal that recorded it cannot
    // be read.
    expect(result.error).toMatchObject({ code: "NOT_READY", details: { outcome: "unknown" } });
    expect(upstream.store.applied("keyed")).toBe(0);
  });

  it("keyed steps of a chain are refused when the journal is unusable, whether or not the steps share a request", async () => {
    const { waybill, upstream } = await sceneWith(prepare);
    for (const merge_writes of [false, true]) {
      const steps = ["a", "b"].map((text) => ({
        task: "keyed.graphql",
        input: { shelf: "s", text },
      }));
      const { results } = await waybill.chain(steps, { idempotency_key: "k", merge_writes });
      expect(results.map(({ error }) => error?.code)).toEqual(["NOT_READY", "NOT_READY"]);
    }
    expect([upstream.store.applied("a"), upstream.store.applied("b")]).toEqual([0, 0]);
  });

  it("calls without a key run when the journal is unusable, and writes among them warn", async () => {
    const { waybill, upstream } = await sceneWith(prepare);
    const write = () => waybill.execute("plain.rest", { shelf: "s", text: "plain" });
    const [written, again] = [await write(), await write()];
    const read = await waybill.execute("read.rest", { id: "n1" }, { idempotency_key: "k" });
    expect([written.ok, again.ok, read.ok]).toEqual([true, true, true]);
    expect(upstream.store.applied("plain")).toBe(2);
    for (const { meta } of [written, again]) {
      expect(meta.warnings).toHaveLength(1);
      expect(meta.warnings![0]).toMatch(
        /^The journal of writes .* this call was made, because it has no key/,
      );
    }
    expect(read.meta.warnings).toBeUndefined();
  });

  it("writes of chain steps and local functions warn when the journal is unusable", async () => {
    const { waybill } = await sceneWith(prepare);
    const steps = [
      { task: "plain.rest", input: { shelf: "s", text: "x" } },
      { task: "read.rest", input: { id: "n1" } },
      { task: "local.write" },
    ];
    const { results } = await waybill.chain(steps);
    expect(results.map(({ ok, meta }) => [ok, meta.warnings?.length ?? 0])).toEqual([
      [true, 1],
      [true, 0],
      [true, 1],
    ]);
    const pair = await waybill.execute("pair.steps", { shelf: "s", text: "p" });
    expect([pair.ok, pair.meta.warnings?.length]).toEqual([true, 1]);
  });
});

describe("working journal", () => {
  it("the journal is created only for the first keyed write, without a warning", async () => {
    let journalPath = "";
    const { waybill } = await sceneWith(async (path) => void (journalPath = path));
    const write = (options = {}) =>
      waybill.execute("plain.rest", { shelf: "s", text: "plain" }, options);
    expect((await write()).meta.warnings).toBeUndefined();
    await expect(stat(journalPath)).rejects.toThrow("ENOENT");
    expect((await write({ idempotency_key: "k" })).ok).toBe(true);
    expect((await write()).meta.warnings).toBeUndefined();
  });

  it("writes warn from the first keyed write that the journal fails until the journal accepts writes", async () => {
    let journalPath = "";
    const { waybill } = await sceneWith(async (path) => void (journalPath = path));
    const write = (options = {}) =>
      waybill.execute("plain.rest", { shelf: "s", text: "plain" }, options);
    expect((await write()).meta.warnings).toBeUndefined();
    await mkdir(journalPath);
    expect((await write({ idempotency_key: "k" })).error?.code).toBe("NOT_READY");
    expect((await write()).meta.warnings).toHaveLength(1);
    await rm(journalPath, { recursive: true });
    expect((await write({ idempotency_key: "k" })).ok).toBe(true);
    expect((await write()).meta.warnings).toBeUndefined();
  });
});

describe("journal on a full disk", () => {
  it("keyed writes are refused on a full disk, and other writes warn", async ({ skip }) => {
    let isMounted = false;
    const { waybill, upstream } = await sceneWith(async (path) => {
      isMounted = mountTinyDisk(join(path, ".."), onTestFinished);
      if (isMounted) await fillDisk(path);
    });
    if (!isMounted) skip("this user may not mount a disk");
    const params = { shelf: "s", text: "full" };
    const plain = await waybill.execute("plain.rest", params);
    expect(plain.meta.warnings?.[0]).toContain("is on a full disk");
    const keyed = await waybill.execute("keyed.rest", params, { idempotency_key: "k" });
    expect(keyed.error).toMatchObject({
      code: "NOT_READY",
      message: "The journal of writes is on a full disk",
      details: { outcome: "not_applied" },
    });
    expect(upstream.store.applied("full")).toBe(1);
  });
});
