import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import type { Waybill } from "@waybill/core";
import { openJournal } from "@waybill/local";
import { describe, expect, it, onTestFinished } from "vitest";
import { waybillFor } from "./bench.ts";
import { Upstream } from "./upstream.ts";

interface Scene {
  readonly upstream: Upstream;
  readonly waybill: Waybill;
}

async function sceneWith(prepare: (path: string) => Promise<void>): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-journal-"));
  const path = join(folder, "journal.db");
  await prepare(path);
  const upstream = await new Upstream().start();
  const transport = createHttpTransport();
  const journal = openJournal({ path, waitMs: 50 });
  const waybill = await waybillFor(upstream.url, transport, journal);
  onTestFinished(async () => {
    await waybill.close();
    transport.close();
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { upstream, waybill };
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

/** What can be wrong with the file. Modes do not stop every user, so other things stand in the way. */
const TROUBLES: readonly (readonly [string, (path: string) => Promise<void>])[] = [
  ["locked", lock],
  ["no database", (path) => writeFile(path, "not a database ".repeat(500))],
  ["a folder", (path) => mkdir(path)],
  ["below a file", replaceFolder],
];

describe.each(TROUBLES)("a journal that is %s", (_name, prepare) => {
  it("has keyed writes refused and nothing sent", async () => {
    const { waybill, upstream } = await sceneWith(prepare);
    const params = { shelf: "s", text: "keyed" };
    const result = await waybill.execute("keyed.rest", params, { idempotency_key: "k" });
    expect(result.error).toMatchObject({
      code: "NOT_READY",
      retryable: true,
      details: { outcome: "not_applied" },
    });
    expect(upstream.store.applied("keyed")).toBe(0);
  });

  it("has keyed steps of a chain refused, merged or not", async () => {
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

  it("lets calls without a key go on", async () => {
    const { waybill, upstream } = await sceneWith(prepare);
    const written = await waybill.execute("plain.rest", { shelf: "s", text: "plain" });
    const read = await waybill.execute("read.rest", { id: "n1" }, { idempotency_key: "k" });
    expect([written.ok, read.ok, upstream.store.applied("plain")]).toEqual([true, true, 1]);
  });
});
