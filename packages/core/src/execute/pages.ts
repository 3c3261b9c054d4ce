import { fail, failureResult, toResultError } from "../envelope/index.ts";
import type { ResultEnvelope } from "../envelope/index.ts";
import { optionIssues, readOptions, refuseIssues } from "./options/check-options.ts";
import type { KnownOptions } from "./options/check-options.ts";
import type { ExecuteOptions } from "./options/execute-options.ts";
import type { Waybill } from "./waybill.ts";

/** Options of `pages`. */
export interface PagesOptions extends ExecuteOptions {
  /** Maximum number of pages. The last one says whether there are more (default: 100). */
  readonly max_pages?: number;
}

const DEFAULT_PAGES = 100;

/** The other options are options of a call, and the call checks them. */
const KNOWN: KnownOptions = {
  checks: {
    max_pages: (value) =>
      Number.isInteger(value) && (value as number) > 0
        ? undefined
        : "must be a whole number above 0",
  },
  kind: "an option of pages",
};

/** Ends a list whose cursor points back to an earlier page, because it would never end. */
function goesInCircles({ meta }: ResultEnvelope): ResultEnvelope {
  const { capability_id } = meta;
  const message = `${capability_id} returned the cursor of an earlier page, so later pages cannot be read`;
  const error = fail("SERVER", message, {
    hint: "Ask for more items in a page with page.limit, or narrow the list by its inputs",
  });
  const options = { requestId: meta.request_id ?? "", isWrite: false, isRepeatable: false };
  return failureResult(toResultError(error, options), { capability_id });
}

/** The cursor of the next page. Undefined after the last page and after a failed one. */
function nextCursor({ ok, meta }: ResultEnvelope): string | undefined {
  const { pagination } = meta;
  if (!ok || pagination?.has_next_page !== true) return undefined;
  return pagination.end_cursor ?? undefined;
}

/** The options for a later page: its cursor, and the remaining time for all pages. */
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
 * Yields every page of a list as `execute` answers it, starting with the first page or the one in
 * `page`. A failed page is the last. Deadlines apply to all pages together, token limits to each
 * page.
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
