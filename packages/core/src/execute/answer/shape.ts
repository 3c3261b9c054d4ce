import {
  applyBudget,
  keptFor,
  loadTokenList,
  roughTokens,
  selectPaths,
} from "../../budget/index.ts";
import type { Query } from "../../budget/index.ts";
import { errorFromUnknown } from "../../envelope/index.ts";
import type { ResultEnvelope } from "../../envelope/index.ts";
import type { Call } from "../call/call.ts";
import type { Settings } from "../settings.ts";

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
export async function shape(
  { handles }: Settings,
  { request, query, identity }: Call,
  result: ResultEnvelope,
): Promise<ResultEnvelope> {
  const shaped = request.isDry === true ? result : selected(queried(result, query), request.select);
  return request.maxTokens === undefined
    ? recounted(shaped)
    : applyBudget(shaped, request.maxTokens, { store: keptFor(handles, identity) });
}
