import { isRecord } from "@waybill/core/schema";
import { member } from "../document/spec-document.ts";

/** Compares names without case and signs: `page_token`, `pageToken` and `PageToken` are equal. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/gu, "");
}

/** Names of inputs that take the cursor of an earlier answer. */
export const CURSOR_NAMES: ReadonlySet<string> = new Set([
  "cursor",
  "pagetoken",
  "nextpagetoken",
  "continue",
  "nexttoken",
  "continuationtoken",
  "startcursor",
  "pagecursor",
  "after",
  "marker",
  "startingafter",
  "scrollid",
  "skiptoken",
  "paginationtoken",
  "nextcursor",
  "pageafter",
]);

export const LIMIT_NAMES: ReadonlySet<string> = new Set([
  "perpage",
  "limit",
  "pagesize",
  "maxresults",
  "maxitems",
  "maxkeys",
  "count",
  "first",
  "top",
  "size",
  "pagelimit",
  "resultsperpage",
  "itemsperpage",
  "hitsperpage",
  "paginationpagesize",
]);

export const NUMBER_NAMES: ReadonlySet<string> = new Set([
  "page",
  "pagenumber",
  "pageno",
  "pageindex",
  "paginationpage",
]);

export const OFFSET_NAMES: ReadonlySet<string> = new Set([
  "offset",
  "skip",
  "startindex",
  "startat",
  "pageoffset",
]);

/** Names that a body may use for other purposes than paging. */
export const VAGUE_NAMES: ReadonlySet<string> = new Set([
  "after",
  "continue",
  "marker",
  "page",
  "offset",
  "skip",
]);

/** Fields of an answer that have the cursor of the next page. */
export const TOKEN_FIELDS: readonly string[] = [
  "response_metadata.next_cursor",
  "metadata.continue",
  "nextPageToken",
  "next_page_token",
  "NextPageToken",
  "nextToken",
  "next_token",
  "NextToken",
  "next_cursor",
  "nextCursor",
  "continuation_token",
  "continuationToken",
  "NextMarker",
  "next_marker",
  "meta.next_cursor",
  "meta.next_token",
  "pagination.next_cursor",
  "pagination.nextCursor",
  "paging.next.after",
  "paging.cursors.after",
  "page_info.end_cursor",
  "pageInfo.endCursor",
  "cursor",
  "after_cursor",
  "afterCursor",
  "meta.after_cursor",
  "meta.page.after",
  "meta.cursor.next",
  "next_page.offset",
  "pages.next.starting_after",
  "pagination.next_token",
  "pagination.next_page_token",
  "paging.next_cursor",
  "result_info.cursor",
  "result_info.cursors.after",
  "cursors.next",
  "cursors.after",
  "offset",
];

/** Fields of an answer that have the URL of the next page. */
export const URL_FIELDS: readonly string[] = [
  "next_page_uri",
  "next_page_url",
  "nextPageUrl",
  "next_uri",
  "next_url",
  "nextUrl",
  "nextLink",
  "@odata.nextLink",
  "odata.nextLink",
  "links.pages.next",
  "links.next.href",
  "links.next",
  "_links.next.href",
  "_links.next",
  "meta.next_page_url",
  "meta.next",
  "paging.next",
  "pagination.next",
  "pagination.next_url",
  "next_href",
  "pages.next",
  "next_page.uri",
  "next_page",
  "next",
];

/** Fields of an answer that have the number of the next page. */
export const NEXT_NUMBER_FIELDS: readonly string[] = [
  "next_page",
  "nextPage",
  "meta.next_page",
  "meta.nextPage",
  "pagination.next_page",
  "pagination.nextPage",
  "meta.pagination.next_page",
];

/** Fields of an answer that have the number of this page. */
export const NUMBER_FIELDS: readonly string[] = [
  "page",
  "number",
  "current_page",
  "currentPage",
  "page_number",
  "pageNumber",
  "page.number",
  "pageable.pageNumber",
  "meta.current_page",
  "meta.page",
  "pagination.page",
];

/** Fields of an answer that have the number of its first item. */
export const OFFSET_FIELDS: readonly string[] = [
  "offset",
  "startIndex",
  "start_index",
  "startAt",
  "skip",
  "meta.offset",
  "pagination.offset",
];

export const MORE_FIELDS: readonly string[] = [
  "has_more",
  "hasMore",
  "HasMore",
  "meta.has_more",
  "pagination.has_more",
  "pagination.hasMore",
  "paging.has_more",
  "has_next",
  "hasNext",
  "has_next_page",
  "hasNextPage",
  "pagination.has_next",
  "pagination.has_next_page",
  "pagination.hasNextPage",
  "page_info.has_next_page",
  "pageInfo.hasNextPage",
  "more",
];

/** Fields of an answer that are true on the last page. */
export const LAST_FIELDS: readonly string[] = ["isLast", "is_last", "isLastPage", "last"];

export const PAGES_FIELDS: readonly string[] = [
  "total_pages",
  "totalPages",
  "page_count",
  "meta.total_pages",
  "meta.pagination.total_pages",
  "pagination.total_pages",
  "pagination.pages",
  "result_info.total_pages",
  "meta.pagination.pageCount",
  "meta.last_page",
  "meta.page_count",
  "page.totalPages",
  "pages.total_pages",
  "pageCount",
  "last_page",
  "nbPages",
];

export const PAGES_HEADERS: readonly string[] = ["x-total-pages", "x-wp-totalpages"];

export const TOTAL_FIELDS: readonly string[] = [
  "total",
  "total_count",
  "totalCount",
  "total_results",
  "totalResults",
  "meta.total",
  "meta.total_count",
  "meta.pagination.total",
  "metadata.total",
  "pagination.total",
  "pagination.total_count",
  "result_info.total_count",
  "page.totalElements",
  "total_items",
  "totalItems",
  "total_elements",
  "totalElements",
  "total_records",
  "totalRecords",
];

export const TOTAL_HEADERS: readonly string[] = ["x-total-count", "x-total", "x-wp-total"];

/** The member at a dotted path. A single name may have dots too, such as `@odata.nextLink`. */
function fieldAt(data: unknown, path: string): unknown {
  const whole = member(data, path);
  return whole === undefined ? path.split(".").reduce(member, data) : whole;
}

/** Any value, also null. */
function isGiven(value: unknown): value is unknown {
  return value !== undefined;
}

/** The first of these fields that has such a value (default: any value, also null). */
export function firstField(data: unknown, paths: readonly string[]): unknown;
export function firstField<T>(
  data: unknown,
  paths: readonly string[],
  isWanted: (value: unknown) => value is T,
): T | undefined;
export function firstField(
  data: unknown,
  paths: readonly string[],
  isWanted: (value: unknown) => boolean = isGiven,
): unknown {
  for (const path of paths) {
    const value = fieldAt(data, path);
    if (isWanted(value)) return value;
  }
  return undefined;
}

const LIST_NAMES = ["data", "items", "results", "value"];

/** The list of an answer: the answer itself, or its only member that is a list of objects. */
export function findItems(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data as unknown[];
  if (!isRecord(data)) return undefined;
  const lists = Object.values(data).filter((value) => Array.isArray(value)) as unknown[][];
  const named = LIST_NAMES.map((name) => member(data, name)).find((value) => Array.isArray(value));
  return (named as unknown[] | undefined) ?? lists.find(([item]) => isRecord(item)) ?? lists[0];
}
