// @ts-check
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createCodeRunner } from "@waybill/code";
import { createWaybill, defineOperation } from "@waybill/core";
import { startGithubServer } from "../lib/github-process.mjs";
import { longestPause } from "../lib/host-pause.mjs";
import { median } from "../lib/measure.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */

export const title = "Programs";

const command = fileURLToPath(new URL("../../packages/cli/dist/main.cjs", import.meta.url));
const ONE_CALL = "return (await number.get({ n: 1 })).n";
const CALLS = 200;
const MANY_CALLS = `let sum = 0; for (let n = 0; n < ${CALLS}; n++) sum += (await number.get({ n })).n; return sum`;
/** One call, written as a program and as a direct call. */
const AS_PROGRAM = ["code", 'return await issue.view("octo/hello#1")'];
const AS_CALL = ["run", "issue.view", "octo/hello#1"];
const AT_ONCE = 50;
const WARM_MS = 500;
/** A short pause between programs; a real server is idle for much longer. */
const PAUSE_MS = 20;
/** Writes the CPU time to CPU_FILE when the process exits. */
const TELL_CPU =
  'process.on("exit", () => require("fs").writeFileSync(process.env.CPU_FILE, JSON.stringify(process.cpuUsage())));';

const number = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
};
const get = defineOperation({
  id: "number.get",
  description: "Give a number back",
  effect: "read",
  input: number,
  output: number,
  handler: (input) => input,
});
const waybill = createWaybill({ operations: [get] });

/**
 * Elapsed time and processor time, in milliseconds. On a busy machine the second is more reliable.
 * @typedef {{ wall: number, cpu: number }} Cost
 */

/** @param {NodeJS.CpuUsage} usage */
function cpuMs({ user, system }) {
  return (user + system) / 1_000;
}

/** @param {() => Promise<unknown>} work @returns {Promise<Cost>} */
async function timed(work) {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  return { wall: performance.now() - start, cpu: cpuMs(process.cpuUsage(before)) };
}

/** @param {readonly Cost[]} costs @returns {Cost} */
function medians(costs) {
  return { wall: median(costs.map(({ wall }) => wall)), cpu: median(costs.map(({ cpu }) => cpu)) };
}

/** @param {Cost} cost @param {Cost} other @returns {Cost} */
function minus(cost, other) {
  return { wall: cost.wall - other.wall, cpu: cost.cpu - other.cpu };
}

/** @param {number} rounds @param {readonly (() => Promise<unknown>)[]} works */
async function inTurns(rounds, works) {
  /** @type {Cost[][]} */
  const costs = works.map(() => []);
  for (let round = 0; round < rounds; round++) {
    await wait(PAUSE_MS);
    for (const [index, work] of works.entries()) costs[index]?.push(await timed(work));
  }
  return costs.map(medians);
}

/** @param {ReturnType<typeof createCodeRunner>} runner @param {string} program */
async function play(runner, program) {
  const { ok, error } = await runner.run(waybill, program);
  if (!ok) throw new Error(error.message);
}

/** The first program of a server that has just started its thread. @param {number} rounds */
async function firstProgram(rounds) {
  /** @type {Cost[]} */
  const costs = [];
  for (let round = 0; round < rounds; round++) {
    const runner = createCodeRunner();
    runner.warm();
    await wait(WARM_MS);
    costs.push(await timed(() => play(runner, ONE_CALL)));
    runner.close();
  }
  return medians(costs);
}

/** The longest time for which the host was blocked while many programs were requested at once. */
async function pauseWithMany() {
  const runner = createCodeRunner();
  await play(runner, ONE_CALL);
  let all = { wall: 0, cpu: 0 };
  const pause = await longestPause(async () => {
    all = await timed(() =>
      Promise.all(Array.from({ length: AT_ONCE }, () => play(runner, MANY_CALLS))),
    );
  });
  runner.close();
  return { all, pause };
}

