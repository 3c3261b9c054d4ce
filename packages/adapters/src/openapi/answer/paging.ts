import { fail } from "@waybill/core";
import type { JsonSchema } from "@waybill/core";
import type { RequestedPage } from "@waybill/core/cards";
import { asRecord, textOr } from "../document/raw.ts";
import type { OperationModel } from "../operation/operation-model.ts";
import {
  CURSOR_NAMES,
  LIMIT_NAMES,
  NUMBER_NAMES,
  OFFSET_NAMES,
  VAGUE_NAMES,
  plainName,
} from "./paging-fields.ts";

/** An input that counts pages or items. */
export interface Counter {
  readonly name: string;
  /** The number of the first page or item: 0 or 1; undefined if the description does not show it. */
  readonly first: number | undefined;
  /** Whether the description allows 0 as a number, which does not say that it is the first. */
  readonly mayBeZero: boolean;
}

/** How to read the list of an operation page by page, as far as the description shows it. */
export interface Paging {
  readonly cursor: string | undefined;
  readonly limit: string | undefined;
  readonly number: Counter | undefined;
  readonly offset: Counter | undefined;
  readonly hasLink: boolean;
  /** Whether the paging inputs are members of the JSON body, as in many search operations. */
  readonly inBody: boolean;
  /** The inputs that are sent as numbers in a body. */
  readonly numeric: readonly string[];
}

/** The schemas of inputs, by name. */
type Schemas = Readonly<Record<string, unknown>>;

function resolvedIn(input: JsonSchema, schema: unknown): Schemas {
  const found = asRecord(schema);
  const name = /^#\/\$defs\/([^/]+)$/u.exec(textOr(found["$ref"], ""))?.[1];
  if (name === undefined) return found;
  return asRecord(asRecord(asRecord(input)["$defs"])[decodeURIComponent(name)]);
}

/** The members of the body, or the parameters of the query. */
function pagingSchemas({ parameters }: OperationModel, input: JsonSchema, inBody: boolean) {
  const properties = asRecord(asRecord(input)["properties"]);
  if (inBody) return asRecord(resolvedIn(input, properties["body"])["properties"]);
  const query = parameters.filter(({ parameter }) => parameter.in === "query");
  return Object.fromEntries(query.map(({ key, parameter }) => [parameter.name, properties[key]]));
}

function isSurelyPaged({ cursor, number, offset, limit }: Paging): boolean {
  const first = cursor ?? number?.name ?? offset?.name;
  return first !== undefined && (limit !== undefined || !VAGUE_NAMES.has(plainName(first)));
}

export function inferPaging(model: OperationModel, input: JsonSchema): Paging | undefined {
  const inBody = !["get", "head"].includes(model.place.method);
  if (inBody && !["post", "query"].includes(model.place.method)) return undefined;
  const inputs = pagingInputs(pagingSchemas(model, input, inBody), input);
  const paging: Paging = { ...inputs, hasLink: model.responses.hasLink, inBody };
  if (inBody) return isSurelyPaged(paging) ? paging : undefined;
  const { cursor, number, offset, limit, hasLink } = paging;
  return hasLink || (cursor ?? number ?? offset ?? limit) !== undefined ? paging : undefined;
}

function pagingInputs(schemas: Schemas, input: JsonSchema): Omit<Paging, "hasLink" | "inBody"> {
  const find = (known: ReadonlySet<string>): string | undefined =>
    Object.keys(schemas).find((name) => known.has(plainName(name)));
  const typeOf = (name: string): unknown => resolvedIn(input, schemas[name])["type"];
  const counter = (name: string | undefined): Counter | undefined =>
    name === undefined ? undefined : readCounter(name, resolvedIn(input, schemas[name]));
  const [limit, number, offset] = [LIMIT_NAMES, NUMBER_NAMES, OFFSET_NAMES].map(find);
  // Some APIs call a cursor `offset`. In that case its type is string and not a number.
  const isToken = offset !== undefined && typeOf(offset) === "string";
  const cursor = find(CURSOR_NAMES) ?? (isToken ? offset : undefined);
  const isInteger = cursor !== undefined && typeOf(cursor) === "integer";
  const numbers = [limit, number, isToken ? undefined : offset, isInteger ? cursor : undefined];
  const numeric = numbers.filter((name) => name !== undefined);
  return { cursor, limit, number: counter(number), offset: counter(offset), numeric };
}

function readCounter(name: string, schema: Schemas): Counter {
  const { default: usual, "x-default": other, minimum } = schema;
  const told = [usual, other].find((value): value is number => value === 0 || value === 1);
  // Generators write a minimum of 0 for every unsigned integer, so 0 need not be the first page.
  return { name, first: told ?? (minimum === 1 ? 1 : undefined), mayBeZero: minimum === 0 };
}

function limitPair(paging: Paging, limit: number | undefined): [string, string][] {
  if (limit === undefined) return [];
  if (paging.limit !== undefined) return [[paging.limit, String(limit)]];
  const issues = [
    { path: "/page/limit", message: "does not apply to this list, because its page size is fixed" },
  ];
  throw fail("VALIDATION", "The page size is fixed; leave out page.limit", {
    issues,
    outcome: "not_applied",
  });
}

/** The value as a number, or as a string if a number would lose digits. */
function bodyValue(value: string): string | number {
  return value !== "" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** The body with the paging values replaced by those of the requested page. */
export function pagedBody(
  body: unknown,
  paging: Paging | undefined,
  page: RequestedPage | undefined,
): unknown {
  if (paging?.inBody !== true || page === undefined) return body;
  const pairs = [...limitPair(paging, page.limit), ...new URLSearchParams(page.cursor ?? "")];
  const members = pairs.map(([name, value]) => [
    name,
    paging.numeric.includes(name) ? bodyValue(value) : value,
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
  const kept = query.filter((pair) => !names.has([...new URLSearchParams(pair)][0]?.[0] ?? ""));
  const added = pairs.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return [...kept, ...added];
}
