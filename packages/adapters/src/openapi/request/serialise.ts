import { fail } from "@waybill/core";
import { isRecord, unmarkText, unquoteDigits } from "@waybill/core/schema";
import type { CallError } from "@waybill/core";
import type { Parameter, Serialisation } from "../operation/parameters.ts";

/**
 * Reserved characters that may stay unencoded. They do not include characters that would end a
 * URL or a query.
 */
const RESERVED = /%(?:3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2B|2C|3B|3D)/gu;
const MAX_NESTING = 32;

export function invalidValue(key: string, message: string): CallError {
  const path = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const issues = [{ path, message }];
  return fail("VALIDATION", `${key} ${message}`, { issues, outcome: "not_applied" });
}

/** Writes a value as JSON. Integers that a number cannot hold keep all digits. */
export function jsonText(value: unknown): string {
  return unquoteDigits(JSON.stringify(value));
}

/** Writes a value as text. Objects and lists become JSON. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return unmarkText(value);
  return typeof value === "object" && value !== null ? jsonText(value) : String(value);
}

function encode(key: string, value: unknown, allowReserved: boolean): string {
  try {
    const encoded = encodeURIComponent(valueText(value));
    return allowReserved ? encoded.replaceAll(RESERVED, decodeURIComponent) : encoded;
  } catch {
    throw invalidValue(key, "is not valid Unicode; correct its characters");
  }
}

/** Refuses characters that would end a cookie, because cookies have no encoding (RFC 6265). */
function cookieText(key: string, value: unknown): string {
  const text = valueText(value);
  if (/^[!#-+\--:<-[\]-~]*$/u.test(text)) return text;
  throw invalidValue(key, "has characters that cookies do not allow; encode or remove them");
}

function present(value: unknown): [string, unknown][] {
  return Object.entries(value as Record<string, unknown>).filter(
    ([, inner]) => inner !== undefined && inner !== null,
  );
}

/** Converts a value to text. The function that the caller passes does the encoding. */
type Write = (value: unknown) => string;

function flat(value: unknown, write: Write): string[] {
  if (Array.isArray(value)) return value.map(write);
  return present(value).flatMap(([name, inner]) => [write(name), write(inner)]);
}

function pairs(value: unknown, write: Write, separator: string): string {
  return present(value)
    .map(([name, inner]) => `${write(name)}=${write(inner)}`)
    .join(separator);
}

function isCompound(value: unknown): value is unknown[] | Record<string, unknown> {
  return Array.isArray(value) || isRecord(value);
}

function simple(value: unknown, explode: boolean, write: Write): string {
  if (!isCompound(value)) return write(value);
  return explode && isRecord(value) ? pairs(value, write, ",") : flat(value, write).join(",");
}

function label(value: unknown, explode: boolean, write: Write): string {
  if (!isCompound(value)) return `.${write(value)}`;
  if (explode && isRecord(value)) return `.${pairs(value, write, ".")}`;
  return `.${flat(value, write).join(explode ? "." : ",")}`;
}

function matrix(name: string, value: unknown, explode: boolean, write: Write): string {
  const key = write(name);
  if (!isCompound(value)) return `;${key}=${write(value)}`;
  if (!explode) return `;${key}=${flat(value, write).join(",")}`;
  return isRecord(value)
    ? `;${pairs(value, write, ";")}`
    : value.map((item) => `;${key}=${write(item)}`).join("");
}

/** The text of a path or header parameter. */
export function serialiseSimple(parameter: Parameter, value: unknown, isEncoded: boolean): string {
  const { name, style, explode } = parameter;
  // Reserved characters may stay unencoded only in a query. In a path they would change the path.
  const write: Write = (each) => (isEncoded ? encode(name, each, false) : valueText(each));
  if (parameter.mediaType !== undefined) return write(contentText(parameter.mediaType, value));
  if (style === "label") return label(value, explode, write);
  if (style === "matrix") return matrix(name, value, explode, write);
  return simple(value, explode, write);
}

/** Writes a `content` parameter in its media type. Text is written without quotes. */
export function contentText(mediaType: string, value: unknown): string {
  const isJson = /json/iu.test(mediaType) && typeof value !== "string";
  return isJson ? jsonText(value) : valueText(value);
}

const DELIMITERS: Readonly<Record<string, string>> = {
  form: ",",
  simple: ",",
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
  tabDelimited: "%09",
};

/**
 * Writes `a[b][c]=1`. The specification does not define lists. Most servers that understand
 * brackets accept `a[]=1`, with numbers if the items are objects.
 */
function deep(key: string, value: unknown, write: Write, depth = 0): string[] {
  if (!isCompound(value) || depth > MAX_NESTING) return [`${key}=${write(value)}`];
  if (isRecord(value)) {
    return present(value).flatMap(([name, inner]) =>
      deep(`${key}%5B${write(name)}%5D`, inner, write, depth + 1),
    );
  }
  const isFlat = value.every((item) => !isCompound(item));
  return value.flatMap((item, index) =>
    deep(`${key}%5B${isFlat ? "" : index}%5D`, item, write, depth + 1),
  );
}

/** The `name=value` pairs of one query parameter or form field, encoded. */
export function serialiseForm(
  name: string,
  value: unknown,
  { style, explode, allowReserved }: Serialisation,
): string[] {
  const isCookie = style === "cookie";
  const key = isCookie ? cookieText(name, name) : encode(name, name, false);
  const write: Write = (each) =>
    isCookie ? cookieText(name, each) : encode(name, each, allowReserved);
  if (style === "deepObject") return deep(key, value, write);
  if (!isCompound(value)) return [`${key}=${write(value)}`];
  if (explode) {
    return isRecord(value)
      ? present(value).map(([member, inner]) => `${write(member)}=${write(inner)}`)
      : value.map((item) => `${key}=${write(item)}`);
  }
  const delimiter = DELIMITERS[style] ?? ",";
  const items = flat(value, write);
  return items.length === 0 ? [] : [`${key}=${items.join(delimiter)}`];
}
