import { createHash } from "node:crypto";
import type { Store } from "@waybill/github/emulator";
import type { Scenario } from "../types.ts";
import { storeState } from "../world/state.ts";

/** One mutation that GitHub applied. */
export interface Applied {
  readonly mutation: string;
  /** Whether anything that an oracle can see is different since. */
  readonly isChange: boolean;
}

function storeDigest(store: Store): string {
  return createHash("sha256")
    .update(JSON.stringify(storeState(store)))
    .digest("hex");
}

/** Keeps what was applied on a GitHub, as it happens. */
export class WriteLog {
  readonly applied: Applied[] = [];
  #state: string | undefined;

  /** Before anything is asked. */
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

/** A repeat is excused only where the scenario calls it harmless and GitHub was left as it was. */
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

/** Each mutation by itself: what one was applied too often is not invented for by another. */
export function countWrites(scenario: Scenario, applied: readonly Applied[]): WriteCount {
  const excesses = excessesIn(scenario, applied);
  const bad = excesses.filter(({ isHarmless }) => !isHarmless);
  const repeated = getSum(excesses) - getSum(bad);
  const words = bad.map(
    ({ mutation, times, limit }) =>
      `${mutation} was carried out ${times} times, wanted is ${limit}`,
  );
  return {
    applied: applied.length - repeated,
    doubled: getSum(bad),
    repeated,
    ...(words.length > 0 && { problem: words.join("; ") }),
  };
}
