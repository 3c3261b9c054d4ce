import { fail, isRecord, ROUTES } from "../../envelope/index.ts";
import type { ResultMeta, Route } from "../../envelope/index.ts";
import type { OperationSpec } from "../../operation/index.ts";
import type { RequestedPage, Routed } from "../../router/index.ts";
import type { PageOptions } from "../options/execute-options.ts";

/**
 * Prefixes of a cursor. PLAIN precedes the upstream's own text, ENCODED a text that a shell or a
 * URL would change.
 */
const [PLAIN, ENCODED] = ["wb2", "wb1"];
const CURSOR = /^(?<form>wb[12])\.(?<route>\w+)\.(?<text>[^]*)$/u;
/**
 * Cursors with only these characters are not encoded, to save tokens. A plus must be encoded,
 * because it means a space in the query of a URL.
 */
const HARMLESS = /^[\w/=:.-]+$/u;

function encoded(cursor: string): string {
  const bytes = new TextEncoder().encode(cursor);
  // Converts byte by byte, because a long cursor has more bytes than a function can take arguments.
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decodedCursor(text: string): string | undefined {
  try {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.from(bytes, (character) => character.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}

/**
 * A cursor works only on the route that returned it, so the cursors of Waybill name their route.
 */
export function wrapCursor(route: Route, cursor: string): string {
  return HARMLESS.test(cursor)
    ? `${PLAIN}.${route}.${cursor}`
    : `${ENCODED}.${route}.${encoded(cursor)}`;
}

/** Reads a cursor made by `wrapCursor`; undefined for others. */
export function unwrapCursor(wrapped: string): { route: Route; cursor: string } | undefined {
  const { form, route: name, text = "" } = CURSOR.exec(wrapped)?.groups ?? {};
  const route = ROUTES.find((known) => known === name);
  if (route === undefined || (form === PLAIN && !HARMLESS.test(text))) return undefined;
  const cursor = form === PLAIN ? text : decodedCursor(text);
  return cursor === undefined ? undefined : { route, cursor };
}

const PAGE_NUMBER = /^\d+$/;
const SIZED_PAGE = /^(?<page>\d+)\/(?<first>\d+)$/;

/** A page number is only valid together with its page size, so the cursor has both. */
function sizedCursor(route: Route, cursor: string, first: unknown): string {
  const isPage = route !== "graphql" && PAGE_NUMBER.test(cursor) && Number.isInteger(first);
  return isPage ? `${cursor}/${String(first)}` : cursor;
}

/** With another page size, a page would skip or repeat items. */
function refuseSize(spec: OperationSpec, first: string): Error {
  const message = `must be ${first}, as for the previous page; for another size start again without a cursor`;
  const issues = [{ path: "/first", message }];
  const text = `The cursor of ${spec.id} is for pages of ${first}`;
  return fail("VALIDATION", text, { issues, outcome: "not_applied" });
}

/** The page that a cursor points to: its start and, for a numbered page, its size. */
function pageAt(spec: OperationSpec, cursor: string, first: unknown): Record<string, unknown> {
  const sized = SIZED_PAGE.exec(cursor)?.groups;
  if (sized === undefined) return { after: cursor };
  const { page, first: size = "" } = sized;
  if (first !== undefined && Number(first) !== Number(size)) throw refuseSize(spec, size);
  return { after: page, first: Number(size) };
}

export interface PagedParams {
  readonly params: unknown;
  /** The page to request, if the routes of the operation read the list page by page. */
  readonly page?: RequestedPage;
  /** The route that the cursor belongs to. */
  readonly route: Route | undefined;
}

function takes(
  spec: Pick<OperationSpec, "inputSchema" | "pages">,
  ...names: readonly string[]
): boolean {
  if (spec.pages !== undefined) return false;
  const properties = isRecord(spec.inputSchema) ? spec.inputSchema["properties"] : undefined;
  return isRecord(properties) && names.every((name) => Object.hasOwn(properties, name));
}

function doesPage(spec: Pick<OperationSpec, "inputSchema" | "pages">): boolean {
  return takes(spec, "first", "after");
}

/** An operation with its own `cursor` input gets the cursor unchanged. */
function ownPage(spec: OperationSpec, params: unknown, page: PageOptions): PagedParams {
  const { cursor, limit } = page;
  if (limit !== undefined && !takes(spec, "limit")) throw notSized(spec);
  const asked = { ...(cursor !== undefined && { cursor }), ...(limit !== undefined && { limit }) };
  return { params: isRecord(params) ? { ...params, ...asked } : params, route: undefined };
}

function notSized(spec: OperationSpec): Error {
  const issues = [{ path: "/page/limit", message: "must be left out" }];
  const message = `The page size of ${spec.id} is fixed; leave out page.limit`;
  return fail("VALIDATION", message, { issues, outcome: "not_applied" });
}

function notPaged(spec: OperationSpec): Error {
  const issues = [{ path: "/page", message: `${spec.id} has no pages` }];
  return fail("VALIDATION", `${spec.id} has no pages`, {
    issues,
    outcome: "not_applied",
    hint: "Leave out page",
  });
}

/** An operation with `pages` accepts only cursors that its own routes returned. */
function routedPage(spec: OperationSpec, params: unknown, page: PageOptions): PagedParams {
  const { cursor, limit } = page;
  if (cursor === undefined) return { params, page: { limit }, route: undefined };
  const ours = unwrapCursor(cursor);
  if (ours !== undefined) {
    return { params, page: { cursor: ours.cursor, limit }, route: ours.route };
  }
  const issues = [{ path: "/page/cursor", message: "must be the end_cursor of the previous page" }];
  const message = `The cursor belongs to another capability than ${spec.id}`;
  throw fail("VALIDATION", message, { issues, outcome: "not_applied" });
}

/**
 * Converts the option `page` to the inputs `first` and `after`, or `limit` and `cursor`, and
 * overrides them. A cursor that Waybill did not make belongs to the upstream and goes to the
 * GraphQL route unchanged.
 */
export function pagedParams(
  spec: OperationSpec,
  params: unknown,
  page: PageOptions | undefined,
): PagedParams {
  if (page !== undefined && spec.pages === true) return routedPage(spec, params, page);
  if (page !== undefined && !doesPage(spec)) {
    if (takes(spec, "cursor")) return ownPage(spec, params, page);
    throw notPaged(spec);
  }
  if (!isRecord(params) || !doesPage(spec)) return { params, route: undefined };
  const given = page?.cursor ?? params["after"];
  const first = page?.limit === undefined ? {} : { first: page.limit };
  if (typeof given !== "string") return { params: { ...params, ...first }, route: undefined };
  const ours = unwrapCursor(given);
  if (ours === undefined)
    return { params: { ...params, ...first, after: given }, route: "graphql" };
  const sized = { ...params, ...first };
  const at =
    ours.route === "graphql" ? { after: ours.cursor } : pageAt(spec, ours.cursor, sized["first"]);
  return { params: { ...sized, ...at }, route: ours.route };
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

function findPageInfo(data: unknown): PageInfo | undefined {
  const info = isRecord(data) ? data["pageInfo"] : undefined;
  if (!isRecord(info)) return undefined;
  const { hasNextPage, endCursor } = info;
  if (typeof hasNextPage !== "boolean") return undefined;
  // Removes a cursor after the last page. Some upstreams return one, but it is useless and costs
  // tokens.
  const isCursor = hasNextPage && typeof endCursor === "string";
  return { hasNextPage, endCursor: isCursor ? endCursor : null };
}

/** If the output schema has no `pageInfo`, the page information is only in `meta`. */
function showsPageInfo({ outputSchema }: Pick<OperationSpec, "outputSchema">): boolean {
  const properties = isRecord(outputSchema) ? outputSchema["properties"] : undefined;
  return !isRecord(properties) || "pageInfo" in properties;
}

/** A list whose cursors Waybill has wrapped, and its next page. */
export interface Paged {
  readonly data: unknown;
  readonly pagination: ResultMeta["pagination"];
}

/** Adds the route to the cursors of an answer. */
export function paginate(
  data: unknown,
  { routeUsed: route, nextCursor }: Pick<Routed, "routeUsed" | "nextCursor">,
  spec: Pick<OperationSpec, "inputSchema" | "outputSchema" | "pages">,
  input: unknown,
): Paged {
  if (route === undefined || route === "local") return { data, pagination: undefined };
  const info = findPageInfo(data);
  const raw = info === undefined ? nextCursor : info.endCursor;
  if (info === undefined && raw === undefined) return { data, pagination: undefined };
  const first = doesPage(spec) && isRecord(input) ? input["first"] : undefined;
  const end_cursor =
    typeof raw === "string" ? wrapCursor(route, sizedCursor(route, raw, first)) : null;
  const pagination = { has_next_page: info?.hasNextPage ?? end_cursor !== null, end_cursor };
  if (info === undefined) return { data, pagination };
  const { pageInfo: _, ...others } = data as Record<string, unknown>;
  if (!showsPageInfo(spec)) return { data: others, pagination };
  const pageInfo = { hasNextPage: info.hasNextPage, endCursor: end_cursor };
  return { data: { ...others, pageInfo }, pagination };
}
