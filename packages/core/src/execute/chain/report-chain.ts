import { failureResult, isRecord, successResult } from "../../envelope/index.ts";
import type { ResultEnvelope } from "../../envelope/index.ts";
import { notify } from "../answer/observer.ts";
import type { Settings } from "../settings.ts";
import type { ChainRequest } from "./chain-request.ts";
import type { ChainResult } from "./chain-result.ts";

/** The name of a chain in a record. It is not an operation's id, because ids have a dot. */
const CHAIN = "chain";

interface EndedChain {
  readonly chain: ChainResult;
  /** When it began, by the clock that does not jump. */
  readonly began: number;
  readonly rawBytes: number | undefined;
}

function getEnvelope({ error, ...chain }: ChainResult): ResultEnvelope {
  const meta = { capability_id: CHAIN, request_id: chain.meta.request_id };
  return error === null ? successResult(chain, meta) : failureResult(error, meta);
}

/** An approval would let every reader of the record make the call. */
function withoutApproval(step: unknown): unknown {
  if (!isRecord(step)) return step;
  const { approve: _, ...others } = step;
  return others;
}

/** Tells the observer of a whole chain; its steps were told of as they ended. */
export function reportChain(
  { observer, redactor }: Settings,
  { steps, identity }: ChainRequest,
  { chain, began, rawBytes }: EndedChain,
): void {
  if (observer?.onCall === undefined) return;
  const duration_ms = performance.now() - began;
  // Steps that are not a list were refused and are not stored.
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
