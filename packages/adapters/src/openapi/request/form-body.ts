import { isRecord } from "@waybill/core/schema";
import { getSerialisation } from "../operation/parameters.ts";
import { jsonText, serialiseForm, valueText } from "./serialise.ts";

type Encoding = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const STYLE_KEYWORDS = ["style", "explode", "allowReserved"];
const AS_FORM = { style: "form", explode: true, allowReserved: false } as const;

function isNested(value: unknown): boolean {
  return (
    isRecord(value) || (Array.isArray(value) && value.some((item) => typeof item === "object"))
  );
}

/** A field that is an object is sent as JSON, except if the description gives it a style. */
function fieldPairs(name: string, value: unknown, encoding: Encoding): string[] {
  const given = Object.hasOwn(encoding, name) ? encoding[name]! : {};
  if (STYLE_KEYWORDS.some((keyword) => keyword in given)) {
    return serialiseForm(name, value, getSerialisation({ ...given }, "query"));
  }
  const mediaType = given["contentType"];
  const isText = typeof mediaType === "string" && /json/iu.test(mediaType);
  return isText || isNested(value)
    ? serialiseForm(name, jsonText(value), AS_FORM)
    : serialiseForm(name, value, AS_FORM);
}

/**
 * Encodes an object as `application/x-www-form-urlencoded`. List items are numbered. A string is
 * treated as an encoded form.
 */
export function formBody(value: unknown, encoding: Encoding): string {
  if (typeof value !== "object" || value === null) return valueText(value);
  return Object.entries(value)
    .filter(([, field]) => field !== undefined && field !== null)
    .flatMap(([name, field]) => fieldPairs(name, field, encoding))
    .join("&");
}
