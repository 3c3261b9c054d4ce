import type { CallError } from "../../envelope/index.ts";

/**
 * Adds the outcome to the error of a call that sent nothing. An outcome that is already set is
 * kept.
 */
export function notSent(error: CallError): CallError {
  if (error.details.outcome !== undefined || error.code === "OUTCOME_UNKNOWN") return error;
  return error.with({ outcome: "not_applied" });
}
