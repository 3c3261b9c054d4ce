import { fail, isRecord } from "../envelope/index.ts";

/** JSON with sorted keys, so that equal values give equal strings. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}

/** The input from a program may not be JSON: it may have a BigInt or contain itself. */
function canonicalInput(value: unknown): string {
  try {
    return canonical(value);
  } catch (cause) {
    const message = "The input of a call with an idempotency key or an approval must be JSON";
    throw fail("VALIDATION", message, { outcome: "not_applied" }, { cause });
  }
}

/** A short digest of a JSON value. Equal values have equal digests, in any order of keys. */
export async function inputDigest(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalInput(value));
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
