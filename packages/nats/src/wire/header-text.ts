import { CallError } from "@waybill/core";

const PLAIN = /^[\w.~:/+=-]*$/;

/** Any text as the value of a header, which cannot hold line ends or what is not ASCII. */
export function toHeader(name: string, text: string): string {
  if (PLAIN.test(text)) return text;
  try {
    return encodeURIComponent(text);
  } catch {
    const message = `${name} contains half a surrogate pair, which headers do not allow`;
    throw new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
  }
}

export function fromHeader(name: string, value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    const message = `The header ${name} is not percent-encoded text`;
    throw new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
  }
}
