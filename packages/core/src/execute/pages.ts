import { fail, failureResult, toResultError } from "../envelope/index.ts";
import type { ResultEnvelope } from "../envelope/index.ts";
import { optionIssues, readOptions, refuseIssues } from "./check-options.ts";
import type { Check, KnownOptions } from "./check-options.ts";
import { EXECUTE_CHECKS } from "./options.ts";
import type { ExecuteOptions } from "./options.ts";
import type { Waybill } from "./waybill.ts";

export interface PagesOptions extends ExecuteOptions {
  /** No more pages than this, 100 unless told; the last one says whether there would be more. */
  readonly max_pages?: number;
}

const DEFAULT_PAGES = 100;

const CHECKS: Readonly<Record<keyof PagesOptions, Check>> = {
  ...EXECUTE_CHECKS,
  max_pages: (value) =>
    Number.isInteger(value) && (value as number) > 0 ? undefined : "must be a whole number above 0",
};
const KNOWN: KnownOptions = { checks: CHECKS, kind: "an option of pages" };

/** A list that sends its reader back would be read for ever. */
function goesInCircles({ meta }: ResultEnvelope): ResultEnvelope {
  const { capability_id } = meta;
  const error = fail("SERVER", `${capability_id} gave a page twice, so reading on was stopped`);
  const options = { requestId: meta.request_id ?? "", isWrite: false, isRepeatable: false };
  return failureResult(toResultError(error, options), { capability_id });
}

/** What is left of the time for all pages. */
function remaining(deadline: number | undefined): { deadline_ms?: number } {
  return deadline === undefined ? {} : { deadline_ms: Math.max(1, deadline - Date.now()) };
}

/**
 * Every page of a list, each as `execute` answers it, from the first or the one that `page` names.
 * A page that fails is the last. Times are for all pages together, budgets for each.
 */
export async function* pages(
  waybill: Pick<Waybill, "execute">,
  capability_id: string,
  params?: unknown,
  options?: PagesOptions,
): AsyncGenerator<ResultEnvelope, void, undefined> {
  refuseIssues(optionIssues(readOptions(options), KNOWN));
  const { max_pages = DEFAULT_PAGES, deadline_ms, page, ...others } = readOptions(options);
  const deadline = deadline_ms === undefined ? undefined : Date.now() + deadline_ms;
  const seen = new Set<string>();
  let at = page;
  for (let read = 0; read < max_pages; read += 1) {
    const paged = at === undefined ? {} : { page: at };
    const result = await waybill.execute(capability_id, params, {
      ...others,
      ...paged,
      ...remaining(deadline),
    });
    yield result;
    const cursor = result.ok ? result.meta.pagination?.end_cursor : undefined;
    if (typeof cursor !== "string" || result.meta.pagination?.has_next_page !== true) return;
    if (seen.has(cursor)) {
      yield goesInCircles(result);
      return;
    }
    seen.add(cursor);
    at = { ...page, cursor };
  }
}
