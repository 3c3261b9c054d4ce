import { isRecord } from "../envelope/index.ts";
import { MappingError, evaluate, isKeys, scalarText } from "./mapping/index.ts";
import type { MappingScope, PreparedMapping } from "./mapping/index.ts";
import type { PreparedRest, PreparedSegment } from "./prepared.ts";
import type { RestRequest } from "./request.ts";

type SegmentPart = PreparedSegment["parts"][number];

function getInput(part: SegmentPart | undefined): string {
  return part !== undefined && typeof part !== "string" && isKeys(part) ? part.join(".") : "path";
}

/**
 * Refuses `..`, which would change the path of the request, and an empty segment, which would shift
 * the others.
 */
function encoded(segment: string, at: string): string {
  if (segment === "" || segment === "." || segment === "..") {
    throw new MappingError(
      at,
      `${JSON.stringify(segment)} cannot be part of a path, because it would change the rest of the path; pass another value`,
    );
  }
  try {
    return encodeURIComponent(segment);
  } catch {
    throw new MappingError(
      at,
      "is not valid Unicode, so it cannot be part of a path; correct the characters",
    );
  }
}

function partText(part: SegmentPart, scope: MappingScope): string {
  if (typeof part === "string") return part;
  const { value } = evaluate(part, scope);
  if (value === undefined || value === null) {
    throw new MappingError(getInput(part), "is missing, but the path needs it; pass a value");
  }
  const text = scalarText(value);
  if (text === undefined)
    throw new MappingError(
      getInput(part),
      "must not be a list or an object, because it is part of a path",
    );
  if (text === "") encoded("", getInput(part));
  return text;
}

function getSegment({ parts, many }: PreparedSegment, scope: MappingScope): string {
  const text = parts.map((part) => partText(part, scope)).join("");
  const at = getInput(parts.find((part) => typeof part !== "string"));
  const segments = many === true ? text.split("/") : [text];
  return segments.map((segment) => encoded(segment, at)).join("/");
}

function queryPairs(name: string, value: unknown): (readonly [string, string])[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => queryPairs(name, item));
  const text = scalarText(value);
  if (text === undefined)
    throw new MappingError(name, "must not be an object, because it is part of a query string");
  return [[name, text]];
}

function getQuery(mapping: PreparedMapping | undefined, scope: MappingScope): RestRequest["query"] {
  if (mapping === undefined) return [];
  const { value } = evaluate(mapping, scope);
  if (!isRecord(value)) throw new MappingError("", "the query must be an object");
  return Object.entries(value).flatMap(([name, member]) => queryPairs(name, member));
}

/** The REST request of a part. If the whole body is absent, no body is sent. */
export function restRequest(part: PreparedRest, scope: MappingScope): RestRequest {
  const body = part.body === undefined ? undefined : evaluate(part.body, scope).value;
  return {
    kind: "rest",
    method: part.method,
    path: part.path.map((segment) => `/${getSegment(segment, scope)}`).join(""),
    query: getQuery(part.query, scope),
    headers: part.headers,
    ...(body === undefined ? {} : { body }),
  };
}
