// @ts-check
import { run, testReport } from "./run.mjs";
import { ensureInstalled, ensurePrograms } from "./setup.mjs";

// Coverage is slow, and a part of the tests cannot reach its thresholds, so it has its own command:
// `npm run coverage`.
const extra = process.argv.slice(2);
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${testReport}`];

ensureInstalled();
ensurePrograms();
process.exitCode = run("node", ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...extra]);
