// @ts-check
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createCodeRunner } from "@waybill/code";
import { createWaybill, defineOperation } from "@waybill/core";
import { median } from "../lib/measure.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */

export const title = "Programs";

const command = fileURLToPath(new URL("../../packages/cli/dist/main.cjs", import.meta.url));
const ONE_CALL = "return (await number.get({ n: 1 })).n";
const CALLS = 200;
const MANY_CALLS = `let sum = 0; for (let n = 0; n < ${CALLS}; n++) sum += (await number.get({ n })).n; return sum`;
const AT_ONCE = 50;
const WARM_MS = 1_000;

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

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** @param {number} rounds @param {() => Promise<unknown>} work */
async function medianOf(rounds, work) {
  /** @type {number[]} */
  const times = [];
  for (let round = 0; round < rounds; round++) times.push(await timed(work));
  return median(times);
}

/** @param {ReturnType<typeof createCodeRunner>} runner @param {string} program */
async function play(runner, program) {
  const { ok, error } = await runner.run(waybill, program);
  if (!ok) throw new Error(error.message);
}

/** A server that has just started its thread and gets its first program. @param {number} rounds */
async function firstProgram(rounds) {
  /** @type {number[]} */
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const runner = createCodeRunner();
    runner.warm();
    await wait(WARM_MS);
    times.push(await timed(() => play(runner, ONE_CALL)));
    runner.close();
  }
  return median(times);
}

/** The longest time for which nothing else ran here while many programs were asked for at once. */
async function lagOfMany() {
  const runner = createCodeRunner();
  await play(runner, ONE_CALL);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const all = await timed(() =>
    Promise.all(Array.from({ length: AT_ONCE }, () => play(runner, MANY_CALLS))),
  );
  delay.disable();
  runner.close();
  return { all, lag: delay.max / 1e6 };
}

/** @param {number} rounds @param {string[]} args */
function processMedian(rounds, args) {
  const cwd = mkdtempSync(join(tmpdir(), "waybill-code-"));
  const env = { PATH: process.env["PATH"], HOME: cwd };
  /** @type {number[]} */
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const { status, stdout } = spawnSync(process.execPath, [command, ...args], {
      cwd,
      env,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stdout);
    times.push(performance.now() - start);
  }
  rmSync(cwd, { recursive: true, force: true });
  return median(times);
}

/**
 * @param {string} name
 * @param {number} value
 * @param {number} most
 * @returns {Row}
 */
function row(name, value, most) {
  return { name, value, unit: "ms", target: `≤ ${most}`, met: value <= most };
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const rounds = quick ? 5 : 31;
  const runner = createCodeRunner();
  await play(runner, ONE_CALL);
  const call = await medianOf(rounds, () => waybill.execute("number.get", { n: 1 }));
  const later = await medianOf(rounds, () => play(runner, ONE_CALL));
  const many = await medianOf(rounds, () => play(runner, MANY_CALLS));
  runner.close();
  const first = await firstProgram(quick ? 2 : 7);
  const { all, lag } = await lagOfMany();
  const single = processMedian(rounds, ["code", "return 1"]) - processMedian(rounds, ["--version"]);
  const rows = [
    row("the first program in a server, over its call", first - call, 15),
    row("a later program, over its call", later - call, 4),
    row("a call in a program, over `execute`", (many - later) / (CALLS - 1) - call, 0.3),
    row("`waybill code`, over `waybill --version`", single, 120),
    row(`longest pause of the host while ${AT_ONCE} programs run`, lag, 50),
    {
      name: `${AT_ONCE} programs with ${CALLS} calls each, asked for at once`,
      value: all,
      unit: "ms",
    },
  ];
  const notes = [
    `Medians of ${rounds} rounds. The capability is a local function, so that what is left is the program's own cost.`,
    "Tokens of bulk tasks beside an expert's shell lines are counted by test/code/bulk.test.ts.",
  ];
  return { rows, notes };
}
