import { fail, failureResult, toResultError } from "../envelope/index.ts";
import type { ResultEnvelope } from "../envelope/index.ts";
import { optionIssues, readOptions, refuseIssues } from "./options/check-options.ts";
import type { KnownOptions } from "./options/check-options.ts";
import type { ExecuteOptions } from "./options/execute-options.ts";
import type { Waybill } from "./waybill.ts";

/** Options of `pages`. */
export interface PagesOptions extends ExecuteOptions {
  /** Number of pages at most; the last one says whether there are more (default: 100). */
  readonly max_pages?: number;
}

const DEFAULT_PAGES = 100;

/** The other options are those of a call, and looked at there. */
const KNOWN: KnownOptions = {
  checks: {
    max_pages: (value) =>
      Number.isInteger(value) && (value as number) > 0
        ? undefined
        : "must be a whole number above 0",
  },
  kind: "an option of pages",
};

/** A list that sends its reader back would be read for ever. */
function goesInCircles({ meta }: ResultEnvelope): ResultEnvelope {
  const { capability_id } = meta;
  const error = fail("SERVER", `${capability_id} returned the same page twice, so reading stopped`);
  const options = { requestId: meta.request_id ?? "", isWrite: false, isRepeatable: false };
  return failureResult(toResultError(error, options), { capability_id });
}

/** Where the next page is; undefined after the last, and after one that failed. */
function nextCursor({ ok, meta }: ResultEnvelope): string | undefined {
  const { pagination } = meta;
  if (!ok || pagination?.has_next_page !== true) return undefined;
  return pagination.end_cursor ?? undefined;
}

/** The options of a later page: what is left of the time for all, and where it is. */
function later(options: ExecuteOptions, started: number, cursor: string): ExecuteOptions {
  const { page, deadline_ms } = options;
  const left = deadline_ms === undefined ? 0 : started + deadline_ms - Date.now();
  return {
    ...options,
    page: { ...page, cursor },
    ...(deadline_ms !== undefined && { deadline_ms: Math.max(1, left) }),
  };
}

/**
 * Every page of a list, each as `execute` answers it, from the first or the one that `page` names.
 * A page that fails is the last. Times are for all pages together, budgets for each.
 *
 * @example
 * ```ts
 * import { createWaybill, defineOperation, localEnvelope, pages } from "@waybill/core";
 *
 * const ID = "number.list";
 * const list = defineOperation({
 *   id: ID,
 *   description: "List numbers",
 *   effect: "read",
 *   input: {
 *     type: "object",
 *     properties: { limit: { type: "integer" }, cursor: { type: "string" } },
 *   },
 *   handler: ({ cursor }) => {
 *     const isFirst = cursor === undefined;
 *     const pagination = { has_next_page: isFirst, end_cursor: isFirst ? "2" : null };
 *     return localEnvelope(isFirst ? [1, 2] : [3], ID, { pagination });
 *   },
 * });
 * const waybill = createWaybill({ operations: [list] });
 * for await (const { data } of pages(waybill, ID)) console.log(data);
 * ```
 *
 * ```text
 * [ 1, 2 ]
 * [ 3 ]
 * ```
 */
export async function* pages(
  waybill: Pick<Waybill, "execute">,
  capability_id: string,
  params?: unknown,
  options?: PagesOptions,
): AsyncGenerator<ResultEnvelope, void, undefined> {
  const { max_pages = DEFAULT_PAGES, ...first } = readOptions(options);
  refuseIssues(optionIssues({ max_pages }, KNOWN));
  const started = Date.now();
  const seen = new Set<string>();
  let call: ExecuteOptions = first;
  for (let read = 0; read < max_pages; read += 1) {
    const result = await waybill.execute(capability_id, params, call);
    yield result;
    const cursor = nextCursor(result);
    if (cursor === undefined) return;
    if (seen.has(cursor)) {
      yield goesInCircles(result);
      return;
    }
    seen.add(cursor);
    call = later(first, started, cursor);
  }
}
