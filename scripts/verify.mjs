// @ts-check
import { readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { run, testReport } from "./run.mjs";

const steps = [
  "coverage",
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

/**
 * Failures are printed again at the end of the log, where people look.
 * @type {string[]}
 */
const failures = [];

// Deletes the report of an earlier run, so that it is not counted again.
rmSync(testReport, { force: true });
const results = steps.map(runStep);
for (const failure of failures) console.log(failure);
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
  const isTests = name === "coverage" || name.startsWith("test");
  if (!ok && isTests) failures.push(...failedTests());
  console.log(`── ${ok ? "ok" : "failed"} in ${seconds(ms)}`);
  return { name, ms, ...(name === "coverage" ? countTests(ok) : countStep(ok)) };
}

/** @param {boolean} ok */
function countStep(ok) {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

/**
 * A run can fail without a failing test (coverage, a file that does not load, no start at all).
 * That counts as one failure.
 * @param {boolean} ok
 */
function countTests(ok) {
  const { numPassedTests: passed, numFailedTests: failed } = readReport();
  return { passed, failed: ok ? failed : Math.max(failed, 1) };
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages: string[] }} Test
 * @typedef {{ name: string, status: string, message: string, assertionResults: Test[] }} TestFile
 * @returns {{ numPassedTests: number, numFailedTests: number, testResults: TestFile[] }}
 */
function readReport() {
  try {
    return JSON.parse(readFileSync(testReport, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, testResults: [] };
  }
}

/** Reads the failures of the last test run: each file with its tests and their messages. */
function failedTests() {
  return readReport()
    .testResults.filter(({ status }) => status !== "passed")
    .map((file) => {
      const failed = file.assertionResults.filter(({ status }) => status === "failed");
      const lines = failed.map((test) => `${test.fullName}\n${test.failureMessages.join("\n")}`);
      const title = `\n── failed: ${relative(process.cwd(), file.name)}`;
      return [title, file.message, ...lines].join("\n").slice(0, 4_000);
    });
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
