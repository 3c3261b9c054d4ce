// @ts-check
import { spawn } from "node:child_process";
import { root } from "./run.mjs";

const LOOPS = 8;
/** The number of test workers. Together with the busy loops, this gives a load of 20. */
const WORKERS = 12;
/** Source of the busy loops. They end when this script has ended, even if it was killed. */
const BUSY = `
  const loop = "const { ppid } = process; while (process.ppid === ppid) for (let i = 0; i < 1e8; i++);";
  const { Worker } = require("node:worker_threads");
  for (let i = 0; i < ${LOOPS}; i++) new Worker(loop, { eval: true });`;

// Runs the tests beside busy loops, to find tests that need a quiet machine. Arguments are passed
// on: `npm run test:loaded -- packages/core` runs a part.
//
// The loops have a session of their own, like a program of somebody else: Linux shares the processor
// between sessions first.
const loops = spawn(process.execPath, ["-e", BUSY], { stdio: "ignore", detached: true });
// The option `--maxWorkers` does not reach Vitest's projects; the variable does.
const env = { ...process.env, VITEST_MAX_WORKERS: String(WORKERS) };
const words = ["scripts/test.mjs", ...process.argv.slice(2)];
const tests = spawn(process.execPath, words, { cwd: root, env, stdio: "inherit" });

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, () => tests.kill(signal));
}
process.on("exit", () => loops.kill("SIGKILL"));
tests.on("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
tests.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 130));
