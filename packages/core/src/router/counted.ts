import { CallError, errorFromUnknown } from "../envelope/index.ts";

const countedElsewhere = new WeakSet<object>();
const MAX_CAUSES = 8;

/** A failure for which this call itself sent nothing: the request, if any, counts for another. */
export function uncounted(
  thrown: unknown,
  details: CallError["details"] = errorFromUnknown(thrown).details,
): CallError {
  const { code, message } = errorFromUnknown(thrown);
  const error = new CallError(code, message, details, { cause: thrown });
  countedElsewhere.add(error);
  return error;
}

/** Whether the request that failed so is to be counted; what was made of a failure counts as it. */
export function isCounted(error: CallError): boolean {
  let cause: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    if (countedElsewhere.has(cause)) return false;
    ({ cause } = cause);
  }
  return true;
}
