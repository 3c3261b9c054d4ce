import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { left, take, WORKERS } from "./work.ts";
import type { Answer, Errand, Part, WorkKind } from "./work.ts";

/**
 * Results are sent in batches, because each message has a cost. The batches get smaller at the end.
 */
const MOST = 24;
const LEAST = 4;

function getBatch(errand: Errand): number {
  return Math.max(LEAST, Math.min(MOST, left(errand) >> 4));
}

async function runErrand<Kind extends WorkKind>(errand: Errand<Kind>): Promise<void> {
  const { kind, root, jobs } = errand;
  const work = await WORKERS[kind]();
  for (;;) {
    const count = getBatch(errand);
    const from = take(errand, count);
    if (from >= jobs.length) break;
    const answers: Answer<Kind>[] = [];
    for (const job of jobs.slice(from, from + count)) answers.push(await work(root, job));
    send({ from, answers });
    // The parser's memory is freed only after a turn of the event loop.
    await setImmediate();
  }
  parentPort?.postMessage(undefined, []);
}

function send(part: Part): void {
  const numbers = part.answers.flatMap((answer) =>
    answer && "numbers" in answer ? [answer.numbers.buffer] : [],
  );
  parentPort?.postMessage(part, numbers);
}

/** Loads the code for this kind of work in advance. An error appears with the first job. */
async function prepareThread(kind: unknown): Promise<void> {
  if (kind !== "modules" && kind !== "symbols") return;
  await WORKERS[kind]().catch(() => undefined);
}

void prepareThread(workerData);
parentPort?.on("message", (errand: Errand) => {
  void runErrand(errand);
});
