// @ts-check
import { run, testReport } from "./run.mjs";
import { ensureInstalled, ensurePrograms } from "./setup.mjs";

const extra = process.argv.slice(2);
// Part of the tests cannot reach the coverage thresholds, so a narrowed run does not measure.
const coverage = extra.length === 0 ? ["--coverage"] : [];
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${testReport}`];

ensureInstalled();
ensurePrograms();
process.exitCode = run("node", [
  "node_modules/vitest/vitest.mjs",
  "run",
  ...coverage,
  ...reporters,
  ...extra,
]);
