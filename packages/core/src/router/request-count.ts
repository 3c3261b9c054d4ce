import { errorFromUnknown } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";

const countedElsewhere = new WeakSet<object>();
const spentBefore = new WeakMap<object, number>();
const MAX_CAUSES = 8;

/** A failure for which this call itself sent nothing: the request, if any, counts for another. */
export function uncounted(thrown: unknown, details: CallError["details"] = {}): CallError {
  const error = errorFromUnknown(thrown).with(details, { cause: thrown });
  countedElsewhere.add(error);
  return error;
}

/** A failure for which so many requests were sent in all, lookups among them. */
export function afterRequests(thrown: unknown, requests: number): unknown {
  if (requestCount(errorFromUnknown(thrown)) === requests) return thrown;
  const error = uncounted(thrown);
  spentBefore.set(error, requests);
  return error;
}

/** Whether the request that failed so is to be counted; what was made of a failure counts as it. */
export function isCounted(error: CallError): boolean {
  return !errorCauses(error).some((cause) => countedElsewhere.has(cause));
}

/** How many requests were sent for a failure: the one that failed, and those before it. */
export function requestCount(error: CallError): number {
  const before = errorCauses(error).map((cause) => spentBefore.get(cause) ?? 0);
  return before.reduce((sum, requests) => sum + requests, isCounted(error) ? 1 : 0);
}

function errorCauses(error: Error): Error[] {
  const causes: Error[] = [];
  let cause: unknown = error;
  while (causes.length < MAX_CAUSES && cause instanceof Error) {
    causes.push(cause);
    ({ cause } = cause);
  }
  return causes;
}
