import { CallError } from "../../envelope/index.ts";

/** The failure of a call of which nothing was sent; who knows better has said so. */
export function notSent(error: CallError): CallError {
  if (error.details.outcome !== undefined || error.code === "OUTCOME_UNKNOWN") return error;
  const details = { ...error.details, outcome: "not_applied" } as const;
  return new CallError(error.code, error.message, details, { cause: error.cause ?? error });
}
