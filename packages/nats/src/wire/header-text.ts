import { CallError } from "@waybill/core";

const PLAIN = /^[\w.~:/+=-]*$/;

/** Encodes text as a header value, which cannot contain line ends or non-ASCII characters. */
export function toHeader(name: string, text: string): string {
  if (PLAIN.test(text)) return text;
  try {
    return encodeURIComponent(text);
  } catch {
    const message = `${name} is not valid Unicode (half of a surrogate pair); correct its characters`;
    throw new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
  }
}

export function fromHeader(name: string, value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    const message = `The header ${name} is not percent-encoded text; write special characters as %20`;
    throw new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
  }
}
