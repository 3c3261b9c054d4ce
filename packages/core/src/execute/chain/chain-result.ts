import { errorFromUnknown, toResultError } from "../../envelope/index.ts";
import type { ResultEnvelope, ResultError } from "../../envelope/index.ts";

/** The result of a chain: one ResultEnvelope for each step, and a summary. */
export interface ChainResult {
  /** Whether all steps succeeded, some, or none. */
  readonly status: "success" | "partial" | "failed";
  /** One envelope a step, in the order of the steps. */
  readonly results: readonly ResultEnvelope[];
  /** Why nothing was run at all. */
  readonly error: ResultError | null;
  /** The id of the chain and the number of steps by their end. */
  readonly meta: {
    readonly request_id: string;
    readonly total: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly upstream_requests: number;
  };
}

/** The results of a chain that was run. */
export function chainSummary(
  results: readonly ResultEnvelope[],
  requestId: string,
  upstreamRequests: number,
): ChainResult {
  const succeeded = results.filter(({ ok }) => ok).length;
  const failedCount = results.length - succeeded;
  return {
    status: failedCount === 0 ? "success" : succeeded === 0 ? "failed" : "partial",
    results,
    error: null,
    meta: {
      request_id: requestId,
      total: results.length,
      succeeded,
      failed: failedCount,
      upstream_requests: upstreamRequests,
    },
  };
}

/** A chain that was not run at all. */
export function refusedChain(thrown: unknown, total: number, requestId: string): ChainResult {
  const error = errorFromUnknown(thrown);
  return {
    status: "failed",
    results: [],
    error: toResultError(error, { requestId, isWrite: false, isRepeatable: true }),
    meta: { request_id: requestId, total, succeeded: 0, failed: 0, upstream_requests: 0 },
  };
}
