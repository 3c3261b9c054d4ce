import type { ResultEnvelope } from "../../envelope/index.ts";
import { isRecord } from "../../envelope/index.ts";
import { nextRequestId } from "../../registry/index.ts";
import type { ReplayedCall } from "../../router/index.ts";
import { shownParams } from "../answer/hidden-inputs.ts";
import { notify } from "../answer/observer.ts";
import type { CallRecord } from "../answer/observer.ts";
import type { Settings } from "../settings.ts";
import type { ProgramRun } from "./program-run.ts";

type Run = Pick<ProgramRun, "id" | "requestId" | "identity">;

/** The record of a call that sent nothing. */
function blankRecord(
  { identity }: Run,
  facts: Pick<CallRecord, "kind" | "capability_id" | "params" | "envelope">,
): CallRecord {
  return {
    ...facts,
    request_id: nextRequestId(),
    parent_id: undefined,
    source: undefined,
    effect: undefined,
    options: {},
    identity,
    started_at: Date.now(),
    duration_ms: 0,
    error: undefined,
    timeline: [],
    upstream_requests: undefined,
    raw_bytes: undefined,
    rate_limit: undefined,
    journal: undefined,
  };
}

function readJournal({ error }: ResultEnvelope): CallRecord["journal"] {
  const outcome = isRecord(error?.details) ? error.details["outcome"] : undefined;
  return outcome === "applied" || outcome === "not_applied" || outcome === "unknown"
    ? { outcome, keyed: true }
    : undefined;
}

/** Reports a finished program to the observer. Its calls were reported when they ended. */
export function reportProgram(
  { observer, redactor }: Settings,
  run: Run,
  { params, result, began }: { params: unknown; result: ResultEnvelope; began: number },
): void {
  if (observer?.onCall === undefined) return;
  const duration_ms = performance.now() - began;
  notify(() =>
    observer.onCall!({
      ...blankRecord(run, {
        kind: "code",
        capability_id: run.id,
        params: redactor.value(params),
        envelope: redactor.value(result) as ResultEnvelope,
      }),
      request_id: run.requestId,
      started_at: Date.now() - duration_ms,
      duration_ms,
      journal: readJournal(result),
    }),
  );
}

/** Reports calls to the observer that were answered from the log of a run. */
export function reportReplayed(
  { observer, redactor, registry }: Settings,
  run: Run,
  calls: readonly ReplayedCall[],
): void {
  if (observer?.onCall === undefined) return;
  for (const { id, input, result } of calls) {
    const spec = registry.getSpec(id);
    notify(() =>
      observer.onCall!({
        ...blankRecord(run, {
          kind: "replayed",
          capability_id: id,
          params: redactor.value(shownParams(spec, input)),
          envelope: redactor.value(result) as ResultEnvelope,
        }),
        parent_id: run.requestId,
        source: spec?.source,
        effect: spec?.effect,
      }),
    );
  }
}
