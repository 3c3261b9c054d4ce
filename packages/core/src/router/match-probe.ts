import type { ProbeAnswer, VerifyProbe } from "../cards/index.ts";
import { isRecord } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { between } from "./moment.ts";
import type { Moment } from "./moment.ts";

/** The objects that a probe saw, and when. */
export interface Look {
  readonly response: ResponseEnvelope;
  readonly asked: Moment;
  readonly answered: Moment;
  /** The result of the card's own read, whose lists begin with the newest. */
  readonly own?: ProbeAnswer;
}

type Item = Record<string, unknown>;

/** Whether an item is what was written: yes, no, or it cannot be told. */
type Verdict = "mine" | "other" | "unclear";

const SECOND = 1_000;

/** The list that an answer is or has; undefined when there is none. */
export function findList(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data;
  const items = isRecord(data) ? data["items"] : undefined;
  return Array.isArray(items) ? items : undefined;
}

function getItems({ data }: ResponseEnvelope): Item[] {
  return (findList(data) ?? [data]).filter(isRecord);
}

/** Whether there are further pages, by the upstream's links or by what the list itself says. */
export function hasMore({ data, meta }: ResponseEnvelope): boolean {
  if (typeof meta.nextCursor === "string") return true;
  const info = isRecord(data) ? data["pageInfo"] : undefined;
  return isRecord(info) && info["hasNextPage"] === true;
}

/** The earlier objects by their unique field, and when they were read. */
export interface Known {
  readonly field: string;
  readonly values: ReadonlySet<unknown>;
  /** By the server's clock. */
  readonly serverDate?: number | undefined;
}

/** Undefined when one of them has nothing to be known by. */
export function knownFrom({ response, own }: Look, field: string): Known | undefined {
  // A list of the newest needs no further pages: what comes later stands before them.
  if (own === undefined && hasMore(response)) return undefined;
  const values = getItems(response).map((item) => item[field] ?? null);
  if (values.includes(null)) return undefined;
  return { field, values: new Set(values), serverDate: response.meta.serverDate };
}

/** An upstream may cut spaces off a text, and change the ends of its lines. */
function comparable(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\r\n", "\n").trim().normalize() : value;
}

function isEqual(a: unknown, b: unknown): boolean {
  const texts = [a, b].map((value) =>
    JSON.stringify(value, (_key, member: unknown) => comparable(member)),
  );
  return a === b || texts[0] === texts[1];
}

/** A field the item does not have cannot be compared. */
export function looksSame(item: Item, same: VerifyProbe["same"]): Verdict {
  const fields = Object.entries(same);
  const isOther = fields.some(
    ([field, value]) => item[field] !== undefined && !isEqual(item[field], value),
  );
  if (isOther) return "other";
  return fields.every(([field]) => item[field] !== undefined) ? "mine" : "unclear";
}

/**
 * When it was made against when the attempt began, by the server's clock. A `Date` is cut to whole
 * seconds, and so are most dates of making: whatever may have been made in the time between is
 * unclear, for someone else may have made the same just before.
 */
function madeSince(created: unknown, began: Moment | undefined, seen: Look): Verdict {
  // A date that is missing is NaN, and neither earlier nor later than any other.
  const made = Date.parse(String(created));
  const { serverDate = Number.NaN } = seen.response.meta;
  if (began === undefined) return "unclear";
  const earliest = serverDate - between(began, seen.answered).most;
  const latest = serverDate + SECOND - between(began, seen.asked).least;
  if (made >= latest) return "mine";
  const madeBy = made % SECOND === 0 ? made + SECOND : made + 1;
  return madeBy <= earliest ? "other" : "unclear";
}

/** Both dates are the server's own: what was made before the first look was there then. */
function isOlderThan(created: unknown, { serverDate }: Known): boolean {
  const made = Date.parse(String(created));
  return serverDate !== undefined && made < serverDate;
}

/**
 * In a list an older duplicate looks the same, so something must show which is new: the creation
 * time, or the list from before. An object that is requested by name has no duplicate.
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

/** Finds what was written among what was seen; `isUnclear` when something there may or may not be it. */
export function sortOut(
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

/** Whether a list of the newest goes back to before the write, so that nothing is missing from it. */
export function reachesBack(
  { created }: VerifyProbe,
  { response }: Look,
  known: Known | undefined,
): boolean {
  if (!hasMore(response)) return true;
  const oldest = getItems(response).at(-1);
  if (oldest === undefined || known === undefined) return false;
  const isKnown = known.values.has(oldest[known.field] ?? null);
  return isKnown || (created !== undefined && isOlderThan(oldest[created], known));
}
