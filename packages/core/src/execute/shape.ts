import { applyBudget, loadTokenList, roughTokens, selectPaths } from "../budget/index.ts";
import type { HandleStore, Query } from "../budget/index.ts";
import { errorFromUnknown } from "../envelope/index.ts";
import type { ResultEnvelope } from "../envelope/index.ts";
import type { ExecuteOptions } from "./options.ts";

/** Whether a call asks for less than all of its answer. */
export function isShaped({ select, query, max_tokens }: ExecuteOptions): boolean {
  return select !== undefined || query !== undefined || max_tokens !== undefined;
}

function withWarnings(result: ResultEnvelope, warnings: readonly string[]): ResultEnvelope {
  if (warnings.length === 0) return result;
  const all = [...(result.meta.warnings ?? []), ...warnings];
  return { ...result, meta: { ...result.meta, warnings: all } };
}

/** Only some parts of the data, with a warning for what is not there. */
export function selected(
  result: ResultEnvelope,
  paths: readonly string[] | undefined,
): ResultEnvelope {
  if (paths === undefined || !result.ok) return result;
  const { data, missing } = selectPaths(result.data, paths);
  return withWarnings(
    { ...result, data },
    missing.map((path) => `nothing to select at ${path}`),
  );
}

function queried(result: ResultEnvelope, query: Query | undefined): ResultEnvelope {
  if (query === undefined || !result.ok) return result;
  try {
    return { ...result, data: query(result.data) };
  } catch (thrown) {
    // The call was made and its data is there; only the question about it has no answer.
    return withWarnings(result, [`the query was not applied: ${errorFromUnknown(thrown).message}`]);
  }
}

/** What it cost as it is sent: the count was taken before it got its shape. */
async function recounted(result: ResultEnvelope): Promise<ResultEnvelope> {
  const { cost } = result.meta;
  if (cost === undefined) return result;
  await loadTokenList();
  const tokens_out = roughTokens(JSON.stringify(result));
  return { ...result, meta: { ...result.meta, cost: { ...cost, tokens_out } } };
}

/**
 * The answer as it was asked for: query, then select, then the budget. A dry run shows requests, of
 * which a question about the data knows nothing.
 */
export async function shapeAnswer(
  result: ResultEnvelope,
  options: ExecuteOptions,
  query: Query | undefined,
  store: HandleStore | undefined,
): Promise<ResultEnvelope> {
  const isDry = options.dry_run === true;
  const shaped = isDry ? result : selected(queried(result, query), options.select);
  return options.max_tokens === undefined
    ? recounted(shaped)
    : applyBudget(shaped, options.max_tokens, { store });
}
