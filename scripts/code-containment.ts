// npm run code-containment [-- --compute-ms 1000]
// Runs hostile programs one by one, and measures how long they block this process and what they
// leave behind.
import { parseArgs } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { createCodeRunner } from "@waybill/code";
import { longestPause } from "../benchmarks/lib/host-pause.mjs";
import { openShop } from "../packages/code/src/fixtures/shop.ts";
import { ENDLESS } from "../packages/code/src/sandbox/fixtures/endless.ts";
import { ESCAPES } from "../packages/code/src/sandbox/fixtures/escapes.ts";
import { GREEDY, UNREADABLE } from "../packages/code/src/sandbox/fixtures/greedy.ts";
import { ENDLESS_NATIVES, GREEDY_NATIVES } from "../packages/code/src/sandbox/fixtures/natives.ts";

const MOST_MS = 50;
const AT_ONCE = 50;
/**
 * How often each program runs. A pause that the program causes occurs every time; a pause of the
 * machine does not.
 */
const ATTEMPTS = 3;
const GOOD = 'return (await order.view("octo/shop#2")).number';
const CORPUS = [
  ...ENDLESS,
  ...ENDLESS_NATIVES,
  ...[...GREEDY, ...GREEDY_NATIVES].map(([, program]) => program),
  ...ESCAPES,
  ...UNREADABLE.map(([, program]) => program),
];

const { values } = parseArgs({ options: { "compute-ms": { type: "string", default: "1000" } } });
// Time that the first program of a new thread may compute: usually 20 ms, but ten times as long on
// a busy machine.
const computeMs = Number(values["compute-ms"]);
const runner = createCodeRunner({ limits: { computeMs, calls: 60, writes: 50 } });
const { waybill } = openShop();

function megabytes(): number {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().rss / 1e6);
}

interface Measured {
  readonly program: string;
  readonly pause: number;
  /** Why the program after the hostile one failed. */
  readonly problem: string | undefined;
}

async function measurePause(program: string): Promise<number> {
  let shortest = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && shortest > MOST_MS; attempt++) {
    shortest = Math.min(shortest, await longestPause(() => runner.run(waybill, program)));
  }
  return shortest;
}

async function measureProgram(program: string): Promise<Measured> {
  const pause = await measurePause(program);
  const { error } = await runner.run(waybill, GOOD);
  return { program, pause, problem: error?.message };
}

function printList(
  title: string,
  found: readonly Measured[],
  text: (each: Measured) => string,
): void {
  console.log(title);
  for (const each of found) console.log(`  ${text(each)} ${each.program.slice(0, 90)}`);
}

function percentile(sample: readonly number[], percent: number): string {
  const sorted = sample.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) * (percent / 100))] ?? 0).toFixed(1);
}

await runner.run(waybill, GOOD);
const before = megabytes();
const measured: Measured[] = [];
for (const program of CORPUS) measured.push(await measureProgram(program));
await wait(500);
const after = megabytes();
const late = measured.filter(({ pause }) => pause > MOST_MS);
const bad = measured.filter(({ problem }) => problem !== undefined);
const pauses = measured.map(({ pause }) => pause);
const [median, most, max] = [50, 95, 100].map((percent) => percentile(pauses, percent));
printList(
  `programs   ${measured.length}, the next run failed after ${bad.length}`,
  bad,
  ({ problem }) => `${problem}:`,
);
console.log(`pause      median ${median} ms, 95 % ${most} ms, longest ${max} ms`);
printList(
  `late       ${late.length} over ${MOST_MS} ms`,
  late,
  ({ pause }) => `${pause.toFixed(0)} ms`,
);
console.log(`memory     ${before} MB before, ${after} MB after`);
let finished = 0;
const pauseWithMany = await longestPause(async () => {
  const all = await Promise.all(Array.from({ length: AT_ONCE }, () => runner.run(waybill, GOOD)));
  finished = all.filter(({ ok }) => ok).length;
});
console.log(
  `at once    ${finished} of ${AT_ONCE} finished, longest pause ${pauseWithMany.toFixed(1)} ms`,
);
runner.close();
process.exitCode = bad.length === 0 && late.length === 0 && finished === AT_ONCE ? 0 : 1;
