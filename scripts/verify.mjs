// @ts-check
import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { root, testReport } from "./run.mjs";
import { ensureInstalled } from "./setup.mjs";

/**
 * Stages run one after the other. In a stage, lanes run at the same time, and the steps of a lane
 * one after the other. Tests wait for processes and have a long end in one thread, so a core is
 * often free. The build is first: tests that start the command of this clone are faster with it.
 */
const stages = [
  [["build"]],
  [
    ["coverage"],
    [
      "fmt:check",
      "lint",
      "page-size",
      "types",
      "prose",
      "dead-code",
      "package-check",
      "type-cost",
      "generate:check",
    ],
  ],
  [["test:node:check"], ["examples", "corpus:sample", "conformance:check", "benchmark:check"]],
];

/** @typedef {{ name: string, ms: number, passed: number, failed: number }} Result */

/**
 * Failures are printed again at the end of the log, where people look.
 * @type {string[]}
 */
const failures = [];

// Deletes the report of an earlier run, so that it is not counted again.
rmSync(testReport, { force: true });
ensureInstalled();
const start = performance.now();
/** @type {Result[]} */
const results = [];
for (const lanes of stages) results.push(...(await runStage(lanes)));
for (const failure of failures) console.log(failure);
printSummary(results);
process.exitCode = total(results, "failed") > 0 ? 1 : 0;

/**
 * Only one lane is printed as it runs. The others are printed when a step has ended.
 * @param {string[][]} lanes
 * @returns {Promise<Result[]>}
 */
async function runStage(lanes) {
  const ended = lanes.map((lane, index) => runLane(lane, index === 0));
  return (await Promise.all(ended)).flat();
}

/**
 * @param {string[]} lane
 * @param {boolean} isShown
 */
async function runLane(lane, isShown) {
  /** @type {Result[]} */
  const done = [];
  for (const name of lane) done.push(await runStep(name, isShown));
  return done;
}

/**
 * @param {string} name
 * @param {boolean} isShown
 * @returns {Promise<Result>}
 */
async function runStep(name, isShown) {
  if (isShown) console.log(`\n── npm run ${name}`);
  const begin = performance.now();
  const { ok, output } = await runScript(name, isShown);
  const ms = performance.now() - begin;
  const isTests = name === "coverage" || name.startsWith("test");
  if (!ok && isTests) failures.push(...failedTests());
  if (!ok && !isShown) failures.push(`\n── failed: npm run ${name}\n${output.slice(-4_000)}`);
  console.log(
    `${isShown ? "" : `\n── npm run ${name}\n${output}`}── ${ok ? "ok" : "failed"} in ${seconds(ms)}`,
  );
  return { name, ms, ...(name === "coverage" ? countTests(ok) : countStep(ok)) };
}

/**
 * @param {string} name
 * @param {boolean} isShown
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
function runScript(name, isShown) {
  const stdio = isShown ? "inherit" : "pipe";
  const child = spawn("npm", ["run", "--silent", name], {
    cwd: root,
    stdio: ["inherit", stdio, stdio],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk) => (output += chunk));
  }
  return new Promise((resolve) => {
    child.on("error", ({ message }) => resolve({ ok: false, output: message }));
    child.on("close", (code) => resolve({ ok: code === 0, output }));
  });
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
  console.log(
    `\n${total(all, "passed")} passed, ${total(all, "failed")} failed in ${seconds(performance.now() - start)}`,
  );
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