/** @param {number} rounds @param {readonly string[][]} commands */
async function inProcesses(rounds, commands) {
  const cwd = mkdtempSync(join(tmpdir(), "waybill-code-"));
  const cpuFile = join(cwd, "cpu.json");
  const tell = join(cwd, "tell.cjs");
  writeFileSync(tell, TELL_CPU);
  const github = await startGithubServer();
  const env = {
    PATH: process.env["PATH"],
    HOME: cwd,
    CPU_FILE: cpuFile,
    WAYBILL_GITHUB: github.env,
  };
  /** @type {Cost[][]} */
  const costs = commands.map(() => []);
  // The first round only fills the system's file cache and the user's cache of compiled code.
  for (let round = -1; round < rounds; round++) {
    for (const [index, words] of commands.entries()) {
      const start = performance.now();
      const args = ["--require", tell, command, ...words];
      const { status, stdout } = spawnSync(process.execPath, args, { cwd, env, encoding: "utf8" });
      const wall = performance.now() - start;
      if (status !== 0) throw new Error(stdout);
      if (round < 0) continue;
      costs[index]?.push({ wall, cpu: cpuMs(JSON.parse(readFileSync(cpuFile, "utf8"))) });
    }
  }
  github.close();
  rmSync(cwd, { recursive: true, force: true });
  return costs.map(medians);
}

/**
 * @param {string} name
 * @param {number} value
 * @param {number} [most]
 * @returns {Row}
 */
function codeRow(name, value, most) {
  if (most === undefined) return { name, value, unit: "ms" };
  return { name, value, unit: "ms", target: `≤ ${most}`, met: value <= most };
}

/** @param {string} name @param {Cost} cost @param {number} [most] @returns {Row[]} */
function rowsFor(name, { wall, cpu }, most) {
  return [codeRow(name, wall, most), codeRow(`${name}: processor time`, cpu, most)];
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const rounds = quick ? 5 : 31;
  const runner = createCodeRunner();
  await play(runner, ONE_CALL);
  const [call, later, atOnce, many] = /** @type {[Cost, Cost, Cost, Cost]} */ (
    await inTurns(rounds, [
      () => waybill.execute("number.get", { n: 1 }),
      () => play(runner, ONE_CALL),
      () => play(runner, ONE_CALL),
      () => play(runner, MANY_CALLS),
    ])
  );
  runner.close();
  const first = await firstProgram(rounds);
  const { all, pause } = await pauseWithMany();
  const [program, called, single, start] = /** @type {[Cost, Cost, Cost, Cost]} */ (
    await inProcesses(rounds, [AS_PROGRAM, AS_CALL, ["code", "return 1"], ["--version"]])
  );
  const others = minus(many, later);
  const each = { wall: others.wall / (CALLS - 1), cpu: others.cpu / (CALLS - 1) };
  const rows = [
    ...rowsFor("the first program in a server, over its call", minus(first, call), 15),
    ...rowsFor("a later program, over its call", minus(later, call), 4),
    ...rowsFor("the same right after another program", minus(atOnce, call)),
    ...rowsFor("a call in a program, over `execute`", minus(each, call), 0.3),
    ...rowsFor("`waybill code`, over `waybill run` of its call", minus(program, called), 120),
    ...rowsFor("`waybill code` without a call, over `waybill --version`", minus(single, start)),
    codeRow(`longest pause of the host while ${AT_ONCE} programs run`, pause, 50),
    {
      name: `${AT_ONCE} programs with ${CALLS} calls each, asked for at once`,
      value: all.wall,
      unit: "ms",
    },
  ];
  const notes = [
    `Medians of ${rounds} rounds, in which the compared variants take turns. The capability is a local function, so only the cost of the program itself is measured.`,
    "Processor time includes all threads of the process. A pause does not include time in which the process waited for a processor.",
    `Before a later program the server is idle for ${PAUSE_MS} ms. In this time the thread prepares a sandbox for it. A program right after another one has to wait for that.`,
    "test/code/bulk.test.ts compares the tokens and requests of bulk tasks with an expert's shell lines.",
  ];
  return { rows, notes };
}
