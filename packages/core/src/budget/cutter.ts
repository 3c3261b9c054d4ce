import { isRecord, setOwn } from "../envelope/index.ts";
import { SEPARATOR_COST, keyCost } from "./costs.ts";
import type { Costs } from "./costs.ts";
import { cutText } from "./cut-text.ts";
import type { KeptEnd } from "./cut-text.ts";
import { formatPath, matchesPath } from "./path.ts";

/** A position where data was removed. */
export interface Cut {
  /** Keys separated by dots; empty for the data itself. */
  readonly path: string;
  /** Whether items of a list, members of an object or characters of a text were removed. */
  readonly kind: "items" | "text";
  readonly shown: number;
  readonly total: number;
  /** Which end is kept. */
  readonly kept: KeptEnd;
}

/**
 * The minimum number of tokens for each member of an object, except for members that need fewer.
 */
const LEAST_SHARE = 16;
const BRACKETS_COST = 2;
/**
 * If the items that fit fill less than this share of the budget, a part of the next item is
 * shown too.
 */
const WELL_USED = 0.85;
const LARGE_ITEM = 32;
const LOG_KEY = /(?:^|[_-])(?:logs?|output|stdout|stderr|console)$|[a-z](?:Logs?|Output)$/u;

interface Member {
  readonly key: string;
  readonly value: unknown;
  readonly cost: number;
  share: number;
}

/**
 * Small members are kept whole and large ones share the rest, so one long text does not displace
 * other fields.
 */
function shareOut(members: readonly Member[], budget: number): void {
  let left = budget;
  let waiting = members.length;
  for (const member of members.toSorted((a, b) => a.cost - b.cost)) {
    member.share = Math.min(member.cost, left / waiting);
    left -= member.share;
    waiting -= 1;
  }
}

/** Cuts data to a number of tokens and records where. */
export class Cutter {
  readonly cuts: Cut[] = [];
  readonly #costs: Costs;
  readonly #tails: readonly (readonly string[])[];
  readonly #keys: (string | number)[] = [];

  constructor(costs: Costs, tails: readonly (readonly string[])[]) {
    this.#costs = costs;
    this.#tails = tails;
  }

  /**
   * Logs are cut at their start, because the end is more important. Lists of log lines and the
   * lines themselves are cut the same way.
   */
  cut(value: unknown, budget: number, inTail = false): unknown {
    if (this.#costs.of(value) <= budget) return value;
    const kept: KeptEnd = inTail || this.#isTail() ? "end" : "start";
    if (typeof value === "string") return this.#cutText(value, budget, kept);
    if (Array.isArray(value)) return this.#cutList(value, budget, kept);
    return isRecord(value) ? this.#cutRecord(value, budget) : value;
  }

  #isTail(): boolean {
    const key = this.#keys.at(-1);
    if (typeof key === "string" && LOG_KEY.test(key)) return true;
    return this.#tails.some((pattern) => matchesPath(this.#keys, pattern));
  }

  #note(at: number, cut: Omit<Cut, "path">): void {
    if (cut.shown < cut.total) this.cuts.splice(at, 0, { path: formatPath(this.#keys), ...cut });
  }

  #below(key: string | number, value: unknown, budget: number, inTail = false): unknown {
    this.#keys.push(key);
    const part = this.cut(value, budget, inTail);
    this.#keys.pop();
    return part;
  }

  #cutText(text: string, budget: number, kept: KeptEnd): string {
    const part = cutText(text, budget, kept);
    this.#note(this.cuts.length, {
      kind: "text",
      shown: part.length,
      total: text.length,
      kept,
    });
    return part;
  }

  #cutList(list: readonly unknown[], budget: number, kept: KeptEnd): unknown[] {
    const total = list.length;
    const noted = this.cuts.length;
    const shown: unknown[] = [];
    let left = budget - BRACKETS_COST;
    while (shown.length < total) {
      const index = kept === "start" ? shown.length : total - 1 - shown.length;
      const cost = this.#costs.of(list[index]) + SEPARATOR_COST;
      const fits = cost <= left;
      if (!fits && !this.#canCut(list[index], left, budget)) break;
      shown.push(fits ? list[index] : this.#below(index, list[index], left - 1, kept === "end"));
      left -= cost;
    }
    if (kept === "end") shown.reverse();
    this.#note(noted, { kind: "items", shown: shown.length, total, kept });
    return shown;
  }

  /**
   * Cuts a list between items, except if the items that fit would leave much of the budget
   * unused.
   */
  #canCut(item: unknown, left: number, budget: number): boolean {
    const hasParts = typeof item === "string" || (typeof item === "object" && item !== null);
    const isLarge = hasParts && this.#costs.of(item) > LARGE_ITEM;
    return isLarge && left > LEAST_SHARE && left > budget * (1 - WELL_USED);
  }

  #cutRecord(record: Record<string, unknown>, budget: number): Record<string, unknown> {
    const members: Member[] = [];
    let left = budget - BRACKETS_COST;
    let reserved = 0;
    // Removes members from the end of an object, so that reading can continue there.
    const names = this.#costs.namesIn(record);
    for (const key of names) {
      const ownCost = keyCost(key);
      const cost = this.#costs.of(record[key]);
      const least = Math.min(cost, LEAST_SHARE);
      if (reserved + ownCost + least > left) break;
      left -= ownCost;
      reserved += least;
      members.push({ key, value: record[key], cost, share: 0 });
    }
    const total = names.length;
    this.#note(this.cuts.length, { kind: "items", shown: members.length, total, kept: "start" });
    shareOut(members, left);
    const kept: Record<string, unknown> = {};
    for (const { key, value, share } of members) setOwn(kept, key, this.#below(key, value, share));
    return kept;
  }
}
