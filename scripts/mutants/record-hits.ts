import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect } from "vitest";

// A setup file of the first run: each test file writes the ids of the mutants whose code it ran.

const hits = new Set<string>();
const folder = process.env["WAYBILL_MUTANT_HITS"];

Object.assign(globalThis, { recordMutant: (id: string) => hits.add(id) });

afterAll(() => {
  const { testPath } = expect.getState();
  if (folder === undefined || testPath === undefined) return;
  const name = `${Buffer.from(testPath).toString("hex").slice(-200)}.json`;
  writeFileSync(join(folder, name), JSON.stringify({ testPath, hits: [...hits] }));
});
