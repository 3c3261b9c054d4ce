import { isRecord } from "../envelope/index.ts";
import type { ResultError } from "../envelope/index.ts";
import type { Cut } from "./cutter.ts";
import { fitTokens } from "./fit.ts";

interface CutError {
  readonly error: ResultError;
  readonly cuts: readonly Cut[];
}

/** Long enough to say what failed if there is room for nothing else. */
const SHORT_MESSAGE = 60;

/** Cuts an error. It keeps its code and the next step; long details are removed first. */
export function cutError(error: ResultError, tokens: number): CutError {
  const { data, cuts } = fitTokens(error, tokens);
  const { code, retryable } = error;
  if (!isRecord(data) || typeof data["message"] !== "string") {
    return { error: { code, message: error.message.slice(0, SHORT_MESSAGE), retryable }, cuts };
  }
  const details = isRecord(data["details"]) ? { details: data["details"] } : {};
  return { error: { code, message: data["message"], retryable, ...details }, cuts };
}
