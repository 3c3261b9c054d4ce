// @ts-check
import { spawn } from "node:child_process";
import { root } from "./run.mjs";

const LOOPS = 8;
/** Together with the busy loops, this gives a load of 20. */
const WORKERS = 12;
/** A busy loop that ends when this script is gone, even if it was killed. */
const BUSY =
  "const { ppid } = process; while (process.ppid === ppid) for (let i = 0; i < 1e8; i++);";

// Runs the tests beside busy loops, to find tests that need a quiet machine. Arguments are passed
// on: `npm run test:loaded -- packages/core` runs a part.
const loops = Array.from({ length: LOOPS }, () =>
  spawn(process.execPath, ["-e", BUSY], { stdio: "ignore" }),
);
// The option `--maxWorkers` does not reach Vitest's projects; the variable does.
const env = { ...process.env, VITEST_MAX_WORKERS: String(WORKERS) };
const words = ["scripts/test.mjs", ...process.argv.slice(2)];
const tests = spawn(process.execPath, words, { cwd: root, env, stdio: "inherit" });

function stopLoops() {
  for (const loop of loops) loop.kill("SIGKILL");
}

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, () => tests.kill(signal));
}
process.on("exit", stopLoops);
tests.on("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
tests.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 130));
