import { CallError } from "@waybill/core";
import type { CallsFilter, TotalsQuery } from "./inspector.ts";
import type { CallsQuery } from "./wire.ts";

const WORDS = [
  "capability",
  "route",
  "outcome",
  "status",
  "source",
  "via",
  "error",
  "caller",
  "session",
  "agent",
  "q",
  "parent",
] as const;
const TIMES = ["since", "until"] as const;
const MAX_TEXT = 1_000;

function invalidQuery(message: string): CallError {
  return new CallError("VALIDATION_ERROR", message);
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  if (/^\d{1,16}$/u.test(given)) return Number(given);
  throw invalidQuery(`${name} must be a whole number`);
}

function numbersIn<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, number>> {
  const found = names.map((name) => [name, numberIn(query, name)] as const);
  const given = found.filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<Record<Name, number>>;
}

function assertKnown(query: URLSearchParams, names: readonly string[]): void {
  const stray = [...query.keys()].find((name) => !names.includes(name));
  if (stray !== undefined)
    throw invalidQuery(`Unknown parameter ${stray}; use ${names.join(", ")}`);
}

function filterIn(query: URLSearchParams): CallsFilter {
  const status = query.get("status");
  if (status !== null && status !== "ok" && status !== "error") {
    throw invalidQuery("status must be ok or error");
  }
  const given = WORDS.flatMap((name) => {
    const value = query.get(name);
    return value === null || value === "" ? [] : [[name, value.slice(0, MAX_TEXT)] as const];
  });
  return { ...Object.fromEntries(given), ...numbersIn(query, TIMES) };
}

export function callsQuery(query: URLSearchParams): CallsQuery {
  assertKnown(query, ["limit", "before", ...WORDS, ...TIMES]);
  return { ...filterIn(query), ...numbersIn(query, ["limit", "before"]) };
}

export function eventsQuery(query: URLSearchParams): { filter: CallsFilter; after?: number } {
  assertKnown(query, ["after", ...WORDS, ...TIMES]);
  return { filter: filterIn(query), ...numbersIn(query, ["after"]) };
}

export function totalsQuery(query: URLSearchParams): TotalsQuery {
  assertKnown(query, [...TIMES, "buckets"]);
  return numbersIn(query, [...TIMES, "buckets"]);
}
