import {
  applyBudget,
  keptFor,
  loadTokenList,
  roughTokens,
  namesBeside,
  omitFields,
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

/** Splits paths in the form that the command accepts: `title,items.number`. */
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

/** Removes the rarely needed fields from a brief answer and lists their names. */
export function withoutRare(result: ResultEnvelope, rare: readonly string[] = []): ResultEnvelope {
  if (!result.ok || rare.length === 0) return result;
  const { data, leftOut } = omitFields(result.data, rare);
  if (leftOut.length === 0) return result;
  return { ...result, data, meta: { ...result.meta, left_out: leftOut } };
}

function queried(result: ResultEnvelope, query: Query | undefined): ResultEnvelope {
  if (query === undefined || !result.ok) return result;
  try {
    return { ...result, data: query(result.data) };
  } catch (thrown) {
    // The call succeeded and its data is kept, because only the query failed.
    return withWarnings(result, [`the query was not applied: ${errorFromUnknown(thrown).message}`]);
  }
}

/** The number of tokens of the request as JSON. */
function countInput({ operationId, params }: Call): number {
  try {
    return roughTokens(JSON.stringify([operationId, params ?? {}]));
  } catch {
    // Params that are not JSON were refused, so only the id is counted.
    return roughTokens(operationId);
  }
}

/**
 * Counts the tokens again, because the first count was taken before the answer got its final
 * form.
 */
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

function wantedData(result: ResultEnvelope, { request, query, spec }: Call): ResultEnvelope {
  const isAny = query === undefined && request.select === undefined;
  if (request.isBrief === true && isAny) return withoutRare(result, spec?.rareFields);
  return selected(queried(result, query), request.select, spec?.otherFields);
}

/**
 * Brings the answer into the requested form: first `query`, then `select`, then the token limit.
 * A dry run shows requests, so `query` and `select` do not apply to it.
 */
export async function shape(
  { handles }: Settings,
  call: Call,
  answered: ResultEnvelope,
): Promise<ResultEnvelope> {
  const { request, identity } = call;
  const result = await withInputCost(answered, call);
  const shaped = request.isDry === true ? result : wantedData(result, call);
  return request.maxTokens === undefined
    ? recounted(shaped)
    : applyBudget(shaped, request.maxTokens, { store: keptFor(handles, identity) });
}
