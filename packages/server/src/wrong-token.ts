import { fail } from "@waybill/core";
import type { CallErrorDetails } from "@waybill/core";

const wrongTokens = new WeakSet<object>();

/** A 401 of this server. */
export function wrongToken(message: string, details: CallErrorDetails = {}): Error {
  const error = fail("AUTH", message, details);
  wrongTokens.add(error);
  return error;
}

/** Not to be mistaken for an upstream that refuses the token which Waybill has for it. */
export function isWrongToken(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && wrongTokens.has(thrown);
}
