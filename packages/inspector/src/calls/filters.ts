import type { CallsQuery } from "@waybill/server";

/** The filters in the URL, with the server's names. */
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

/** Filters without an input field. They are shown as tags that can be removed. */
export const CHIPS: readonly FilterName[] = [
  // The select field can only hide nested calls, but the URL can also name the outer call.
  "parent",
  "capability",
  "source",
  "caller",
  "session",
  "agent",
  "since",
  "until",
];

/** The filters in the URL that the server applies. */
export function filtersIn(query: URLSearchParams): URLSearchParams {
  const given = new URLSearchParams();
  for (const name of FILTERS) {
    const value = query.get(name);
    if (value !== null && value !== "") given.set(name, value);
  }
  return given;
}
