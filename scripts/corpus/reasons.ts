import { isRecord } from "@waybill/core/schema";
import type { Comparison } from "./compare.ts";

export const UNEXPLAINED = "not explained";

interface Reason {
  readonly text: string;
  readonly holds: (comparison: Comparison) => boolean;
}

function some(
  { raw }: Comparison,
  test: (parameter: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  return raw.parameters.some(test);
}

function isCompound(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function hasEmpty(value: unknown): boolean {
  return isRecord(value) && Object.values(value).some((each) => each === "");
}

/** Whether an object parameter is spread over the query. */
function isSpread({ raw, input }: Comparison): boolean {
  return raw.parameters.some(({ name, in: place, style, explode }) => {
    const value = input[String(name)] ?? input[`${String(place)}.${String(name)}`];
    const isForm = style === undefined || style === "form";
    return place === "query" && isForm && explode !== false && isRecord(value);
  });
}

function bodyType({ ours }: Comparison): string {
  return ours.headers["content-type"] ?? "";
}

/**
 * Reasons why the two implementations differ. The first one that applies is used. Each names the
 * rule of OpenAPI or RFC 6570, or says that there is none.
 */
const REASONS: readonly Reason[] = [
  {
    text: "`swagger-client` does not fill in a path that has a query, a fragment or a quote in it",
    holds: ({ theirs, differences }) =>
      differences.includes("path") && /[{}]|%7B/u.test(new URL(theirs.url).href),
  },
  {
    text: "lines of JSON: ours have one line for each item; `swagger-client` does not write the list",
    holds: (comparison) =>
      /ndjson|jsonl/u.test(bodyType(comparison)) && typeof comparison.theirs.body !== "string",
  },
  {
    text: "a placeholder in the query of a path; `swagger-client` leaves it",
    holds: ({ raw }) => raw.path.includes("?"),
  },
  {
    text: "a path that begins with two slashes; ours has one",
    holds: ({ raw, differences }) => differences.includes("path") && raw.path.startsWith("//"),
  },
  {
    text: "`allowReserved`: `swagger-client` leaves `&` in a value, which ends it there",
    holds: (comparison) =>
      comparison.differences.includes("query") &&
      some(comparison, ({ allowReserved }) => allowReserved === true),
  },
  {
    text: "lists and members of members in `deepObject`, which OpenAPI leaves open: ours are `a[]=1` and `a[b][c]=1`, theirs JSON text",
    holds: (comparison) =>
      comparison.differences.includes("query") &&
      some(comparison, ({ style }) => style === "deepObject"),
  },
  {
    text: "`label` without `explode`: RFC 6570 and OpenAPI 3.0.4 join by commas, `swagger-client` by dots",
    holds: (comparison) => some(comparison, ({ style }) => style === "label"),
  },
  {
    text: "objects that are space or pipe delimited: `swagger-client` joins them by commas",
    holds: (comparison) => some(comparison, ({ style }) => String(style).endsWith("Delimited")),
  },
  {
    text: "an empty text or name: `swagger-client` leaves the first out and sends the second",
    holds: ({ input, raw, differences }) =>
      !differences.includes("body") &&
      (hasEmpty(input) || raw.parameters.some(({ name }) => name === "")),
  },
  {
    text: "members of an exploded object that share a name with another parameter: `swagger-client` sends one of them",
    holds: (comparison) => comparison.differences.includes("query") && isSpread(comparison),
  },
  {
    text: "several cookie parameters: `swagger-client` sends the last",
    holds: ({ differences }) => differences.includes("cookies"),
  },
  {
    text: "a body that is `false`, `0` or empty: `swagger-client` sends none",
    holds: ({ input, differences }) => differences.includes("body") && !input["body"],
  },
  {
    text: "a form that is a text, a list or a file as a whole: ours is one part or as it is written; `swagger-client` sends its characters one by one",
    holds: (comparison) =>
      /form/u.test(bodyType(comparison)) &&
      (!isRecord(comparison.input["body"]) || bodyType(comparison).startsWith("multipart/")) &&
      !isObjectOfFields(comparison),
  },
  {
    text: "a media type that is called `form-data`: ours is sent as multipart",
    holds: ({ raw }) => isRecord(raw.body?.["content"]) && "form-data" in raw.body["content"],
  },
  {
    text: "an object where the body is text: `swagger-client` does not send it",
    holds: (comparison) =>
      comparison.differences.includes("body") &&
      !/json|form/u.test(bodyType(comparison)) &&
      typeof comparison.theirs.body !== "string",
  },
  {
    text: "lists, objects and empty fields of forms: ours repeat, are JSON or have brackets as the encoding says; `swagger-client` joins by commas and reads strings as JSON",
    holds: (comparison) =>
      comparison.differences.includes("body") &&
      bodyType(comparison).includes("urlencoded") &&
      isRecord(comparison.input["body"]) &&
      Object.values(comparison.input["body"]).some(
        (value) => isCompound(value) || isReadable(value),
      ),
  },
  {
    text: "lists in multipart bodies: ours have a part for each item, theirs one for all",
    holds: (comparison) =>
      comparison.differences.includes("body") &&
      bodyType(comparison).startsWith("multipart/") &&
      isRecord(comparison.input["body"]) &&
      Object.values(comparison.input["body"]).some(isCompound),
  },
];

function isObjectOfFields({ input, raw }: Comparison): boolean {
  const media = isRecord(raw.body?.["content"]) ? Object.values(raw.body["content"]) : [];
  const [first] = media;
  const schema = isRecord(first) ? first["schema"] : undefined;
  const isFile = isRecord(schema) && schema["format"] === "binary";
  const { body } = input;
  const isFileValue = isRecord(body) && ["text", "base64", "handle"].some((name) => name in body);
  return isRecord(body) && !isFile && !isFileValue;
}

/** Whether a text is also a JSON value. */
function isReadable(value: unknown): boolean {
  try {
    return typeof value === "string" && (value === "" || JSON.parse(value) !== value);
  } catch {
    return false;
  }
}

export function reasonFor(comparison: Comparison): string {
  return REASONS.find(({ holds }) => holds(comparison))?.text ?? UNEXPLAINED;
}
