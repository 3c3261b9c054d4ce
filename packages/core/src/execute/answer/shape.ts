import {
  applyBudget,
  keptFor,
  loadTokenList,
  roughTokens,
  namesBeside,
  selectPaths,
} from "../../budget/index.ts";
import type { OtherNames, Query } from "../../budget/index.ts";
import { errorFromUnknown, withWarnings } from "../../envelope/index.ts";
import type { ResultEnvelope } from "../../envelope/index.ts";
import type { Call } from "../call/call.ts";
import type { Settings } from "../settings.ts";

function shownNames(data: unknown, path: string): string {
  const names = namesBeside(data, path);
  return names.length === 0 ? "" : `; there is ${names.join(", ")}`;
}

/** The paths of `title,items.number`, as the command writes them. */
export function selectedPaths(select: readonly string[] | string | undefined): readonly string[] {
  if (select === undefined || select === "none") return [];
  if (typeof select !== "string") return select;
  return select.split(",").flatMap((path) => path.trim() || []);
}

/**
 * Keeps the selected parts of the data, and warns of paths that do not exist. Without paths, keeps
 * everything.
 */
export function selected(
  result: ResultEnvelope,
  select: readonly string[] | string | undefined,
  names?: OtherNames,
): ResultEnvelope {
  if (select === undefined || !result.ok) return result;
  if (select === "none") return { ...result, data: null };
  const paths = selectedPaths(select);
  if (paths.length === 0) return result;
  const { data, missing } = selectPaths(result.data, paths, names);
  return withWarnings(
    { ...result, data },
    missing.map((path) => `nothing to select at ${path}${shownNames(result.data, path)}`),
  );
}

function queried(result: ResultEnvelope, query: Query | undefined): ResultEnvelope {
  if (query === undefined || !result.ok) return result;
  try {
    return { ...result, data: query(result.data) };
  } catch (thrown) {
    // The call succeeded and its data is kept; only the query failed.
    return withWarnings(result, [`the query was not applied: ${errorFromUnknown(thrown).message}`]);
  }
}

/** The tokens of the request as JSON. */
function countInput({ operationId, params }: Call): number {
  try {
    return roughTokens(JSON.stringify([operationId, params ?? {}]));
  } catch {
    // Params that are not JSON were refused, so only the id is counted.
    return roughTokens(operationId);
  }
}

/** Counts the answer again: the first count was taken before it got its final shape. */
function recounted(result: ResultEnvelope): ResultEnvelope {
  const { cost } = result.meta;
  if (cost === undefined) return result;
  const tokens_out = roughTokens(JSON.stringify(result));
  return { ...result, meta: { ...result.meta, cost: { ...cost, tokens_out } } };
}

/** Adds the tokens of the request to the cost, if the cost is shown. */
async function withInputCost(result: ResultEnvelope, call: Call): Promise<ResultEnvelope> {
  const { cost } = result.meta;
  if (cost === undefined) return result;
  await loadTokenList();
  const meta = { ...result.meta, cost: { ...cost, tokens_in: countInput(call) } };
  return { ...result, meta };
}

/**
 * The answer in the requested form: query, then select, then the budget. A dry run shows requests,
 * so query and select do not apply to it.
 */
export async function shape(
  { handles }: Settings,
  call: Call,
  answered: ResultEnvelope,
): Promise<ResultEnvelope> {
  const { request, query, identity } = call;
  const result = await withInputCost(answered, call);
  const shaped =
    request.isDry === true
      ? result
      : selected(queried(result, query), request.select, call.spec?.otherFields);
  return request.maxTokens === undefined
    ? recounted(shaped)
    : applyBudget(shaped, request.maxTokens, { store: keptFor(handles, identity) });
}
