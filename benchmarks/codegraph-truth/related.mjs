// @ts-check
// npm run codegraph:truth:related -- [--root .] [--within <path>] --file <path> [--file <path>]
// Compares the tests that a changed file affects with those that `vitest related` would run.
// `vitest related` reads the imports of every test; with --within, only those of a folder.
// The last line has the recall and precision of all files together.
import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { openGraphTools } from "@waybill/codegraph";
import { createVitest } from "vitest/node";

const { values } = parseArgs({
  options: {
    root: { type: "string", default: "." },
    file: { type: "string", multiple: true, default: [] },
    within: { type: "string", default: "" },
  },
});
const root = realpathSync(values.root);
const tools = openGraphTools({ root, patienceMs: 600_000 });
const vitest = await createVitest("test", { root, watch: false, reporters: [] });

const total = { related: 0, ours: 0, both: 0 };
for (const file of values.file) {
  vitest.config.related = [join(root, file)];
  const found = await vitest.getRelevantTestSpecifications(
    values.within === "" ? [] : [values.within],
  );
  const related = new Set(found.map(({ moduleId }) => relative(root, moduleId)));
  const ours = new Set((await testsFor(file)).filter((path) => path.startsWith(values.within)));
  const both = [...related].filter((path) => ours.has(path)).length;
  total.related += related.size;
  total.ours += ours.size;
  total.both += both;
  console.log(`${file}: vitest ${related.size}, waybill ${ours.size}, both ${both}`);
  for (const path of related) if (!ours.has(path)) console.log(`  only vitest: ${path}`);
  for (const path of ours) if (!related.has(path)) console.log(`  only waybill: ${path}`);
}
console.log(
  `recall ${share(total.both, total.related)}, precision ${share(total.both, total.ours)} of ${values.file.length} files`,
);
await vitest.close();
await tools.close();

/** @param {number} part @param {number} whole */
function share(part, whole) {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
}

/** @param {string} target @returns {Promise<string[]>} */
async function testsFor(target) {
  const reply = await tools.call("tests", { target, limit: 500, maxTokens: 500_000 });
  if (!reply.success) throw new Error(reply.data.result.error.message);
  /** @type {unknown} */
  const result = reply.data.result;
  return /** @type {{ tests: string[] }} */ (result).tests;
}
