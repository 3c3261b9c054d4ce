import { MIN_TOKENS, estimateTokens, fitTokens } from "@waybill/core";
import type { Answer } from "./answer.ts";

/** A page of an answer that is within its tokens. */
export interface Page {
  readonly result: object;
  /** Something that was asked for is not shown. */
  readonly truncated: boolean;
  /** How many items were shown on this page and before it. */
  readonly end: number;
  readonly total: number;
  readonly hasMore: boolean;
  /** There is no room for suggestions beside it. */
  readonly isBare: boolean;
}

/** The exact text that will be sent with this page in it. */
export type Frame = (page: Page) => string;

const RESERVE = 2;

/** As many of the items as fit, then less beside them, and never more tokens than asked for. */
export function fitAnswer(answer: Answer, offset: number, maxTokens: number, frame: Frame): Page {
  const budget = Math.max(MIN_TOKENS, Math.floor(maxTokens));
  const full = bestPage(answer, offset, budget, frame, false);
  if (full !== undefined && (full.end > offset || !full.hasMore)) return full;
  return (
    bestPage(answer, offset, budget, frame, true) ??
    full ??
    cutBluntly(answer, offset, budget, frame)
  );
}

/** The first level at which half of the items fit, or the one at which most do. */
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
      isBare: this.#isBare,
    };
  }

  #cost(count: number, wanted: number): number {
    return estimateTokens(this.#frame(this.page(count, wanted))) + RESERVE;
  }

  /** How many items might fit, going by what they weigh at least. */
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

  /** The most items that fit; undefined when not even none do. */
  most(wanted: number, budget: number): number | undefined {
    const hoped = this.#affordable(wanted, budget);
    const whole = this.#cost(hoped, wanted);
    if (whole <= budget) return hoped;
    const bare = this.#cost(0, wanted);
    if (bare > budget) return undefined;
    let low = 0;
    let high = hoped;
    // Items cost about the same, so the first guess is nearly right and long texts are not made.
    let guess = Math.floor((hoped * (budget - bare)) / (whole - bare));
    while (high - low > 1) {
      const middle = Math.min(high - 1, Math.max(low + 1, guess));
      if (this.#cost(middle, wanted) <= budget) low = middle;
      else high = middle;
      guess = high - low > 8 ? (guess > low ? low + 4 : high - 4) : (low + high) >> 1;
    }
    return low;
  }
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** For what is too long even with nothing listed, such as one enormous text. */
function cutBluntly(answer: Answer, offset: number, budget: number, frame: Frame): Page {
  const bare = new Fitter(answer, offset, answer.levels ?? 0, frame, true).page(0, answer.limit);
  const empty = estimateTokens(frame({ ...bare, result: {} }));
  for (let room = budget - empty - RESERVE; room > 0; room = Math.floor(room * 0.8)) {
    const page = { ...bare, result: asObject(fitTokens(bare.result, room).data), truncated: true };
    if (estimateTokens(frame(page)) + RESERVE <= budget) return page;
  }
  return { ...bare, result: {}, truncated: true };
}
