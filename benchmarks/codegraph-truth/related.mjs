// @ts-check
// npm run codegraph:truth:related -- [--root .] --file <path> [--file <path>]
// Compares the tests that a changed file affects with those that `vitest related` would run.
import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { openGraphTools } from "@waybill/codegraph";
import { createVitest } from "vitest/node";

const { values } = parseArgs({
  options: {
    root: { type: "string", default: "." },
    file: { type: "string", multiple: true, default: [] },
  },
});
const root = realpathSync(values.root);
const tools = openGraphTools({ root, patienceMs: 600_000 });
const vitest = await createVitest("test", { root, watch: false, reporters: [] });

for (const file of values.file) {
  vitest.config.related = [join(root, file)];
  const found = await vitest.getRelevantTestSpecifications();
  const related = new Set(found.map(({ moduleId }) => relative(root, moduleId)));
  const ours = new Set(await testsFor(file));
  const both = [...related].filter((path) => ours.has(path)).length;
  console.log(`${file}: vitest ${related.size}, waybill ${ours.size}, both ${both}`);
  for (const path of related) if (!ours.has(path)) console.log(`  only vitest: ${path}`);
  for (const path of ours) if (!related.has(path)) console.log(`  only waybill: ${path}`);
}
await vitest.close();
await tools.close();

/** @param {string} target @returns {Promise<string[]>} */
async function testsFor(target) {
  const reply = await tools.call("tests", { target, limit: 500, maxTokens: 500_000 });
  if (!reply.success) throw new Error(reply.data.result.error.message);
  /** @type {unknown} */
  const result = reply.data.result;
  return /** @type {{ tests: string[] }} */ (result).tests;
}
