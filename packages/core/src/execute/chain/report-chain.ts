import { failureResult, isRecord, successResult } from "../../envelope/index.ts";
import type { ResultEnvelope } from "../../envelope/index.ts";
import { notify } from "../answer/observer.ts";
import type { Settings } from "../settings.ts";
import type { ChainRequest } from "./chain-request.ts";
import type { ChainResult } from "./chain-result.ts";

/** The name of a chain in a record. It cannot be an operation id, because ids have a dot. */
const CHAIN = "chain";

interface EndedChain {
  readonly chain: ChainResult;
  /** When the chain began, on the monotonic clock. */
  readonly began: number;
  readonly rawBytes: number | undefined;
}

function getEnvelope({ error, ...chain }: ChainResult): ResultEnvelope {
  const meta = { capability_id: CHAIN, request_id: chain.meta.request_id };
  return error === null ? successResult(chain, meta) : failureResult(error, meta);
}

/** Removes the approval token, because every reader of the record could use it. */
function withoutApproval(step: unknown): unknown {
  if (!isRecord(step)) return step;
  const { approve: _, ...others } = step;
  return others;
}

/** Reports a whole chain to the observer. Its steps were reported when they ended. */
export function reportChain(
  { observer, redactor }: Settings,
  { steps, identity }: ChainRequest,
  { chain, began, rawBytes }: EndedChain,
): void {
  if (observer?.onCall === undefined) return;
  const duration_ms = performance.now() - began;
  // If the steps are not a list, they were refused and are not recorded.
  const given: readonly unknown[] = Array.isArray(steps) ? steps : [];
  notify(() =>
    observer.onCall!({
      request_id: chain.meta.request_id,
      parent_id: undefined,
      kind: "chain",
      capability_id: CHAIN,
      source: undefined,
      effect: undefined,
      params: redactor.value({ steps: given.map(withoutApproval) }),
      options: {},
      identity,
      started_at: Date.now() - duration_ms,
      duration_ms,
      envelope: getEnvelope(chain),
      error: undefined,
      timeline: [],
      upstream_requests: chain.meta.upstream_requests,
      raw_bytes: rawBytes,
      rate_limit: undefined,
      journal: undefined,
    }),
  );
}
