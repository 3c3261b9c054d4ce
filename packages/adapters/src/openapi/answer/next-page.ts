import { isRecord } from "@waybill/core/schema";
import { nextUrl } from "../../http/index.ts";
import type { Counter, Paging } from "./paging.ts";
import {
  LAST_FIELDS,
  MORE_FIELDS,
  NEXT_NUMBER_FIELDS,
  NUMBER_FIELDS,
  OFFSET_FIELDS,
  PAGES_FIELDS,
  PAGES_HEADERS,
  TOKEN_FIELDS,
  TOTAL_FIELDS,
  TOTAL_HEADERS,
  URL_FIELDS,
  findItems,
  firstField,
  plainName,
} from "./paging-fields.ts";

/** The query pairs of the next page. Null after the last page, undefined if it is not known. */
export type NextPage = string | null | undefined;

export interface PageAnswer {
  readonly data: unknown;
  /** The headers of the response, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The encoded pairs that were sent, without credentials. */
  readonly query: readonly string[];
}

const DIGITS = /^\d{1,9}$/u;

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function decodedPairs(query: readonly string[]): [string, string][] {
  return [...new URLSearchParams(query.join("&"))];
}

function getCursor(pairs: readonly (readonly [string, string | number])[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of pairs) query.append(name, String(value));
  return query.toString();
}

function sentValue(name: string, { query }: PageAnswer): string | undefined {
  return decodedPairs(query).find(([other]) => other === name)?.[1];
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
  return DIGITS.test(next) ? getCursor([[number.name, next]]) : null;
}

function byUrl(_paging: Paging, answer: PageAnswer): NextPage {
  const value = firstField(answer.data, URL_FIELDS);
  if (value === null || value === "") return null;
  if (typeof value !== "string" || !/^(?:https?:\/\/|\/|\?)/u.test(value)) return undefined;
  return URL.canParse(value, "http://host")
    ? fromUrl(new URL(value, "http://host"), answer)
    : undefined;
}

/** Whether the answer says that there are more pages; undefined if it says nothing. */
function readHasMore({ data }: PageAnswer): boolean | undefined {
  const isLast = firstField(data, LAST_FIELDS, isBoolean);
  return firstField(data, MORE_FIELDS, isBoolean) ?? (isLast === undefined ? undefined : !isLast);
}

/**
 * The method of Stripe: the answer says that there is more, and the next page starts after the
 * last item.
 */
function byLastItem(cursor: string, answer: PageAnswer): NextPage {
  const last = findItems(answer.data)?.at(-1);
  const id = isRecord(last) ? last["id"] : undefined;
  const isId = typeof id === "string" || typeof id === "number";
  return readHasMore(answer) === true && isId ? getCursor([[cursor, id]]) : undefined;
}

function readPageToken(data: unknown): string | undefined {
  const token = firstField(data, TOKEN_FIELDS);
  const isToken = (typeof token === "string" && token !== "") || (isNumber(token) && token > 0);
  return isToken ? String(token) : undefined;
}

function byToken({ cursor, offset }: Paging, answer: PageAnswer): NextPage {
  if (cursor === undefined) return undefined;
  const token = readPageToken(answer.data);
  if (token !== undefined) {
    return token === sentValue(cursor, answer) ? null : getCursor([[cursor, token]]);
  }
  const last = byLastItem(cursor, answer);
  // If the API uses cursors and the answer has none, this page is the last one.
  const isOver = last === undefined && isRecord(answer.data) && cursor !== offset?.name;
  return isOver ? null : last;
}

/** A number in the answer, or in a header if the answer is only the list. */
function readCount(
  { data, headers }: PageAnswer,
  fields: readonly string[],
  names: readonly string[],
): number | undefined {
  const told = names.map((name) => headers[name]).find((value) => DIGITS.test(value ?? ""));
  return firstField(data, fields, isNumber) ?? (told === undefined ? undefined : Number(told));
}

