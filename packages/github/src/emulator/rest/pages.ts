import type { RestCall } from "./call.ts";
import { json } from "./reply.ts";
import type { Reply } from "./reply.ts";

const DEFAULT_SIZE = 30;
const MAX_SIZE = 100;

function whole(text: string | undefined, fallback: number): number {
  const value = Number(text ?? fallback);
  return Number.isInteger(value) && value > 0 ? value : fallback;
}

function requestedPage(call: RestCall): { readonly size: number; readonly page: number } {
  const size = Math.min(whole(call.query("per_page"), DEFAULT_SIZE), MAX_SIZE);
  return { size, page: whole(call.query("page"), 1) };
}

/** The index of the first item on the requested page. */
export function firstOnPage(call: RestCall): number {
  const { size, page } = requestedPage(call);
  return (page - 1) * size;
}

/** The part of a list that `page` and `per_page` select, with links to the other pages. */
export function findPage<T>(
  call: RestCall,
  items: readonly T[],
): { readonly items: readonly T[]; readonly headers: Readonly<Record<string, string>> } {
  const { size, page } = requestedPage(call);
  const last = Math.max(1, Math.ceil(items.length / size));
  const rels: [string, number][] = [];
  if (page > 1) rels.push(["prev", Math.min(page - 1, last)]);
  if (page < last) rels.push(["next", page + 1], ["last", last]);
  if (page > 1) rels.push(["first", 1]);
  const link = rels
    .map(([rel, number]) => `<${pageAddress(call, number)}>; rel="${rel}"`)
    .join(", ");
  const headers: Record<string, string> = link === "" ? {} : { link };
  return { items: items.slice((page - 1) * size, page * size), headers };
}

function pageAddress({ url, urls }: RestCall, page: number): string {
  const query = new URLSearchParams(url.searchParams);
  query.set("page", String(page));
  return `${urls.api}${url.pathname}?${query.toString()}`;
}

/** Answers with a plain array. */
export function listReply<T>(call: RestCall, all: readonly T[], view: (item: T) => unknown): Reply {
  const { items, headers } = findPage(call, all);
  return json(200, items.map(view), headers);
}

/** The fields before and after the items of a counted list. */
interface Beside {
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/**
 * Answers with the total count and an array under a name. The order of the members matters, because
 * Octokit takes the first unknown member as the list.
 */
export function countedReply<T>(
  call: RestCall,
  name: string,
  all: readonly T[],
  view: (item: T) => unknown,
  { before = {}, after = {} }: Beside = {},
): Reply {
  const { items, headers } = findPage(call, all);
  const list = { [name]: items.map(view) };
  return json(200, { total_count: all.length, ...before, ...list, ...after }, headers);
}
