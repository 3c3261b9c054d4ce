import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import type { RequestedPage } from "@waybill/core/cards";
import { nextUrl } from "../../http/index.ts";
import { asRecord, textOr } from "../document/raw.ts";
import type { OperationModel } from "../operation/operation-model.ts";
import {
  CURSOR_NAMES,
  LIMIT_NAMES,
  MORE_FIELDS,
  NUMBER_NAMES,
  OFFSET_NAMES,
  PAGES_FIELDS,
  TOKEN_FIELDS,
  TOTAL_FIELDS,
  URL_FIELDS,
  firstField,
  findItems,
  plainName,
} from "./paging-fields.ts";

/** How to read the list of an operation page by page, as far as the description shows it. */
export interface Paging {
  readonly cursor: string | undefined;
  readonly limit: string | undefined;
  readonly number: string | undefined;
  readonly offset: string | undefined;
  readonly hasLink: boolean;
  /** Whether the paging inputs are members of the JSON body, as in many search operations. */
  readonly inBody: boolean;
}

/** The query pairs of the next page. Null after the last page, undefined if it is not known. */
export type NextPage = string | null | undefined;

export interface PageAnswer {
  readonly data: unknown;
  /** The headers of the response, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The encoded pairs that were sent, without credentials. */
  readonly query: readonly string[];
}

/** The members that the schema of the body lists. */
function bodyNames(input: JsonSchema): string[] {
  const { properties, $defs } = asRecord(input);
  const body = asRecord(asRecord(properties)["body"]);
  const name = /^#\/\$defs\/([^/]+)$/u.exec(textOr(body["$ref"], ""))?.[1];
  const found = name === undefined ? body : asRecord(asRecord($defs)[decodeURIComponent(name)]);
  return Object.keys(asRecord(found["properties"]));
}

/** Names that a body may use for other purposes than paging. */
const VAGUE: ReadonlySet<string> = new Set([
  "after",
  "continue",
  "marker",
  "page",
  "offset",
  "skip",
]);

function isSurelyPaged({ cursor, number, offset, limit }: Paging): boolean {
  const first = cursor ?? number ?? offset;
  return first !== undefined && (limit !== undefined || !VAGUE.has(plainName(first)));
}

export function inferPaging(model: OperationModel, input: JsonSchema): Paging | undefined {
  const inBody = !["get", "head"].includes(model.place.method);
  if (inBody && !["post", "query"].includes(model.place.method)) return undefined;
  const names = inBody
    ? bodyNames(input)
    : model.parameters
        .filter(({ parameter }) => parameter.in === "query")
        .map(({ parameter }) => parameter.name);
  const find = (known: ReadonlySet<string>): string | undefined =>
    names.find((name) => known.has(plainName(name)));
  const paging: Paging = {
    cursor: find(CURSOR_NAMES),
    limit: find(LIMIT_NAMES),
    number: find(NUMBER_NAMES),
    offset: find(OFFSET_NAMES),
    hasLink: model.responses.hasLink,
    inBody,
  };
  if (inBody) return isSurelyPaged(paging) ? paging : undefined;
  const { cursor, number, offset, limit, hasLink } = paging;
  return hasLink || (cursor ?? number ?? offset ?? limit) !== undefined ? paging : undefined;
}

function decodedPairs(query: readonly string[]): [string, string][] {
  return [...new URLSearchParams(query.join("&"))];
}

function getCursor(pairs: readonly (readonly [string, string])[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of pairs) query.append(name, value);
  return query.toString();
}

/** Keeps only the pairs that differ from the request, because the others are sent again anyway. */
function fromUrl(url: URL, { query }: PageAnswer): NextPage {
  const sent = decodedPairs(query);
  const changed = [...url.searchParams].filter(
    ([name, value]) => !sent.some(([other, same]) => other === name && same === value),
  );
  return changed.length === 0 ? null : getCursor(changed);
}

function byLink(paging: Paging, answer: PageAnswer): NextPage {
  const { link } = answer.headers;
  const next = link === undefined ? undefined : nextUrl(link);
  if (next !== undefined) return fromUrl(next, answer);
  const isLast = link !== undefined || (paging.hasLink && Array.isArray(answer.data));
  return isLast ? null : undefined;
}

/**
 * The method of GitLab: a header has the number of the next page, and is empty on the last page.
 */
function byHeader({ number }: Paging, { headers }: PageAnswer): NextPage {
  const next = headers["x-next-page"]?.trim();
  if (next === undefined || number === undefined) return undefined;
  return /^\d{1,9}$/u.test(next) ? getCursor([[number, next]]) : null;
}

