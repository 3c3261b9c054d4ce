import type { CallSummary } from "@waybill/server";

/** The result of a step in a chain's envelope. */
export interface StepResult {
  readonly ok?: boolean;
  readonly error?: { readonly code?: string; readonly message?: string } | null;
  readonly meta?: { readonly capability_id?: string; readonly request_id?: string };
}

/**
 * The recorded call of each step; undefined for a step that was not sent. If the result of a read
 * has no request id, the first call of the same capability that belongs to no other step is used.
 */
export function matchSteps(
  results: readonly StepResult[],
  calls: readonly CallSummary[],
): readonly (CallSummary | undefined)[] {
  const named = new Set(results.map(({ meta }) => meta?.request_id));
  const left = calls
    .filter(({ request_id }) => !named.has(request_id))
    .toSorted((a, b) => a.started_at - b.started_at || a.seq - b.seq);
  return results.map(({ ok, meta }) => {
    const byId = calls.find(({ request_id }) => request_id === meta?.request_id);
    if (byId !== undefined || ok !== true) return byId;
    const at = left.findIndex((call) => call.ok && call.capability_id === meta?.capability_id);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
}
