import type { ResultEnvelope, ResultMeta, Suggestion } from "../envelope/index.ts";
import type { Cut } from "./cutter.ts";
import { cutError } from "./cut-error.ts";
import { fitTokens } from "./fit.ts";
import type { HandleStore } from "./handles.ts";
import { measure, measureWithin } from "./measure.ts";
import { Narrowing } from "./narrowing.ts";
import { cursorFor } from "./page.ts";
import { RESULT_READ } from "./result-read.ts";
import { loadTokenList } from "./token-tree.ts";
import { MIN_TOKENS } from "./tokens.ts";
import { trimMeta } from "./trim-meta.ts";

/** Options of applyBudget. */
export interface BudgetOptions {
  /** Where to keep the removed data (default: nowhere; it is lost). */
  readonly store?: HandleStore | undefined;
  /** Paths of strings and lists whose end is more important (default: none). */
  readonly tail?: readonly string[] | undefined;
}

interface Plan {
  readonly result: ResultEnvelope;
  readonly meta: ResultMeta;
  readonly budget: number;
  readonly tail: readonly string[];
}

const MAX_ROUNDS = 14;
const WELL_FILLED = 0.95;
/** Approximate number of tokens that the envelope adds to a page of `result.read`. */
const PAGE_FRAME = 140;
const LEAST_PAGE = 60;
const MAX_SUGGESTIONS = 3;

function withMeta(result: ResultEnvelope, meta: ResultMeta): ResultEnvelope {
  return { ...result, meta };
}

/** Writes the token count of the whole text into the metadata. */
function withCost(result: ResultEnvelope, tokens: number): ResultEnvelope {
  return withMeta(result, {
    ...result.meta,
    cost: { ...result.meta.cost, tokens_out: tokens },
  });
}

function describeCut({ path, kind, shown, total, kept }: Cut): string {
  const what = kind === "text" ? " characters" : "";
  const which = kept === "end" ? "last " : "";
  return `${path === "" ? "" : `${path}: `}${which}${shown} of ${total}${what} shown`;
}

/** Suggests lists first, because their missing items cannot be guessed. */
function suggestions(cuts: readonly Cut[], handle: string, budget: number): Suggestion[] {
  const tokens = Math.max(LEAST_PAGE, budget - PAGE_FRAME);
  const count = budget < 1_000 ? 1 : budget < 4_000 ? 2 : MAX_SUGGESTIONS;
  return cuts
    .toSorted((a, b) => Number(a.kind === "text") - Number(b.kind === "text"))
    .slice(0, count)
    .map((cut) => ({
      capability_id: RESULT_READ,
      params: { handle, cursor: cursorFor(handle, cut, tokens) },
      reason: describeCut(cut),
    }));
}

function withNext(plan: Plan, cuts: readonly Cut[]): ResultMeta {
  const { meta, budget } = plan;
  if (meta.handle === undefined) return meta;
  const next = [...suggestions(cuts, meta.handle, budget), ...(meta.next ?? [])];
  return next.length === 0 ? meta : { ...meta, next: next.slice(0, MAX_SUGGESTIONS) };
}

/** Cuts the data or the error of an envelope to a number of tokens. */
function cutPayload(plan: Plan, tokens: number): ResultEnvelope {
  const { result, tail } = plan;
  if (!result.ok) {
    const { error, cuts } = cutError(result.error, tokens);
    return { ...result, error, meta: withNext(plan, cuts) };
  }
  const { data, cuts } = fitTokens(result.data, tokens, { tail });
  return { ...result, data, meta: withNext(plan, cuts) };
}

function emptied(result: ResultEnvelope): ResultEnvelope {
  if (result.ok) return { ...result, data: null };
  const { code, retryable } = result.error;
  return { ...result, error: { code, message: "", retryable } };
}

/** The rest of the envelope depends on the cut, so the right size is found by trying several. */
function cutResult(plan: Plan): ResultEnvelope {
  const { result, meta, budget } = plan;
  let best: ResultEnvelope | undefined;
  let bestCost = 0;
  const narrowing = new Narrowing();
  let tokens = budget - measure(withMeta(emptied(result), meta));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const attempt = cutPayload(plan, tokens);
    const cost = measure(attempt);
    if (cost <= budget && cost > bestCost) {
      best = attempt;
      bestCost = cost;
    }
    if (cost <= budget && cost >= budget * WELL_FILLED) break;
    const guess = tokens + (cost > budget ? (budget - cost) * 1.1 : budget - cost) - 1;
    tokens = Math.floor(narrowing.next(tokens, cost, budget, guess));
    if (narrowing.isDone) break;
  }
  return best === undefined ? withoutNext(plan) : withCost(best, bestCost);
}

/** If there is no room for suggestions, only the handle is kept. It is enough to read the rest. */
function withoutNext(plan: Plan): ResultEnvelope {
  const { next: _, ...meta } = plan.meta;
  const bare = cutPayload({ ...plan, meta }, 0);
  const { next: _next, ...kept } = bare.meta;
  const result = withMeta(bare, kept);
  return withCost(result, measure(result));
}

/** The result to store, without the approval token, which only the caller may see. */
function worthKeeping(result: ResultEnvelope): unknown {
  if (result.ok) return result.data;
  const { approve: _, ...details } = result.error.details ?? {};
  return result.error.details === undefined ? result.error : { ...result.error, details };
}

async function keep(result: ResultEnvelope, store: HandleStore | undefined): Promise<ResultMeta> {
  const { meta } = result;
  const cut: ResultMeta = { ...meta, truncated: true };
  if (store === undefined) return cut;
  try {
    const text = JSON.stringify(worthKeeping(result));
    return { ...cut, handle: await store.put(text, { capability_id: meta.capability_id }) };
  } catch {
    return {
      ...cut,
      warnings: [
        ...(meta.warnings ?? []),
        "the rest of the answer could not be stored; request less data at a time",
      ],
    };
  }
}

/**
 * Cuts a result until the whole envelope is within the budget. The rest is kept in the store, and
 * `meta.next` says how to read it.
 */
export async function applyBudget(
  result: ResultEnvelope,
  maxTokens: number,
  options: BudgetOptions = {},
): Promise<ResultEnvelope> {
  await loadTokenList();
  const budget = Math.max(MIN_TOKENS, Math.floor(maxTokens));
  const total = measureWithin(withCost(result, budget), budget);
  if (total <= budget) return withCost(result, total);
  const kept = withCost(withMeta(result, await keep(result, options.store)), budget);
  const meta = trimMeta(kept.meta, budget);
  return cutResult({ result, meta, budget, tail: options.tail ?? [] });
}
