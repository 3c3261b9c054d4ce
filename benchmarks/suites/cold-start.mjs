// @ts-check
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startGithubServer } from "../lib/github-process.mjs";
import { median } from "../lib/measure.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */
/** @typedef {{ name: string, args: string[], exit: number, most?: number }} Program */

export const title = "The command from a cold start";

const command = fileURLToPath(new URL("../../packages/cli/dist/main.cjs", import.meta.url));

/** @type {readonly Program[]} */
const PROGRAMS = [
  { name: "bare `node -e 0`", args: ["-e", "0"], exit: 0 },
  { name: "`waybill --version`", args: [command, "--version"], exit: 0, most: 1.25 },
  {
    name: "`waybill capabilities explain issue.view`",
    args: [command, "capabilities", "explain", "issue.view"],
    exit: 0,
    most: 1.2,
  },
  {
    name: "`waybill run issue.view`, stopped by validation",
    args: [command, "run", "issue.view", "owner=octo"],
    exit: 1,
    most: 1.4,
  },
  {
    name: "`waybill run issue.view` against a GitHub on loopback",
    args: [command, "run", "issue.view", "owner=octo", "name=hello", "number=1"],
    exit: 0,
    most: 1.9,
  },
];

/**
 * Milliseconds from the start of a process to its end.
 * @param {Program} program
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} place
 */
function getTime({ args, exit }, place) {
  const start = performance.now();
  const { status, stdout } = spawnSync(process.execPath, args, { ...place, encoding: "utf8" });
  const elapsed = performance.now() - start;
  if (status !== exit)
    throw new Error(`${args.slice(1).join(" ")} ended with ${status}: ${stdout}`);
  return elapsed;
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const rounds = quick ? 5 : 31;
  const cwd = mkdtempSync(join(tmpdir(), "waybill-cold-"));
  const server = await startGithubServer();
  const env = { PATH: process.env["PATH"], HOME: cwd, WAYBILL_GITHUB: server.env };
  /** @type {number[][]} */
  const times = PROGRAMS.map(() => []);
  try {
    // The first round only fills the system's file cache and the user's cache of compiled code.
    for (let round = -1; round < rounds; round++) {
      for (const [index, program] of PROGRAMS.entries()) {
        const elapsed = getTime(program, { cwd, env });
        if (round >= 0) times[index].push(elapsed);
      }
    }
  } finally {
    server.close();
    rmSync(cwd, { recursive: true, force: true });
  }
  const notes = [
    `Medians of ${rounds} interleaved runs, each a new process; ratios are taken within a run. Compiled code is in the user's cache folder, as after any first run.`,
    "Before it sends anything, `run` executes about 600 functions once, in V8's interpreter. Changes that were made: one file or several, with V8's code cache (it halves the time; reading the cached code takes a sixth of a bare start); Node's modules are loaded only when they are used; no stream for the answer; plain schemas are checked without TypeBox. A snapshot of the started program would save more, but Node accepts one only by a flag on its command line.",
    "With Node's own `module.enableCompileCache` (Node 22.1 or newer) instead of our cache, the command takes more processor time (user and system, medians of 6 interleaved runs on a busy machine; ours, then Node's). Stopped by validation: 58 and 78 ms on Node 20.20, which has no such cache, 65 and 73 ms on Node 22.23, 70 and 79 ms on Node 24.21. To loopback: 82 and 107, 91 and 111, 104 and 123 ms. `explain`: 34 and 39, 41 and 46, 47 and 48 ms. Node caches only the functions of the first run. So it is used only for ES modules, which our cache does not load.",
    "A program of ten lines that sends one request with Node's own `http` and prints the answer takes 1.45 × a bare start on the same machine.",
  ];
  return { rows: getRows(times), notes };
}

/** @param {number[][]} times @returns {Row[]} */
function getRows(times) {
  const [bare] = times;
  return PROGRAMS.flatMap(({ name, most }, index) => {
    const row = { name, value: median(times[index]), unit: "ms" };
    if (most === undefined) return [row];
    const ratio = median(times[index].map((time, round) => time / bare[round]));
    const target = { target: `≤ ${most}×`, met: ratio <= most };
    return [row, { name: "… of the bare start", value: ratio, unit: "×", ...target }];
  });
}
