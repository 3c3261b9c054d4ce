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
]);

export const NUMBER_NAMES: ReadonlySet<string> = new Set(["page", "pagenumber", "pageno"]);
export const OFFSET_NAMES: ReadonlySet<string> = new Set(["offset", "skip", "startindex"]);

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
  "next_page",
  "next",
];

export const MORE_FIELDS: readonly string[] = ["has_more", "hasMore", "HasMore", "meta.has_more"];
export const PAGES_FIELDS: readonly string[] = [
  "total_pages",
  "totalPages",
  "page_count",
  "meta.total_pages",
  "meta.pagination.total_pages",
  "pagination.total_pages",
  "pagination.pages",
];
export const TOTAL_FIELDS: readonly string[] = [
  "total",
  "total_count",
  "totalCount",
  "total_results",
  "totalResults",
  "meta.total",
  "pagination.total",
];

/** The member at a dotted path. A single name may have dots too, such as `@odata.nextLink`. */
function fieldAt(data: unknown, path: string): unknown {
  const whole = member(data, path);
  return whole === undefined ? path.split(".").reduce(member, data) : whole;
}

/** The first of these fields that exists. Its value may be null. */
export function firstField(data: unknown, paths: readonly string[]): unknown {
  for (const path of paths) {
    const value = fieldAt(data, path);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The list of an answer: the answer itself, or its only member that is a list of objects. */
export function findItems(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data as unknown[];
  if (!isRecord(data)) return undefined;
  const lists = Object.values(data).filter((value) => Array.isArray(value));
  const named = ["data", "items", "results", "value"].map((name) => member(data, name));
  return (named.find((value) => Array.isArray(value)) ?? lists[0]) as unknown[] | undefined;
}
