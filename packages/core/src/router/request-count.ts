import { errorFromUnknown } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";

const countedElsewhere = new WeakSet<object>();
const spentBefore = new WeakMap<object, number>();
const MAX_CAUSES = 8;

/**
 * Marks a failure for which no request is counted here. If a request was sent, another call
 * counts it.
 */
export function uncounted(thrown: unknown, details: CallError["details"] = {}): CallError {
  const error = errorFromUnknown(thrown).with(details, { cause: thrown });
  countedElsewhere.add(error);
  return error;
}

/** Sets how many requests were sent in total before this failure, including lookups. */
export function afterRequests(thrown: unknown, requests: number): unknown {
  if (requestCount(errorFromUnknown(thrown)) === requests) return thrown;
  const error = uncounted(thrown);
  spentBefore.set(error, requests);
  return error;
}

/**
 * Whether the failed request is counted here. An error that wraps another one is treated like
 * its cause.
 */
export function isCounted(error: CallError): boolean {
  return !errorCauses(error).some((cause) => countedElsewhere.has(cause));
}

/** How many requests were sent for a failure: the failed one and those before it. */
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
