import type { CallsQuery } from "@waybill/server";

/** The filters that live in the address, by the names that the server gives them. */
export const FILTERS = [
  "q",
  "status",
  "route",
  "outcome",
  "via",
  "error",
  "caller",
  "session",
  "agent",
  "parent",
  "capability",
  "source",
  "since",
  "until",
] as const satisfies readonly (keyof CallsQuery)[];

export type FilterName = (typeof FILTERS)[number];

/** Filters that have no field of their own and are shown as what can be taken away. */
export const CHIPS: readonly FilterName[] = [
  "capability",
  "source",
  "caller",
  "session",
  "agent",
  "since",
  "until",
];

/** The filters of the address that the server applies. */
export function filtersIn(query: URLSearchParams): URLSearchParams {
  const given = new URLSearchParams();
  for (const name of FILTERS) {
    const value = query.get(name);
    if (value !== null && value !== "") given.set(name, value);
  }
  return given;
}
