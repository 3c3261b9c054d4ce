import { MIN_TOKENS, estimateTokens } from "@waybill/core/protocol";
import type { CallErrorDetails } from "@waybill/core";
import { RESERVE } from "../query/index.ts";

/** The parts of an error that may be shortened. */
export interface ErrorText {
  readonly message: string;
  readonly details: CallErrorDetails;
}

/** The fields with the kind of error and whether something was written. They are never removed. */
const TELLING: ReadonlySet<string> = new Set(["code", "outcome", "ambiguous"]);
const LETTERS = [160, 80, 40, 20];

function withLists(details: CallErrorDetails, most: number): CallErrorDetails {
  const members = Object.entries(details).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.slice(0, most) : value,
  ]);
  return Object.fromEntries(members) as CallErrorDetails;
}

/** Shorter and shorter versions of an error, down to its code and the start of its message. */
function* everShorter({ message, details }: ErrorText): Generator<ErrorText> {
  yield { message, details };
  for (const most of [5, 3, 1]) yield { message, details: withLists(details, most) };
  const { hint: _hint, ...others } = details;
  for (const most of [3, 1]) yield { message, details: withLists(others, most) };
  const kept = Object.entries(details).filter(([key]) => TELLING.has(key));
  const least = Object.fromEntries(kept) as CallErrorDetails;
  yield { message, details: least };
  for (const letters of LETTERS) {
    if (letters < message.length)
      yield { message: `${message.slice(0, letters)}…`, details: least };
  }
}

/**
 * Shortens an error to the token limit: first the similar names are removed, then the next step.
 */
export function fitError(
  error: ErrorText,
  maxTokens: number | undefined,
  frame: (error: ErrorText) => string,
): ErrorText {
  if (maxTokens === undefined) return error;
  const budget = Math.max(MIN_TOKENS, Math.floor(maxTokens)) - RESERVE;
  let shown = error;
  for (shown of everShorter(error)) if (estimateTokens(frame(shown)) <= budget) break;
  return shown;
}
