import type { ResultEnvelope } from "../envelope/index.ts";
import type { CallState } from "./call-state.ts";
import { notify } from "./observer.ts";
import type { Settings } from "./settings.ts";

/** Tells the observer of a call that has ended; secrets stay behind. */
export function report(
  settings: Settings,
  state: CallState,
  envelope: ResultEnvelope,
): ResultEnvelope {
  const { observer, redactor } = settings;
  if (observer?.onCall === undefined) return envelope;
  const duration_ms = state.elapsed;
  notify(() =>
    observer.onCall!({
      request_id: state.requestId,
      capability_id: envelope.meta.capability_id,
      params: redactor.value(state.params),
      identity: state.identity,
      started_at: Date.now() - duration_ms,
      duration_ms,
      envelope,
      error: state.error && redactor.error(state.error),
    }),
  );
  return envelope;
}
