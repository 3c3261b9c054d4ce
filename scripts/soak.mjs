// @ts-check
// npm run soak [-- --seconds 300]: runs full load on the HTTP server and checks whether its heap
// grows.
import { parseArgs } from "node:util";
import { openLoad, startServer } from "../benchmarks/lib/http-load.mjs";

const CONNECTIONS = 32;
const MAX_GROWTH = 1.1;
const { values } = parseArgs({ options: { seconds: { type: "string", default: "300" } } });
const seconds = Number(values.seconds);
if (!(seconds >= 5)) {
  console.error("--seconds must be a number of at least 5");
  process.exitCode = 2;
} else {
  process.exitCode = (await soak()) ? 0 : 1;
}

/** Compares the median heap of the first and the last fifth of the time. */
async function soak() {
  const server = await startServer("waybill");
  const load = openLoad(server.port, CONNECTIONS);
  const started = performance.now();
  const total = seconds * 1_000;
  const elapsed = () => performance.now() - started;
  /** @type {{ at: number, heap: number }[]} */
  const samples = [];
  let isOver = false;
  let asked = 0;
  const loading = load.run(() => !isOver && ++asked > 0);
  while (elapsed() < total) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(2_000, total / 20)));
    samples.push({ at: elapsed() / total, heap: await server.heapUsed() });
  }
  isOver = true;
  const right = await loading;
  load.close();
  server.stop();
  // The first moments are skipped, because code is still being compiled.
  const first = getHeap(samples.filter(({ at }) => at > 0.05 && at <= 0.2));
  const last = getHeap(samples.filter(({ at }) => at > 0.8));
  const growth = last / first;
  console.log(
    `${right} of ${asked} answers correct in ${seconds} s, ${Math.round(right / seconds)} per second`,
  );
  console.log(
    `heap after collection: first minute ${mega(first)}, last ${mega(last)}, ${growth.toFixed(3)} ×`,
  );
  return right === asked && growth <= MAX_GROWTH;
}

/** @param {{ heap: number }[]} samples */
function getHeap(samples) {
  const sorted = samples.map(({ heap }) => heap).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** @param {number} bytes */
function mega(bytes) {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}
