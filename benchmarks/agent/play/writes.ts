import { createHash } from "node:crypto";
import type { Store } from "@waybill/github/emulator";
import type { Scenario } from "../types.ts";
import { storeState } from "../world/state.ts";

/** One mutation that GitHub applied. */
export interface Applied {
  readonly mutation: string;
  /** Whether the mutation changed anything that an oracle can see. */
  readonly isChange: boolean;
}

function storeDigest(store: Store): string {
  return createHash("sha256")
    .update(JSON.stringify(storeState(store)))
    .digest("hex");
}

/** Records the mutations that a GitHub applies. */
export class WriteLog {
  readonly applied: Applied[] = [];
  #state: string | undefined;

  /** Starts before the first request. */
  begin(store: Store): void {
    this.#state = storeDigest(store);
  }

  add(mutation: string, store: Store): void {
    const state = storeDigest(store);
    this.applied.push({ mutation, isChange: state !== this.#state });
    this.#state = state;
  }
}

export interface WriteCount {
  readonly applied: number;
  readonly doubled: number;
  readonly repeated: number;
  /** Names the writes that were applied too often. */
  readonly problem?: string;
}

interface Excess {
  readonly mutation: string;
  readonly times: number;
  readonly limit: number;
  readonly isHarmless: boolean;
}

/**
 * The mutations that were applied too often. A repeat is allowed only if the scenario calls it
 * harmless and nothing changed.
 */
function excessesIn({ mutations = {}, harmless = [] }: Scenario, applied: readonly Applied[]) {
  const names = [...new Set(applied.map(({ mutation }) => mutation))];
  return names.flatMap((mutation): Excess[] => {
    const own = applied.filter((each) => each.mutation === mutation);
    const limit = mutations[mutation] ?? 0;
    if (own.length <= limit) return [];
    const idle = own.filter(({ isChange }) => !isChange).length;
    const isHarmless = harmless.includes(mutation) && idle >= own.length - limit;
    return [{ mutation, times: own.length, limit, isHarmless }];
  });
}

function getSum(excesses: readonly Excess[]): number {
  return excesses.reduce((sum, { times, limit }) => sum + times - limit, 0);
}

/** Counts each mutation separately, so that too many of one cannot hide a missing other one. */
export function countWrites(scenario: Scenario, applied: readonly Applied[]): WriteCount {
  const excesses = excessesIn(scenario, applied);
  const bad = excesses.filter(({ isHarmless }) => !isHarmless);
  const repeated = getSum(excesses) - getSum(bad);
  const words = bad.map(
    ({ mutation, times, limit }) => `${mutation} was applied ${times} times instead of ${limit}`,
  );
  return {
    applied: applied.length - repeated,
    doubled: getSum(bad),
    repeated,
    ...(words.length > 0 && { problem: words.join("; ") }),
  };
}
