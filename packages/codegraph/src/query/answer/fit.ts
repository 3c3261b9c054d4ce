import { MIN_TOKENS, estimateTokens, fitTokens } from "@waybill/core/protocol";
import type { Answer } from "./answer.ts";
import { SIZES, shorten } from "./shorten.ts";

/** A page of an answer that fits the token limit. */
export interface Page {
  readonly result: object;
  /** Whether some of the requested data is not shown. */
  readonly truncated: boolean;
  /** The number of items on this page and before it. */
  readonly end: number;
  readonly total: number;
  readonly hasMore: boolean;
  /** The start of the next page; undefined if the next page would show the same items. */
  readonly next: number | undefined;
  /** Whether the page has no room for suggested next questions. */
  readonly isBare: boolean;
  /** The question to ask instead, if the requested data does not fit. */
  readonly hint?: string;
}

/** Renders the exact text that will be sent with this page. */
export type Frame = (page: Page) => string;

/** Tokens that are reserved for the request id, because ids differ in their number of tokens. */
export const RESERVE = 7;
/** Suggested token limits are rounded up to this. */
const ROUND = 10;

/**
 * Fits an answer to the token limit: first fewer items, then fewer other fields, then a shortened
 * item. If no item fits, it says how many tokens one needs.
 */
export function fitAnswer(answer: Answer, offset: number, maxTokens: number, frame: Frame): Page {
  const budget = Math.max(MIN_TOKENS, Math.floor(maxTokens));
  for (const isBare of [false, true]) {
    const page = bestPage(answer, offset, budget, frame, isBare);
    if (page !== undefined && (page.end > offset || !page.hasMore)) return page;
  }
  return (
    shortenedPage(answer, offset, budget, frame) ??
    cutBluntly(
      new Fitter(answer, offset, answer.levels ?? 0, frame, true).withoutItems(),
      budget,
      frame,
    )
  );
}

/** A page with one shortened item, if it is too large. */
function shortenedPage(
  answer: Answer,
  offset: number,
  budget: number,
  frame: Frame,
): Page | undefined {
  if (offset >= answer.items.length) return undefined;
  const pageAt = (level: number): Page => new Fitter(answer, offset, level, frame, true).page(1, 1);
  const [full, least] = [pageAt(0), pageAt(answer.levels ?? 0)];
  // The item is shortened a little before other fields are omitted, because they often say more
  // than the end of a long list.
  for (const [whole, sizes] of [[full, SIZES.slice(0, -2)] as const, [least, SIZES] as const]) {
    for (const size of sizes) {
      const page = { ...whole, result: asObject(shorten(whole.result, size)), truncated: true };
      if (estimateTokens(frame(page)) + RESERVE <= budget) return page;
    }
  }
  return undefined;
}

/** The first level at which half of the items fit, or the one with the most items. */
function bestPage(
  answer: Answer,
  offset: number,
  budget: number,
  frame: Frame,
  isBare: boolean,
): Page | undefined {
  const wanted = Math.min(answer.limit, Math.max(0, answer.items.length - offset));
  let best: Page | undefined;
  for (let level = 0; level <= (answer.levels ?? 0); level++) {
    const fitter = new Fitter(answer, offset, level, frame, isBare);
    const count = fitter.most(wanted, budget);
    if (count === undefined) continue;
    const page = fitter.page(count, wanted);
    if (best === undefined || page.end > best.end) best = page;
    if (count * 2 >= wanted) break;
  }
  return best;
}

class Fitter {
  readonly #answer: Answer;
  readonly #offset: number;
  readonly #level: number;
  readonly #frame: Frame;
  readonly #isBare: boolean;

  constructor(answer: Answer, offset: number, level: number, frame: Frame, isBare: boolean) {
    this.#isBare = isBare;
    this.#answer = answer;
    this.#offset = offset;
    this.#level = level;
    this.#frame = frame;
  }

  page(count: number, wanted: number): Page {
    const { items, isCut = false } = this.#answer;
    const end = this.#offset + count;
    return {
      result: this.#answer.render(items.slice(this.#offset, end), this.#level),
      truncated: isCut || this.#level > 0 || count < wanted,
      end: Math.min(end, items.length),
      total: items.length,
      hasMore: end < items.length,
      next: count > 0 && end < items.length ? end : undefined,
      isBare: this.#isBare,
    };
  }

  /** A page without items, with a hint how to get them. */
  withoutItems(): Page {
    const page = { ...this.page(0, this.#answer.limit), truncated: true };
    if (!page.hasMore) return page;
    const tokens = Math.ceil(this.#cost(1, this.#answer.limit) / ROUND + 1) * ROUND;
    return { ...page, hint: `One item needs more tokens; ask with maxTokens=${tokens}` };
  }

  #cost(count: number, wanted: number): number {
    return estimateTokens(this.#frame(this.page(count, wanted))) + RESERVE;
  }

  /** How many items might fit, by their minimal weights. */
  #affordable(wanted: number, budget: number): number {
    const answer = this.#answer;
    if (!answer.weigh) return wanted;
    let weight = 0;
    for (let count = 0; count < wanted; count++) {
      weight += answer.weigh(answer.items[this.#offset + count], this.#level);
      if (weight > budget) return count;
    }
    return wanted;
  }

  /** The most items that fit; undefined if even an empty list does not. */
  most(wanted: number, budget: number): number | undefined {
    const hoped = this.#affordable(wanted, budget);
    const whole = this.#cost(hoped, wanted);
    if (whole <= budget) return hoped;
    const bare = this.#cost(0, wanted);
    if (bare > budget) return undefined;
    // Items have similar sizes, so this guess is almost right.
    const guess = Math.floor((hoped * (budget - bare)) / (whole - bare));
    return lastThatFits(hoped, guess, (count) => this.#cost(count, wanted) <= budget);
  }
}

/**
 * The largest number below `limit` that fits. The neighbours of the guess are tried in growing
 * steps, so that few long strings are built.
 */
function lastThatFits(limit: number, guess: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, limit];
  let [middle, step] = [guess, 1];
  while (high - low > 1) {
    middle = Math.min(high - 1, Math.max(low + 1, middle));
    if (fits(middle)) low = middle;
    else high = middle;
    const isOneSided = low === 0 || high === limit;
    middle = isOneSided ? (low === middle ? low + step : high - step) : (low + high) >> 1;
    step *= 2;
  }
  return low;
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** Cuts a page that is too long even without items, such as one with a very long text. */
function cutBluntly(page: Page, budget: number, frame: Frame): Page {
  const hint = page.hint === undefined ? {} : { hint: page.hint };
  const empty = { ...page, result: hint };
  const room = budget - estimateTokens(frame(empty)) - RESERVE;
  for (let most = room; most > 0; most = Math.floor(most * 0.8)) {
    const { data } = fitTokens(page.result, most);
    const cut = { ...page, result: { ...hint, ...asObject(data) } };
    if (estimateTokens(frame(cut)) + RESERVE <= budget) return cut;
  }
  return empty;
}
