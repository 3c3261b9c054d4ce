import type { CallError } from "../../envelope/index.ts";

/** The failure of a call of which nothing was sent; who knows better has said so. */
export function notSent(error: CallError): CallError {
  if (error.details.outcome !== undefined || error.code === "OUTCOME_UNKNOWN") return error;
  return error.with({ outcome: "not_applied" });
}
