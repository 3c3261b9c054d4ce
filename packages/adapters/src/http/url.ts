import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";

export type QueryPair = readonly [name: string, value: string];

const PLACEHOLDER = /\{([^{}]+)\}/gu;
/**
 * Path segments that a URL parser resolves to the folder itself or its parent, encoded dots
 * included.
 */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/iu;

/** More than servers take. Beyond it some of them hang up without an answer. */
const MAX_LENGTH = 65_536;

function assertLength(length: number): void {
  if (length <= MAX_LENGTH) return;
  const message = `The address would have ${length} characters; at most ${MAX_LENGTH} can be sent`;
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
    // Half of a surrogate pair has no UTF-8.
    throw invalidUrlPart(name, "is not valid Unicode");
  }
}

function templateValue(name: string, values: Readonly<Record<string, unknown>>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined || value === null) throw invalidUrlPart(name, "is missing", true);
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "boolean") return String(value);
  throw invalidUrlPart(name, value === "" ? "is empty" : "must be a string, a number or a boolean");
}

/** Writes the encoded value of a placeholder. */
export type Expand = (name: string) => string;

function expandSegment(segment: string, expand: Expand): string {
  let name = "";
  const expanded = segment.replaceAll(PLACEHOLDER, (_whole, found: string) => {
    name = found;
    return expand(name);
  });
  // A value of ".." would leave the place that the template names.
  if (name !== "" && DOT_SEGMENT.test(expanded))
    throw invalidUrlPart(name, `must not be "${expanded}"`);
  return expanded;
}

/** Puts encoded values into a template, each within its segment. */
export function expandTemplate(template: string, expand: Expand): string {
  return template
    .split("/")
    .map((segment) => expandSegment(segment, expand))
    .join("/");
}

/** Puts values into `/repos/{owner}/{name}`; each stays within its segment, whatever it holds. */
export function expandPath(template: string, values: Readonly<Record<string, unknown>>): string {
  return expandTemplate(template, (name) => encode(name, templateValue(name, values)));
}

/** `a=1&b=x%20y`, in the order given; empty for no pairs. */
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
 * Hangs an encoded path below a base. The path is never resolved against it, so neither `//host`
 * nor `..` nor a query of its own can lead anywhere else. A query that is text is encoded already.
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
    throw fail("VALIDATION", "The path is not URL-encoded", { outcome: "not_applied" });
  }
  const folder = url.pathname.replace(/\/+$/u, "");
  url.pathname = `${folder}/${path.replace(/^\/+/u, "")}`;
  url.search = search;
  url.hash = "";
  return url;
}
