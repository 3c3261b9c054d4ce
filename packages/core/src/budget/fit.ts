import { isRecord, setOwn } from "../envelope/index.ts";
import { estimateTokens } from "./tokens.ts";

export interface Fitted {
  readonly data: unknown;
  readonly truncated: boolean;
}

function cost(value: unknown): number {
  return estimateTokens(JSON.stringify(value) ?? "null");
}

/** The longest beginning of a text that costs no more than allowed. */
function cutText(text: string, budget: number): string {
  let low = 0;
  let high = Math.min(text.length, Math.max(0, budget) * 8);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (cost(text.slice(0, middle)) <= budget) low = middle;
    else high = middle - 1;
  }
  // Half of a surrogate pair would not survive a wire.
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, low)) ? low - 1 : low;
  return text.slice(0, end);
}

/** Whole items while they fit; only a first one that is too large by itself is cut inside. */
function cutList(list: readonly unknown[], budget: number): unknown[] {
  const kept: unknown[] = [];
  let left = budget - 1;
  for (const item of list) {
    const itemCost = cost(item) + 1;
    if (itemCost > left) break;
    kept.push(item);
    left -= itemCost;
  }
  if (kept.length > 0 || list.length === 0 || left <= 8) return kept;
  const first = cut(list[0], left - 1);
  return cost(first) <= left - 1 ? [first] : [];
}

/** A member's name with its quotes, the colon and the comma. */
function nameCost(name: string): number {
  return cost(name) + 2;
}

/** Small members whole, the large ones share what is left, so one long text costs no other field. */
function cutRecord(record: Record<string, unknown>, budget: number): Record<string, unknown> {
  const members = Object.keys(record).map((key) => ({
    key,
    cost: cost(record[key]) + nameCost(key),
  }));
  let left = budget - 2;
  let waiting = members.length;
  const shares = new Map<string, number>();
  for (const member of members.toSorted((a, b) => a.cost - b.cost)) {
    const share = Math.min(member.cost, Math.floor(left / waiting));
    shares.set(member.key, share);
    left -= share;
    waiting -= 1;
  }
  const kept: Record<string, unknown> = {};
  for (const { key, cost: whole } of members) {
    const share = shares.get(key)!;
    const own = share - nameCost(key);
    const part = share >= whole ? record[key] : cut(record[key], own);
    // A number cannot be cut, nor can the quotes of a text.
    if (share >= whole || cost(part) <= own) setOwn(kept, key, part);
  }
  return kept;
}

function cut(value: unknown, budget: number): unknown {
  if (cost(value) <= budget) return value;
  if (typeof value === "string") return cutText(value, budget);
  if (Array.isArray(value)) return cutList(value, budget);
  return isRecord(value) ? cutRecord(value, budget) : value;
}

/** As much of the data as the tokens allow: lists end at an item, texts lose their end. */
export function fitTokens(data: unknown, budget: number): Fitted {
  if (cost(data) <= budget) return { data, truncated: false };
  return { data: cut(data, budget), truncated: true };
}
