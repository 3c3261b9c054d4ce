import { fail } from "@waybill/core";
import type { CallErrorDetails } from "@waybill/core";

const wrongTokens = new WeakSet<object>();

/** A 401 error of this server. */
export function wrongToken(message: string, details: CallErrorDetails = {}): Error {
  const error = fail("AUTH", message, details);
  wrongTokens.add(error);
  return error;
}

export function unknownToken(): Error {
  return wrongToken("The bearer token is unknown", {
    hint: "Pass a token that this server is configured with",
  });
}

/** Marks the error, to distinguish it from an upstream that refuses Waybill's own token. */
export function isWrongToken(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && wrongTokens.has(thrown);
}
