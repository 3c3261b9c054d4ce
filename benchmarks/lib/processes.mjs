// @ts-check
import { spawnSync } from "node:child_process";
import { benchmarks } from "./report.mjs";

/** Milliseconds from the start of a process to its end. @param {string[]} args */
export function getTime(args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: benchmarks,
    encoding: "utf8",
  });
  const elapsed = performance.now() - start;
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed:\n${stderr}`);
  return elapsed;
}