interface Position {
  /** The number of this page, or of its first item. */
  readonly at: number;
  /** The number of the first page or item. */
  readonly first: number;
}

/** Names that start at 0 in some APIs and at 1 in others. */
const EITHER_START: ReadonlySet<string> = new Set(["startindex", "pageindex"]);

function readPosition(
  { name, first, mayBeZero }: Counter,
  answer: PageAnswer,
  fields: readonly string[],
  usual: number,
): Position {
  const sent = sentValue(name, answer);
  if (sent !== undefined && DIGITS.test(sent)) return { at: Number(sent), first: first ?? usual };
  const own = firstField(answer.data, fields, isNumber);
  // Assumes the lower number if the first one is not known. Then a page may repeat an item, but
  // no item is lost.
  const unsent = mayBeZero || EITHER_START.has(plainName(name)) ? 0 : usual;
  const start = own === 0 || own === 1 ? own : (first ?? unsent);
  return { at: start, first: start };
}

/** Some APIs name the same page again after the last one, or page 0. */
function isLater(page: number, name: string, answer: PageAnswer): boolean {
  const sent = sentValue(name, answer);
  return page > (sent !== undefined && DIGITS.test(sent) ? Number(sent) : 0);
}

function byNumber({ number }: Paging, answer: PageAnswer): NextPage {
  if (number === undefined) return undefined;
  const told = firstField(answer.data, NEXT_NUMBER_FIELDS);
  if (told === null) return null;
  if (isNumber(told))
    return isLater(told, number.name, answer) ? getCursor([[number.name, told]]) : null;
  const { at, first } = readPosition(number, answer, NUMBER_FIELDS, 1);
  const next = getCursor([[number.name, at + 1]]);
  const done = at - first + 1;
  const pages = readCount(answer, PAGES_FIELDS, PAGES_HEADERS);
  if (pages !== undefined) return done >= pages ? null : next;
  return byCount(answer, next, (count) => done * count);
}

function byOffset({ offset }: Paging, answer: PageAnswer): NextPage {
  const count = findItems(answer.data)?.length;
  if (offset === undefined || count === undefined) return undefined;
  const usual = plainName(offset.name) === "startindex" ? 1 : 0;
  const { at, first } = readPosition(offset, answer, OFFSET_FIELDS, usual);
  const next = at + count;
  return byCount(answer, getCursor([[offset.name, next]]), () => next - first);
}

/** Compares the number of items up to this page with the total, or asks whether there is more. */
function byCount(
  answer: PageAnswer,
  next: string,
  countSoFar: (count: number) => number,
): NextPage {
  const count = findItems(answer.data)?.length;
  if (count === undefined) return undefined;
  const total = readCount(answer, TOTAL_FIELDS, TOTAL_HEADERS);
  if (total !== undefined) return count === 0 || countSoFar(count) >= total ? null : next;
  return readHasMore(answer) === true ? next : undefined;
}

/** Whether the header links pages. It may have only other links, such as one to preload. */
function hasPageLinks({ headers }: PageAnswer): boolean {
  return /;\s*rel\s*=\s*"?(?:prev|previous|first|last)\b/iu.test(headers["link"] ?? "");
}

/** Finds the next page with the first known method that applies. */
export function nextPage(paging: Paging, answer: PageAnswer): NextPage {
  const link = byLink(paging, answer);
  if (link === undefined || link === null) {
    // Some APIs send the cursor of the last item even after the last page.
    if (readHasMore(answer) === false) return null;
  }
  const links = [byHeader(paging, answer), byUrl(paging, answer)];
  // If the links show that this is the last page, page numbers must not lead to another page.
  const isOver = links.includes(null) || (link === null && hasPageLinks(answer));
  const ways = isOver ? [byToken] : [byNumber, byOffset, byToken];
  const found = [link, ...links, ...ways.map((way) => way(paging, answer))].filter(
    (next) => next !== undefined,
  );
  return found.find((next) => next !== null) ?? found[0];
}
