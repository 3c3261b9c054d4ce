import type { ProbeAnswer, VerifyProbe } from "../cards/index.ts";
import { isRecord } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { between } from "./moment.ts";
import type { Moment } from "./moment.ts";

/** The objects that a read found, and when. */
export interface Look {
  readonly response: ResponseEnvelope;
  readonly asked: Moment;
  readonly answered: Moment;
  /** The result of the card's own read. Its lists start with the newest item. */
  readonly own?: ProbeAnswer;
}

type Item = Record<string, unknown>;

/** Whether an item is the written object: `mine` means yes, `other` means no. */
type Verdict = "mine" | "other" | "unclear";

const SECOND = 1_000;

/** The list in an answer, or undefined if there is none. */
export function findList(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data;
  const items = isRecord(data) ? data["items"] : undefined;
  return Array.isArray(items) ? items : undefined;
}

function getItems({ data }: ResponseEnvelope): Item[] {
  return (findList(data) ?? [data]).filter(isRecord);
}

/** Whether there are more pages, according to the upstream's links or the list itself. */
export function hasMore({ data, meta }: ResponseEnvelope): boolean {
  if (typeof meta.nextCursor === "string") return true;
  const info = isRecord(data) ? data["pageInfo"] : undefined;
  return isRecord(info) && info["hasNextPage"] === true;
}

/** The objects that existed before the write, by their unique field, and when they were read. */
export interface Known {
  readonly field: string;
  readonly values: ReadonlySet<unknown>;
  /** The date header of the server's response. */
  readonly serverDate?: number | undefined;
}

/**
 * Whether the card's own read found nothing, not even the container of the objects. An upstream
 * may also answer this way if access was lost.
 */
export function isUnread({ own }: Look): boolean {
  return own?.value === null && own.container !== true;
}

/** Undefined if an object lacks the unique field, or if the objects could not be read. */
export function knownFrom(looked: Look, field: string): Known | undefined {
  const { response, own } = looked;
  // A list that starts with the newest item needs no more pages, because new objects are on the
  // first one.
  if (isUnread(looked) || (own === undefined && hasMore(response))) return undefined;
  const values = getItems(response).map((item) => item[field] ?? null);
  if (values.includes(null)) return undefined;
  return { field, values: new Set(values), serverDate: response.meta.serverDate };
}

/** Normalises text, because an upstream may trim it and change its line ends. */
function comparable(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\r\n", "\n").trim().normalize() : value;
}

function isEqual(a: unknown, b: unknown): boolean {
  const texts = [a, b].map((value) =>
    JSON.stringify(value, (_key, member: unknown) => comparable(member)),
  );
  return a === b || texts[0] === texts[1];
}

/** If the item does not have a field, the result is `unclear`. */
export function looksSame(item: Item, same: VerifyProbe["same"]): Verdict {
  const fields = Object.entries(same);
  const isOther = fields.some(
    ([field, value]) => item[field] !== undefined && !isEqual(item[field], value),
  );
  if (isOther) return "other";
  return fields.every(([field]) => item[field] !== undefined) ? "mine" : "unclear";
}

/**
 * Compares the creation time with the start of the attempt, on the server's clock. Most servers
 * cut times to whole seconds. An object from the same second is unclear, because someone else
 * may have created it just before.
 */
function madeSince(created: unknown, began: Moment | undefined, seen: Look): Verdict {
  // A missing date is NaN, and every comparison with NaN is false.
  const made = Date.parse(String(created));
  const { serverDate = Number.NaN } = seen.response.meta;
  if (began === undefined) return "unclear";
  const earliest = serverDate - between(began, seen.answered).most;
  const latest = serverDate + SECOND - between(began, seen.asked).least;
  if (made >= latest) return "mine";
  const madeBy = made % SECOND === 0 ? made + SECOND : made + 1;
  return madeBy <= earliest ? "other" : "unclear";
}

/**
 * Compares two dates of the server. An object that is older than the first read existed at that
 * time.
 */
function isOlderThan(created: unknown, { serverDate }: Known): boolean {
  const made = Date.parse(String(created));
  return serverDate !== undefined && made < serverDate;
}

/**
 * Whether the item is newer than the attempt. In a list, an older duplicate looks the same, so
 * the creation time or the earlier list must show it. An object that is requested by its name
 * cannot have a duplicate.
 */
function isSince(
  item: Item,
  { created, before }: VerifyProbe,
  seen: Look,
  began: Moment | undefined,
  known: Known | undefined,
): Verdict {
  if (created !== undefined) {
    if (known !== undefined && isOlderThan(item[created], known)) return "other";
    return madeSince(item[created], began, seen);
  }
  if (known !== undefined) return "mine";
  const isNamed = before === undefined && findList(seen.response.data) === undefined;
  return isNamed ? "mine" : "unclear";
}

function judgeItem(
  item: Item,
  probe: VerifyProbe,
  seen: Look,
  began: Moment | undefined,
  known: Known | undefined,
): Verdict {
  const looks = looksSame(item, probe.same);
  const own = known === undefined ? null : (item[known.field] ?? null);
  if (looks === "other" || known?.values.has(own) === true) return "other";
  const since = isSince(item, probe, seen, began, known);
  if (since === "other") return "other";
  return looks === "mine" && (since === "mine" || own !== null) ? "mine" : "unclear";
}

/**
 * Finds the written object among the objects that were read. `isUnclear` is true if another one
 * might be it.
 */
export function splitCandidates(
  probe: VerifyProbe,
  seen: Look,
  began: Moment | undefined,
  known: Known | undefined,
): { readonly mine: readonly Item[]; readonly isUnclear: boolean } {
  const judged = getItems(seen.response).map(
    (item) => [item, judgeItem(item, probe, seen, began, known)] as const,
  );
  return {
    mine: judged.filter(([, verdict]) => verdict === "mine").map(([item]) => item),
    isUnclear: judged.some(([, verdict]) => verdict === "unclear"),
  };
}

/**
 * Whether a list that starts with the newest item reaches back to before the write, so that no
 * object is missing. A list without any of the earlier objects may be another list.
 */
export function reachesBack(
  { created }: VerifyProbe,
  { response }: Look,
  known: Known | undefined,
): boolean {
  const items = getItems(response);
  const isKnown = (item: Item): boolean => known?.values.has(item[known.field] ?? null) === true;
  if (!hasMore(response)) return (known?.values.size ?? 0) === 0 || items.some(isKnown);
  const oldest = items.at(-1);
  if (oldest === undefined || known === undefined) return false;
  return isKnown(oldest) || (created !== undefined && isOlderThan(oldest[created], known));
}
