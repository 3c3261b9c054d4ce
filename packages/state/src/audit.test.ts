import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRedactor, createWaybill, defineOperation } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { openAudit } from "./index.ts";
import type { Audit } from "./index.ts";
import { temporaryFolder } from "./journal/fixtures/temporary.ts";

const SECRET = "a-secret-of-32-characters-abcdef";

interface Audited {
  readonly audit: Audit;
  readonly waybill: Waybill;
  readonly folder: string;
  readonly path: string;
  readonly problems: (string | undefined)[];
  readonly made: string[];
}

async function audited(): Promise<Audited> {
  const folder = join(await temporaryFolder(onTestFinished), "log");
  const path = join(folder, "audit.jsonl");
  const problems: (string | undefined)[] = [];
  const made: string[] = [];
  const redactor = createRedactor(() => [SECRET]);
  const audit = openAudit({
    path,
    redact: (value) => redactor.value(value),
    onProblem: (problem) => void problems.push(problem),
  });
  const input = { type: "object", properties: { title: { type: "string" } } } as const;
  const operations = [
    defineOperation({
      id: "item.list",
      description: "List items",
      effect: "read",
      input,
      handler: () => made,
    }),
    defineOperation({
      id: "item.create",
      description: "Make an item",
      effect: "write",
      input,
      handler: ({ title = "" }) => made.push(title),
    }),
    defineOperation({
      id: "item.delete",
      description: "Delete all items",
      effect: "destructive",
      handler: () => made.splice(0).length,
    }),
  ];
  const waybill = createWaybill({
    operations,
    observer: audit.observe("http"),
    secrets: () => [SECRET],
  });
  return { audit, waybill, folder, path, problems, made };
}

async function linesIn(path: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("the audit log", () => {
  it("the audit log records for each read, write and failure who called what and how the call ended", async () => {
    const { audit, waybill, path } = await audited();
    const ada = waybill.as({ id: "corp:ada", scopes: [] });
    await ada.execute("item.create", { title: "first" });
    await waybill.execute("item.list");
    await ada.execute("item.vew");
    await audit.close();
    expect(await linesIn(path)).toMatchObject([
      {
        version: 1,
        event: "call",
        caller: "corp:ada",
        via: "http",
        capability: "item.create",
        effect: "write",
        input: { title: "first" },
        ok: true,
        outcome: "applied",
      },
      { caller: null, capability: "item.list", effect: "read", ok: true },
      { caller: "corp:ada", capability: "item.vew", ok: false, code: "NOT_FOUND" },
    ]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("the audit log contains no secrets, no data and no long strings", async () => {
    const { audit, waybill, path } = await audited();
    await waybill.execute("item.create", { title: `token ${SECRET}` });
    await waybill.execute("item.create", { title: "x".repeat(10_000) });
    await waybill.execute("item.list");
    await audit.close();
    const text = await readFile(path, "utf8");
    expect(text).not.toContain(SECRET);
    expect(text.length).toBeLessThan(2_000);
  });

  it("the audit log records refused requests and answered approvals", async () => {
    const { audit, path } = await audited();
    audit.refused({
      route: "execute",
      capability_id: "item.list",
      address: "127.0.0.1",
      caller: undefined,
      status: 401,
      message: "The token expired",
    });
    const memory = new Map<string, never>();
    const store = audit.approvals({
      read: async (id) => memory.get(id),
      list: async () => [],
      replace: async () => true,
    });
    const waiting = {
      id: "ap_1",
      secret: "s",
      capability_id: "item.delete",
      params: "{}",
      caller: "corp:ada",
      state: "waiting",
      requestedAt: 0,
      expiresAt: 1,
    } as const;
    await store.replace("ap_1", undefined, waiting);
    await store.replace("ap_1", waiting, { ...waiting, state: "approved" });
    await store.replace("ap_1", { ...waiting, state: "approved" }, { ...waiting, state: "denied" });
    await store.replace("ap_2", waiting, undefined);
    await store.replace("ap_3", waiting, { ...waiting, state: "denied" });
    await audit.close();
    expect(await linesIn(path)).toMatchObject([
      { event: "refused", caller: null, status: 401, address: "127.0.0.1" },
      { event: "approval", approval_id: "ap_1", caller: "corp:ada", answer: "allowed by a person" },
      { event: "approval", approval_id: "ap_1", answer: "denied by a person" },
      { event: "approval", approval_id: "ap_2", answer: "withdrawn or expired" },
      { event: "approval", approval_id: "ap_3", answer: "denied by a person" },
    ]);
  });

  it("the audit log continues in a new file when the old file is moved away", async () => {
    const { audit, waybill, path } = await audited();
    await waybill.execute("item.create", { title: "a" });
    await audit.close();
    await rename(path, `${path}.1`);
    await waybill.execute("item.create", { title: "b" });
    await audit.close();
    expect(await linesIn(`${path}.1`)).toMatchObject([{ input: { title: "a" } }]);
    expect(await linesIn(path)).toMatchObject([{ input: { title: "b" } }]);
  });

  it("refused requests do not push calls out of the audit log", async () => {
    const { audit, waybill, path, made } = await audited();
    const refusal = { route: "/v1/execute", capability_id: "item.list", address: "10.0.0.9" };
    const refused = { ...refusal, caller: undefined, status: 401, message: "unknown token" };
    for (let count = 0; count < 3_000; count++) audit.refused(refused);
    await waybill.execute("item.create", { title: "first" });
    await audit.close();
    const lines = await linesIn(path);
    expect(lines.filter(({ event }) => event === "call")).toHaveLength(1);
    expect(lines.filter(({ lines_dropped }) => Number(lines_dropped) > 2_000)).toHaveLength(1);
    expect(made).toEqual(["first"]);
  });

  it("no write is made while too many lines of the audit log wait for the disk", async () => {
    const { audit, waybill, path, made } = await audited();
    const reads = Array.from({ length: 1_100 }, () => waybill.execute("item.list"));
    const creates = Array.from({ length: 3 }, () => waybill.execute("item.create"));
    const answers = await Promise.all([...reads, ...creates]);
    await audit.close();
    const refused = answers.filter(({ error }) => error?.code === "NOT_READY");
    expect(refused.length + made.length).toBe(3);
    expect(await linesIn(path)).toHaveLength(1_103);
  });

  it("while the audit log cannot be written, writes are refused, reads are answered and no line is lost", async () => {
    const { audit, waybill, folder, path, problems, made } = await audited();
    await writeFile(folder, "in the way");
    await waybill.execute("item.create", { title: "last" });
    await audit.close();
    expect(problems).toEqual([expect.stringContaining("EEXIST")]);
    const refused = await waybill.execute("item.create", { title: "refused" });
    expect(refused.error).toMatchObject({ code: "NOT_READY", details: { outcome: "not_applied" } });
    expect(await waybill.execute("item.create", {}, { dry_run: true })).toMatchObject({ ok: true });
    expect(await waybill.execute("item.list")).toMatchObject({ ok: true, data: ["last"] });
    await rm(folder);
    await mkdir(folder);
    await waybill.execute("item.list");
    await audit.close();
    expect(problems).toEqual([expect.any(String), undefined]);
    expect(await waybill.execute("item.create", { title: "again" })).toMatchObject({ ok: true });
    await audit.close();
    expect(made).toEqual(["last", "again"]);
    const told = await linesIn(path);
    expect(told.map(({ capability, ok }) => [capability, ok])).toEqual([
      ["item.create", true],
      ["item.create", false],
      ["item.create", true],
      ["item.list", true],
      ["item.list", true],
      ["item.create", true],
    ]);
  });
});
