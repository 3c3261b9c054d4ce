import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";

const fault = vi.hoisted(() => ({ isOn: true }));

// Simulates a failure while symbols are read, because no real file is known to cause one.
vi.mock(import("../build/workers/run-jobs.ts"), async (original) => {
  const { runJobs } = await original();
  return {
    runJobs: (kind, ...given) =>
      fault.isOn && kind === "symbols"
        ? Promise.reject(new Error("no threads"))
        : runJobs(kind, ...given),
  };
});

it("each code graph answer has a note while symbols cannot be read", async () => {
  const root = temporaryTree({ "a.ts": "export const a = 1;", "b.ts": "export const b = 1;" });
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  const lack = { notes: [expect.stringContaining("symbols could not be read") as unknown] };
  for (const _ of [1, 2]) {
    const { data } = await tools.call("issues");
    expect(data.result).toMatchObject({ completeness: "lower-bound", index: lack });
  }
  fault.isOn = false;
  writeFileSync(join(root, "a.ts"), "export const other = 1;");
  const lacking = async () => {
    const { data } = await tools.call("issues");
    return ["index", "completeness"].filter((name) => name in Object(data.result));
  };
  await expect.poll(lacking).toEqual([]);
});
