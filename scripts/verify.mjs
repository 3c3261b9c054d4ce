// @ts-check
import { readFileSync, rmSync } from "node:fs";
import { run, testReport } from "./run.mjs";

const steps = [
  "test",
  "test:node:check",
  "fmt:check",
  "lint",
  "build",
  "page-size",
  "types",
  "prose",
  "dead-code",
  "package-check",
  "type-cost",
  "generate:check",
  "examples",
  "corpus:sample",
  "conformance:check",
  "benchmark:check",
];

/** @typedef {{ name: string, ms: number, passed: number, failed: number }} Result */

// A report left by an earlier run must not be counted as this one's.
rmSync(testReport, { force: true });
const results = steps.map(runStep);
printSummary(results);
process.exitCode = total(results, "failed") > 0 ? 1 : 0;

/**
 * @param {string} name
 * @returns {Result}
 */
function runStep(name) {
  console.log(`\n── npm run ${name}`);
  const start = performance.now();
  const ok = run("npm", ["run", "--silent", name]) === 0;
  const ms = performance.now() - start;
  console.log(`── ${ok ? "ok" : "failed"} in ${seconds(ms)}`);
  return { name, ms, ...(name === "test" ? countTests(ok) : countStep(ok)) };
}

/** @param {boolean} ok */
function countStep(ok) {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

/**
 * A run can fail without a failing test (coverage, a file that does not load, no start at all):
 * that is one failure too.
 * @param {boolean} ok
 */
function countTests(ok) {
  const { numPassedTests: passed, numFailedTests: failed } = readReport();
  return { passed, failed: ok ? failed : Math.max(failed, 1) };
}

/** @returns {{ numPassedTests: number, numFailedTests: number }} */
function readReport() {
  try {
    return JSON.parse(readFileSync(testReport, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1 };
  }
}

/** @param {Result[]} all */
function printSummary(all) {
  console.log("\n── summary");
  for (const { name, ms, passed, failed } of all) {
    const counts = `${passed} passed, ${failed} failed`;
    console.log(`${name.padEnd(16)}${seconds(ms).padStart(8)}   ${counts}`);
  }
  console.log(`\n${total(all, "passed")} passed, ${total(all, "failed")} failed`);
}

/**
 * @param {Result[]} all
 * @param {"passed" | "failed"} key
 */
function total(all, key) {
  return all.reduce((sum, result) => sum + result[key], 0);
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
