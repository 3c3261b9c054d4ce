import type { CardLookup } from "./card.ts";
import type { PreparedLookup, PreparedRest } from "./prepared.ts";
import { lookupsIn, readMembers } from "./read-parts.ts";
import { pathMappings, readSegments } from "./read-path.ts";
import { readQuery } from "./read-query.ts";
import type { Reading } from "./read-query.ts";

/** Reads a path to GET that uses no lookups. */
export function readPath({ reader }: Reading, path: string, pointer: string): PreparedRest {
  const segments = readSegments(reader, path, pointer);
  return { kind: "rest", method: "GET", path: segments, headers: {}, lookups: [] };
}

/** Prepares a lookup of a route or of `verify`: a document, or a path to GET. */
export function readLookup(reading: Reading, lookup: CardLookup, pointer: string): PreparedLookup {
  const { reader } = reading;
  const value = reader.read(lookup.value, `${pointer}/value`);
  const { each } = readMembers(reader, lookup, pointer, ["each"]);
  const rest = {
    ...(lookup.optional === true ? { optional: true as const } : {}),
    ...(each !== undefined && { each }),
    value,
  };
  const before = each === undefined ? [] : [each];
  if (lookup.path === undefined) {
    const named = { name: lookup.document ?? "", pointer: `${pointer}/document` };
    const query = readQuery(reading, named, lookup.variables, `${pointer}/variables`);
    return {
      request: { ...query, lookups: lookupsIn([query.variables, ...before], value) },
      ...rest,
    };
  }
  const get = readPath(reading, lookup.path, `${pointer}/path`);
  const { query } = readMembers(reader, lookup, pointer, ["query"]);
  const asked = [...pathMappings(get.path), ...before, ...(query === undefined ? [] : [query])];
  const lookups = lookupsIn(asked, value);
  return { request: { ...get, ...(query !== undefined && { query }), lookups }, ...rest };
}
