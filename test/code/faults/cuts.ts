import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCodeRunner, fileRunLog } from "@waybill/code";
import type { CodeRunner } from "@waybill/code";
import type { Waybill } from "@waybill/core";
import { openJournal } from "@waybill/state";
import { untruths } from "./check.ts";
import { Ledger } from "./ledger.ts";
import type { Cut } from "./ledger.ts";
import { SHAPES, programFor } from "./programs.ts";

const ATTEMPTS = 5;
const MAX_WRITES = 5;

/** Random numbers that are the same for the same seed. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

function cutFor(random: number): Cut {
  if (random < 0.7) return "none";
  if (random < 0.78) return "before";
  if (random < 0.88) return "after";
  return random < 0.94 ? "stop-before" : "stop-after";
}

export interface CutTally {
  runs: number;
  attempts: number;
  finished: number;
  readonly problems: string[];
}

interface Bench {
  readonly ledger: Ledger;
  readonly waybill: Waybill;
  readonly runner: CodeRunner;
}

/** Runs one program with the same key again and again, until it ends or makes no progress. */
async function play(bench: Bench, name: string, random: () => number): Promise<CutTally> {
  const { ledger, waybill, runner } = bench;
  const program = programFor(
    name,
    Math.floor(random() * SHAPES),
    1 + Math.floor(random() * MAX_WRITES),
  );
  const tally: CutTally = { runs: 1, attempts: 0, finished: 0, problems: [] };
  while (tally.attempts < ATTEMPTS && tally.finished === 0) {
    tally.attempts += 1;
    const ending = new AbortController();
    const isCalm = tally.attempts === ATTEMPTS;
    ledger.nextCut = () => (isCalm ? "none" : cutFor(random()));
    ledger.stop = () => ending.abort();
    const options = { idempotency_key: name, signal: ending.signal };
    const result = await runner.run(waybill, program.program, options);
    tally.problems.push(...untruths(result, program, ledger.of(name)));
    if (result.ok) tally.finished = 1;
  }
  return tally;
}

/** Interrupts writes and runs at any point, and runs the programs again. */
export async function playCuts(count: number, seed: number): Promise<CutTally> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-cuts-"));
  const ledger = new Ledger();
  const waybill = ledger.waybill(openJournal({ path: join(folder, "journal.db") }));
  const runner = createCodeRunner({ log: fileRunLog(join(folder, "code")) });
  const random = chance(seed);
  const all: CutTally = { runs: 0, attempts: 0, finished: 0, problems: [] };
  try {
    for (let index = 0; index < count; index++) {
      const one = await play({ ledger, waybill, runner }, `run${index}`, random);
      all.runs += one.runs;
      all.attempts += one.attempts;
      all.finished += one.finished;
      all.problems.push(...one.problems);
    }
    return all;
  } finally {
    runner.close();
    await waybill.close();
    await rm(folder, { recursive: true, force: true });
  }
}
