import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { isOutputError } from "../io.ts";
import { reportFailure } from "../output/report-failure.ts";
import { isUsageError } from "./usage-error.ts";

// The built command contains two copies of each class, one in each bundle.
const USAGE_COPY = "./usage-error.ts?copy";
const IO_COPY = "../io.ts?copy";

async function copyOfUsageError(): Promise<Error> {
  const { UsageError } = (await import(USAGE_COPY)) as typeof import("./usage-error.ts");
  return new UsageError("No such thing", { hint: "Try another" });
}

it("a usage error of another copy of the module is reported as a usage error", async () => {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const io = { argv: [], stdin: stdout, stdout, stderr, env: {}, cwd: "/", isTTY: false };
  expect(await reportFailure(io, await copyOfUsageError())).toBe(2);
  expect(JSON.parse(String(stdout.read()))).toMatchObject({
    error: { code: "VALIDATION", message: "No such thing", details: { hint: "Try another" } },
  });
  expect(stderr.read()).toBe(null);
});

it("isUsageError returns false for other errors, even if they are named UsageError", () => {
  const named = Object.assign(new Error("a"), { name: "UsageError" });
  for (const other of [named, new Error("a"), { name: "UsageError", details: {} }, null]) {
    expect(isUsageError(other)).toBe(false);
  }
});

it("isOutputError recognises an OutputError of another copy of the module", async () => {
  const { OutputError } = (await import(IO_COPY)) as typeof import("../io.ts");
  expect([new OutputError("a"), new Error("a")].map(isOutputError)).toEqual([true, false]);
});
