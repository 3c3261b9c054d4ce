import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";

export type QueryPair = readonly [name: string, value: string];

const PLACEHOLDER = /\{([^{}]+)\}/gu;
/**
 * Path segments that a URL parser resolves to the folder itself or its parent, including encoded
 * dots.
 */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/iu;

/**
 * The maximum length of a URL that servers accept. Some close the connection without a response.
 */
const MAX_LENGTH = 65_536;

function assertLength(length: number): void {
  if (length <= MAX_LENGTH) return;
  const message = `The URL would have ${length} characters, but at most ${MAX_LENGTH} can be sent. Pass shorter inputs`;
  throw fail("TOO_LARGE", message, { outcome: "not_applied" });
}

function invalidUrlPart(name: string, message: string, isMissing = false): CallError {
  const issue = { path: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, message };
  const issues = [isMissing ? { ...issue, missing: true as const } : issue];
  return fail("VALIDATION", `${name} ${message}`, { issues, outcome: "not_applied" });
}

function encode(name: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half of a surrogate pair cannot be encoded as UTF-8.
    throw invalidUrlPart(name, "is not valid Unicode; correct its characters");
  }
}

function templateValue(name: string, values: Readonly<Record<string, unknown>>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined || value === null) throw invalidUrlPart(name, "is missing", true);
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "boolean") return String(value);
  throw invalidUrlPart(
    name,
    value === "" ? "must not be empty" : "must be a string, a number or a boolean",
  );
}

/** Returns the encoded value of a placeholder. */
export type Expand = (name: string) => string;

function expandSegment(segment: string, expand: Expand): string {
  let name = "";
  const expanded = segment.replaceAll(PLACEHOLDER, (_whole, found: string) => {
    name = found;
    return expand(name);
  });
  // Refuses "..", which would leave the path of the template.
  if (name !== "" && DOT_SEGMENT.test(expanded))
    throw invalidUrlPart(name, `must not be "${expanded}"`);
  return expanded;
}

/** Inserts encoded values into a template. No value can leave its segment. */
export function expandTemplate(template: string, expand: Expand): string {
  return template
    .split("/")
    .map((segment) => expandSegment(segment, expand))
    .join("/");
}

/** Inserts values into a path such as `/repos/{owner}/{name}`. No value can leave its segment. */
export function expandPath(template: string, values: Readonly<Record<string, unknown>>): string {
  return expandTemplate(template, (name) => encode(name, templateValue(name, values)));
}

/** Writes pairs as `a=1&b=x%20y`, in order. Empty if there are none. */
export function encodeQuery(pairs: readonly QueryPair[]): string {
  return pairs.map(([name, value]) => `${encode(name, name)}=${encode(name, value)}`).join("&");
}

function parseBase(base: string): URL {
  try {
    return new URL(base);
  } catch {
    throw new TypeError("A base URL must be absolute, like https://api.example.com/v3");
  }
}

/**
 * Appends an encoded path to a base URL. The path is not resolved against the base, so `//host`,
 * `..` or a query in it cannot change the target. A query that is given as a string is already
 * encoded.
 */
export function buildUrl(
  base: string,
  path: string,
  query: readonly QueryPair[] | string = [],
): URL {
  const url = parseBase(base);
  const search = typeof query === "string" ? query : encodeQuery(query);
  assertLength(path.length + search.length);
  const isOutside = path.split("/").some((segment) => DOT_SEGMENT.test(segment));
  if (isOutside || /[?#\\\s]/u.test(path)) {
    throw fail("VALIDATION", "The path is not URL-encoded; write special characters as %20", {
      outcome: "not_applied",
    });
  }
  const folder = url.pathname.replace(/(?<!\/)\/+$/u, "");
  url.pathname = `${folder}/${path.replace(/^\/+/u, "")}`;
  url.search = search;
  url.hash = "";
  return url;
}
