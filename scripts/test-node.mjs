// @ts-check
// npm run test:node -- 24 [paths]: runs the tests with another Node, which is installed from npm.
import { delimiter, dirname } from "node:path";
import { majors, nodeFromNpm } from "./node-from-npm.mjs";
import { run } from "./run.mjs";

// "--check" is the form for "npm run verify": only the newer versions, and only tests of areas
// where Node versions differ: sockets, processes, native code, threads and module loading.
const checked = /** @type {const} */ ([22, 24]);
const part = [
  "packages/adapters/src/http/",
  "packages/adapters/src/command/run-program.test.ts",
  "packages/cli/src/code-cache/",
  "packages/codegraph/src/build/workers/",
  "packages/core/src/envelope/",
  "packages/core/src/execute/waybill.test.ts",
  "packages/state/src/history/",
  "packages/state/src/journal/journal.test.ts",
];

const [word, ...rest] = process.argv.slice(2);
const major = majors.find((one) => String(one) === word);
if (word === "--check") {
  process.exitCode = checked.map((one) => testWith(one, part)).every(isFine) ? 0 : 1;
} else if (major !== undefined) {
  process.exitCode = testWith(major, rest);
} else {
  console.error(`Name a version of Node: npm run test:node -- ${majors.join(" | ")} [paths]`);
  process.exitCode = 2;
}

/** @param {number} code */
function isFine(code) {
  return code === 0;
}

/**
 * @param {import("./node-from-npm.mjs").Major} version
 * @param {readonly string[]} words
 */
function testWith(version, words) {
  const { runtime, reason } = nodeFromNpm(version);
  if (reason !== undefined) return withoutNode(version, reason);
  // First on the PATH, so that programs started by tests use it too.
  const path = [dirname(runtime), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path };
  run("node", ["--print", "`Node ${process.version}`"], env);
  return run("node", ["scripts/test.mjs", ...words], env);
}

/**
 * Without a network there is no other Node. That is an error in CI, or if the version was
 * requested.
 * @param {number} version
 * @param {string} reason
 */
function withoutNode(version, reason) {
  const isSkipped = word === "--check" && process.env.CI !== "true";
  console.log(`${isSkipped ? "Skipped" : "Cannot run"} Node ${version}: ${reason}`);
  return isSkipped ? 0 : 1;
}