function byUrl(answer: PageAnswer): NextPage {
  const value = firstField(answer.data, URL_FIELDS);
  if (value === null || value === "") return null;
  if (typeof value !== "string" || !/^(?:https?:\/\/|\/|\?)/u.test(value)) return undefined;
  return URL.canParse(value, "http://host")
    ? fromUrl(new URL(value, "http://host"), answer)
    : undefined;
}

/**
 * The method of Stripe: the answer says that there is more, and the next page starts after the
 * last item.
 */
function byLastItem(cursor: string, data: unknown): NextPage {
  const hasMore = firstField(data, MORE_FIELDS);
  if (hasMore === false) return null;
  const last = findItems(data)?.at(-1);
  const id = isRecord(last) ? last["id"] : undefined;
  const isId = typeof id === "string" || typeof id === "number";
  return hasMore === true && isId ? getCursor([[cursor, String(id)]]) : undefined;
}

function byToken({ cursor }: Paging, { data }: PageAnswer): NextPage {
  if (cursor === undefined) return undefined;
  const token = firstField(data, TOKEN_FIELDS);
  if (typeof token === "string" && token !== "") return getCursor([[cursor, token]]);
  const last = byLastItem(cursor, data);
  // If the API uses cursors and the answer has none, this page is the last one.
  return last === undefined && isRecord(data) ? null : last;
}

function numberSent(name: string, { query }: PageAnswer, usual: number): number {
  const sent = decodedPairs(query).find(([other]) => other === name)?.[1];
  return sent !== undefined && /^\d{1,9}$/u.test(sent) ? Number(sent) : usual;
}

function byNumber({ number }: Paging, answer: PageAnswer): NextPage {
  const pages = firstField(answer.data, PAGES_FIELDS);
  if (number === undefined || typeof pages !== "number") return undefined;
  const page = numberSent(number, answer, 1);
  return page >= pages ? null : getCursor([[number, String(page + 1)]]);
}

function byOffset({ offset }: Paging, answer: PageAnswer): NextPage {
  const total = firstField(answer.data, TOTAL_FIELDS);
  const count = findItems(answer.data)?.length;
  if (offset === undefined || typeof total !== "number" || count === undefined) return undefined;
  const next = numberSent(offset, answer, 0) + count;
  return count === 0 || next >= total ? null : getCursor([[offset, String(next)]]);
}

/** Finds the next page with the first known method that applies. */
export function nextPage(paging: Paging, answer: PageAnswer): NextPage {
  const ways = [
    byLink,
    byHeader,
    (_: Paging, given: PageAnswer) => byUrl(given),
    byNumber,
    byOffset,
    byToken,
  ];
  const found = ways.map((way) => way(paging, answer)).filter((next) => next !== undefined);
  return found.find((next) => next !== null) ?? found[0];
}

function limitPair(paging: Paging, limit: number | undefined): [string, string][] {
  if (limit === undefined) return [];
  if (paging.limit !== undefined) return [[paging.limit, String(limit)]];
  const issues = [
    { path: "/page/limit", message: "does not apply to this list, because its page size is fixed" },
  ];
  throw fail("VALIDATION", "The page size is fixed; leave out the limit of page", {
    issues,
    outcome: "not_applied",
  });
}

/** The body with the paging values replaced by those of the requested page. */
export function pagedBody(
  body: unknown,
  paging: Paging | undefined,
  page: RequestedPage | undefined,
): unknown {
  if (paging?.inBody !== true || page === undefined) return body;
  const pairs = [...limitPair(paging, page.limit), ...new URLSearchParams(page.cursor ?? "")];
  const numbers = [paging.limit, paging.number, paging.offset];
  const members = pairs.map(([name, value]) => [
    name,
    numbers.includes(name) ? Number(value) : value,
  ]);
  return { ...asRecord(body), ...(Object.fromEntries(members) as Record<string, unknown>) };
}

/** The members of a body that select the page, as query pairs. */
export function sentPairs(body: unknown): string[] {
  return Object.entries(asRecord(body))
    .filter(([, value]) => typeof value === "string" || typeof value === "number")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
}

/** The query with the paging pairs replaced by those of the requested page. */
export function pagedQuery(
  query: readonly string[],
  paging: Paging | undefined,
  page: RequestedPage | undefined,
): readonly string[] {
  if (paging === undefined || page === undefined || paging.inBody) return query;
  const pairs = [...limitPair(paging, page.limit), ...new URLSearchParams(page.cursor ?? "")];
  const names = new Set(pairs.map(([name]) => name));
  const kept = query.filter((pair) => !names.has(decodedPairs([pair])[0]?.[0] ?? ""));
  const added = pairs.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return [...kept, ...added];
}
