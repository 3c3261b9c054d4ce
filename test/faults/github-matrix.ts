// The fault matrix on the real pack: every write capability of GitHub, lost in every way, judged by
// the embedded GitHub's own count of what was applied.
import { memoryJournal } from "@waybill/core";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { cards } from "../../packages/github/src/pack/cards.ts";
import { cases } from "../../packages/github/src/pack/fixtures/cases/index.ts";
import type { ParityCase } from "../../packages/github/src/pack/fixtures/cases/index.ts";
import { startEmbedded } from "../../packages/github/src/pack/fixtures/embedded.ts";
import type { Embedded } from "../../packages/github/src/pack/fixtures/embedded.ts";
import { GithubTally } from "./github-tally.ts";

const FAULTS = {
  "refused before": { kind: "drop", when: "before" },
  "response lost": { kind: "drop", when: "after" },
  "response cut": { kind: "cut", bytes: 20 },
  "502 before": { kind: "status", status: 502, when: "before" },
  "502 after": { kind: "status", status: 502, when: "after" },
} as const;
type FaultName = keyof typeof FAULTS;

const DOORS = ["execute", "chain"] as const;
type Door = (typeof DOORS)[number];
type CardRouteName = "graphql" | "rest" | "cli";

export interface Cell {
  readonly each: ParityCase;
  readonly route: CardRouteName;
  readonly fault: FaultName;
  /** Whether every try is hit, or only the first. */
  readonly isForGood: boolean;
  readonly door: Door;
}

/** A lost write is looked for again so much later, by every clock. */
const LATER_MS = 16_000;

function writes(): ParityCase[] {
  return cases.filter(
    ({ id, applied }) => applied !== undefined && cards.cardById(id)?.effect !== "read",
  );
}

/** The cells for some routes. */
function githubCells(routes: readonly CardRouteName[]): Cell[] {
  return writes().flatMap((each, index) =>
    routes
      .filter((route) => (each.routes ?? cards.cardById(each.id)!.order).includes(route))
      .flatMap((route) =>
        (Object.keys(FAULTS) as FaultName[]).flatMap((fault, place) =>
          [true, false].map((isForGood) => {
            const door = DOORS[(index + place) % DOORS.length]!;
            return { each, route, fault, isForGood, door };
          }),
        ),
      ),
  );
}

function appliedCount({ github }: Embedded, { applied = {} }: ParityCase): number {
  const counts = github.applied();
  return Object.keys(applied).reduce((sum, name) => sum + (counts[name] ?? 0), 0);
}

async function call(
  waybill: Waybill,
  { each, route, door }: Cell,
  params: Record<string, unknown>,
): Promise<ResultEnvelope> {
  const idempotency_key = "key";
  // A step of a chain cannot say which route it takes: it takes the first.
  const isFirst = cards.cardById(each.id)!.order[0] === route;
  if (door === "execute" || !isFirst) {
    return waybill.execute(each.id, params, { idempotency_key, route });
  }
  const { results } = await waybill.chain([{ task: each.id, input: params }], { idempotency_key });
  return results[0]!;
}

/** Moves every clock of this process that says the date. */
function letTimePass(): () => void {
  const real = Date.now;
  Date.now = () => real() + LATER_MS;
  return () => {
    Date.now = real;
  };
}

/** One write, lost as the cell says, and its repeat under the same key with everything healthy. */
async function runCell(cell: Cell, tally: GithubTally): Promise<void> {
  const { each, fault, isForGood } = cell;
  const embedded = await startEmbedded({
    clock: () => new Date(Date.now()),
    waybill: { journal: memoryJournal() },
  });
  let setBack: (() => void) | undefined;
  try {
    each.prepare?.(embedded.github);
    const { params } = each;
    const input = typeof params === "function" ? { ...params(embedded.github) } : { ...params };
    const before = appliedCount(embedded, each);
    const times = isForGood ? 1_000 : 1;
    embedded.github.faults.inject({ ...FAULTS[fault], times, match: { isWrite: true } });
    const { waybill } = embedded;
    const first = await call(waybill, cell, input);
    const appliedFirst = appliedCount(embedded, each) - before;
    embedded.github.faults.clear();
    setBack = letTimePass();
    const repeat = await call(waybill, cell, input);
    const applied = appliedCount(embedded, each) - before;
    tally.add(cell, { first, appliedFirst, repeat, applied });
  } finally {
    setBack?.();
    await embedded.close();
  }
}

export interface GithubMatrixOptions {
  readonly routes: readonly CardRouteName[];
  readonly rounds: number;
  /** Every so many cells only one is run. */
  readonly oneIn?: number;
  /** Which of them. */
  readonly seed?: number;
  /** Ends the run early, between two cells. */
  readonly until?: number;
}

const PRIME = 7_919;

/** In an order in which a part of the cells has some of every capability. */
function mixed(cells: readonly Cell[], seed: number): Cell[] {
  const place = (index: number): number => ((index + seed) * PRIME) % cells.length;
  return cells
    .map((cell, index) => ({ cell, at: place(index) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ cell }) => cell);
}

export async function runGithubMatrix(options: GithubMatrixOptions): Promise<GithubTally> {
  const { routes, rounds, oneIn = 1, seed = 0, until = Infinity } = options;
  const tally = new GithubTally();
  for (let round = 0; round < rounds; round++) {
    for (const [index, cell] of mixed(githubCells(routes), seed + round).entries()) {
      if ((index + round + seed) % oneIn !== 0) continue;
      if (performance.now() > until) return tally;
      await runCell(cell, tally);
    }
  }
  return tally;
}
