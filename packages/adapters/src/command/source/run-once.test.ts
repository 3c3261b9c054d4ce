import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWaybill } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { stopClock } from "../../../../../test/support/stop-clock.ts";
import { commandSource } from "../index.ts";

interface Counted {
  readonly call: () => Promise<ResultEnvelope>;
  /** How often the program was started. */
  readonly starts: () => number;
}

/** A small program as an operation. */
function prepare(script: string, operation: object, maxOutputBytes?: number): Counted {
  const folder = mkdtempSync(join(tmpdir(), "waybill-command-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "starts");
  const counted = `require("fs").appendFileSync(${JSON.stringify(file)}, "x"); ${script}`;
  const go = { description: "Runs", effect: "read" as const, argv: ["-e", counted], ...operation };
  const manifest = { program: process.execPath, operations: { go } };
  const source = commandSource({ name: "t", manifest, env: process.env, maxOutputBytes });
  const waybill = createWaybill({ sources: [source] });
  onTestFinished(() => waybill.close());
  return {
    call: () => waybill.execute("t.go", {}),
    starts: () => (existsSync(file) ? readFileSync(file, "utf8").length : 0),
  };
}

async function run(
  ...program: Parameters<typeof prepare>
): Promise<{ answer: ResultEnvelope; starts: number }> {
  const { call, starts } = prepare(...program);
  return { answer: await call(), starts: starts() };
}

describe("commandSource runs a program once", () => {
  it("commandSource runs a program once if its output is not JSON", async () => {
    const { answer, starts } = await run("console.log('oops')", { output: "json" });
    expect(answer.error).toMatchObject({ code: "SERVER", details: { final: true } });
    expect(starts).toBe(1);
  });

  it("commandSource runs a program once if it times out", async () => {
    const pass = stopClock();
    const { call, starts } = prepare("setInterval(() => {}, 1000)", { timeout_ms: 3_000 });
    const called = call();
    await expect.poll(starts).toBe(1);
    await pass(3_000);
    expect((await called).error).toMatchObject({ code: "TIMEOUT" });
    expect(starts()).toBe(1);
  });

  it("commandSource returns JSON lines of a program as a list, with exact integers", async () => {
    const script = `console.log('{"id":1}'); console.log('{"id":12345678901234567890}')`;
    const { answer } = await run(script, { output: "ndjson" });
    expect(answer.data).toEqual([{ id: 1 }, { id: "12345678901234567890" }]);
  });

  it.each([
    ["ndjson", [{ id: 1 }]],
    ["lines", ['{"id":1}']],
  ])(
    `commandSource cuts a program's output of the kind "%s" after a whole line if the output is over its limit`,
    async (output, data) => {
      const script = `console.log('{"id":1}'); console.log('{"id":2}')`;
      const { answer } = await run(script, { output }, 13);
      expect(answer.data).toEqual(data);
      expect(answer.meta.warnings).toEqual(["The data has only the first 13 of 18 bytes"]);
    },
  );

  it("the error for malformed JSON lines of a program names the line that is not JSON", async () => {
    const { answer } = await run("console.log('1'); console.log('no')", { output: "ndjson" });
    expect(answer.error?.message).toContain("line 2");
  });

  it("the error code of a program that failed is the code that the manifest gives its exit code", async () => {
    const { answer } = await run("process.exit(4)", { exit_codes: { 4: "NOT_FOUND" } });
    expect(answer.error?.code).toBe("NOT_FOUND");
  });
});
