import { errorFromUnknown, toResultError } from "../../envelope/index.ts";
import type { ResultEnvelope, ResultError } from "../../envelope/index.ts";

/** The result of a chain: one ResultEnvelope for each step, and a summary. */
export interface ChainResult {
  /** `success` if all steps succeeded, `partial` if some did, `failed` if none did. */
  readonly status: "success" | "partial" | "failed";
  /** One envelope per step, in the order of the steps. */
  readonly results: readonly ResultEnvelope[];
  /** Why nothing was run. Null if steps were run. */
  readonly error: ResultError | null;
  /** The id of the chain, and how many steps ended in which way. */
  readonly meta: {
    readonly request_id: string;
    readonly total: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly upstream_requests: number;
  };
}

/** Builds the result of a chain that was run. */
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

/** Builds the result of a chain that was not run. */
export function refusedChain(thrown: unknown, total: number, requestId: string): ChainResult {
  const error = errorFromUnknown(thrown);
  return {
    status: "failed",
    results: [],
    error: toResultError(error, { requestId, isWrite: false, isRepeatable: true }),
    meta: { request_id: requestId, total, succeeded: 0, failed: 0, upstream_requests: 0 },
  };
}
