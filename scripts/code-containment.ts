// Hostile programs one by one: how long they block this process, and what they leave behind.
// npm run code-containment
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { createCodeRunner } from "@waybill/code";
import { openShop } from "../packages/code/src/fixtures/shop.ts";
import { ENDLESS } from "../packages/code/src/sandbox/fixtures/endless.ts";
import { ESCAPES } from "../packages/code/src/sandbox/fixtures/escapes.ts";
import { GREEDY } from "../packages/code/src/sandbox/fixtures/greedy.ts";

const MOST_LAG_MS = 50;
const AT_ONCE = 50;
const GOOD = 'return (await order.view("octo/shop#2")).number';
const CORPUS = [...ENDLESS, ...GREEDY.map(([, program]) => program), ...ESCAPES];

const runner = createCodeRunner({ limits: { computeMs: 100, calls: 60, writes: 50 } });
const { waybill } = openShop();

/** The longest time for which nothing else ran here. */
async function longestLag(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

function megabytes(): number {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().rss / 1e6);
}

interface Measured {
  readonly program: string;
  readonly lag: number;
  /** The same just before, while this process did nothing: what the machine itself adds. */
  readonly idle: number;
  readonly isNextGood: boolean;
  readonly limit: unknown;
}

async function measure(program: string): Promise<Measured> {
  const started = performance.now();
  let limit: unknown;
  const lag = await longestLag(async () => {
    const { error } = await runner.run(waybill, program);
    limit = error?.details?.["limit"] ?? error?.code;
  });
  const idle = await longestLag(() => wait(performance.now() - started));
  const next = await runner.run(waybill, GOOD);
  return { program, lag, idle, isNextGood: next.ok, limit };
}

function percentile(values: readonly number[], percent: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) * (percent / 100))] ?? 0).toFixed(1);
}

await runner.run(waybill, GOOD);
const before = megabytes();
const measured: Measured[] = [];
for (const program of CORPUS) measured.push(await measure(program));
await wait(500);
const after = megabytes();
const late = measured.filter(({ lag, idle }) => lag > MOST_LAG_MS && lag > 2 * idle);
const bad = measured.filter(({ isNextGood }) => !isNextGood);
const lags = measured.map(({ lag }) => lag);
const idles = measured.map(({ idle }) => idle);
console.log(`programs   ${measured.length}, the next run failed after ${bad.length}`);
for (const [name, values] of [
  ["lag", lags],
  ["idle", idles],
] as const) {
  const [median, most, max] = [50, 95, 100].map((percent) => percentile(values, percent));
  console.log(`${name.padEnd(10)} median ${median} ms, 95 % ${most} ms, longest ${max} ms`);
}
console.log(`late       ${late.length} over ${MOST_LAG_MS} ms and twice the idle lag`);
for (const { program, lag } of late) console.log(`  ${lag.toFixed(0)} ms ${program.slice(0, 90)}`);
console.log(`memory     ${before} MB before, ${after} MB after`);
let finished = 0;
const lagOfMany = await longestLag(async () => {
  const all = await Promise.all(Array.from({ length: AT_ONCE }, () => runner.run(waybill, GOOD)));
  finished = all.filter(({ ok }) => ok).length;
});
console.log(
  `at once    ${finished} of ${AT_ONCE} finished, longest lag ${lagOfMany.toFixed(1)} ms`,
);
runner.close();
process.exitCode = bad.length === 0 && late.length === 0 && finished === AT_ONCE ? 0 : 1;
