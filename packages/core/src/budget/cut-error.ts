import { isRecord } from "../envelope/index.ts";
import type { ResultError } from "../envelope/index.ts";
import type { Cut } from "./cutter.ts";
import { fitTokens } from "./fit.ts";

interface CutError {
  readonly error: ResultError;
  readonly cuts: readonly Cut[];
}

/** The shortest message: long enough to say what failed. */
const SHORT_MESSAGE = 60;

/** Cuts an error. Its code and the next step are kept, and long details are removed first. */
export function cutError(error: ResultError, tokens: number): CutError {
  const { data, cuts } = fitTokens(error, tokens);
  const { code, retryable } = error;
  if (!isRecord(data) || typeof data["message"] !== "string") {
    return { error: { code, message: error.message.slice(0, SHORT_MESSAGE), retryable }, cuts };
  }
  const details = isRecord(data["details"]) ? { details: data["details"] } : {};
  return { error: { code, message: data["message"], retryable, ...details }, cuts };
}
