import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWaybill, defineOperation, fail } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { record } from "./fixtures/record.ts";
import { temporaryFolder } from "./journal/fixtures/temporary.ts";
import { jsonlLog } from "./index.ts";
import type { JsonlLog, JsonlLogOptions } from "./index.ts";

function hideTokens(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/secret-\w+/g, "[redacted]"));
}

async function makeLog(
  options: Partial<JsonlLogOptions> = {},
): Promise<{ log: JsonlLog; path: string }> {
  const path = join(await temporaryFolder(onTestFinished), "log", "calls.jsonl");
  return { log: jsonlLog({ path, redact: hideTokens, ...options }), path };
}

async function readLogLines(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, "utf8");
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("jsonlLog", () => {
  it("the JSON lines log has a line for each call, without secrets and data", async () => {
    const { log, path } = await makeLog();
    log.onCall(record({ params: { token: "secret-abc" } }));
    log.onCall(record());
    await log.flush();
    const lines = await readLogLines(path);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      time: "1970-01-01T00:00:00.000Z",
      request_id: "r1",
      capability_id: "a.b",
      ok: true,
      params: { token: "[redacted]" },
    });
    expect(await readFile(path, "utf8")).not.toMatch(/secret|big/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("the JSON lines log contains no approval token that could still be used", async () => {
    const { log, path } = await makeLog();
    const purge = defineOperation({
      id: "a.purge",
      description: "Removes everything",
      effect: "destructive",
      handler: () => null,
    });
    const waybill = createWaybill({ operations: [purge], observer: log });
    const { error } = await waybill.execute("a.purge");
    await log.flush();
    const approve = String(error?.details?.["approve"]);
    expect(approve).toMatch(/^ok\d{24}$/u);
    expect(await readFile(path, "utf8")).not.toContain(approve);
    expect((await readLogLines(path))[0]).toMatchObject({
      error: { code: "POLICY", details: { hint: expect.any(String) as unknown } },
    });
  });

  it("the JSON lines log shows the cause that an envelope hides", async () => {
    const { log, path } = await makeLog();
    const broken = defineOperation({
      id: "a.broken",
      description: "Fails",
      effect: "read",
      handler: () => {
        throw fail(
          "SERVER",
          "outer",
          {},
          { cause: new Error("inner secret-x", { cause: "deep" }) },
        );
      },
    });
    const waybill = createWaybill({ operations: [broken], observer: log });
    await waybill.execute("a.broken", {});
    await log.flush();
    const text = await readFile(path, "utf8");
    expect(text).toContain("inner [redacted]");
    expect(text).toContain('"cause":"deep"');
  });

  it("the JSON lines log records problems of sources", async () => {
    const { log, path } = await makeLog();
    log.onProblem({ source: "s", operationId: "s.x", message: "down" });
    await log.flush();
    expect(await readLogLines(path)).toMatchObject([{ problem: { source: "s", message: "down" } }]);
  });

  it("a full JSON lines log is moved to one older file, and continues in a new file", async () => {
    const { log, path } = await makeLog({ maxBytes: 400 });
    for (let index = 0; index < 10; index++) {
      log.onCall(record({ params: { index } }));
      await log.flush();
    }
    const kept = [...(await readLogLines(`${path}.1`)), ...(await readLogLines(path))];
    expect(kept.at(-1)).toMatchObject({ params: { index: 9 } });
    expect((await stat(path)).size).toBeLessThanOrEqual(400);
    await expect(stat(`${path}.2`)).rejects.toThrow("ENOENT");
  });

  it("the JSON lines log cuts a line that is too long, and counts dropped lines", async () => {
    const { log, path } = await makeLog();
    for (let index = 0; index < 1_005; index++) log.onCall(record({ params: "x".repeat(70_000) }));
    await log.flush();
    const lines = await readLogLines(path);
    expect(lines[0]).toMatchObject({ request_id: "r1", left_out: expect.any(Number) as number });
    expect(lines.at(-1)).toEqual({ lines_dropped: expect.any(Number) as number });
  });

  it("the JSON lines log does not write a record that cannot be redacted, and calls succeed if the file cannot be written", async () => {
    const { log, path } = await makeLog({
      redact: () => {
        throw new Error("no");
      },
    });
    expect(() => log.onCall(record())).toThrow("no");
    await expect(stat(path)).rejects.toThrow("ENOENT");
    const file = join(await temporaryFolder(onTestFinished), "file");
    await writeFile(file, "");
    const unwritable = jsonlLog({ path: join(file, "calls.jsonl"), redact: hideTokens });
    unwritable.onCall(record());
    await unwritable.flush();
  });
});
