import { errorCodeOf } from "../envelope/index.ts";
import type { Outcome, ResultEnvelope } from "../envelope/index.ts";
import type { TimelineEntry } from "../router/index.ts";
import type { CallState } from "./call-state.ts";
import { shownParams } from "./hidden-inputs.ts";
import { notify } from "./observer.ts";
import type { CallRecord } from "./observer.ts";
import { rateLimitOf, rawBytesOf } from "./raw-facts.ts";
import type { Redactor } from "./redaction/index.ts";
import type { Settings } from "./settings.ts";
import { attemptOfUnavailable } from "./source-slot.ts";

type Entries = readonly TimelineEntry[];

/** What has no routes spent its time in one place. */
function ownEntries(state: CallState): Entries {
  const { error } = state;
  const skipped = error && attemptOfUnavailable(error);
  if (skipped !== undefined) return [{ ...skipped, at_ms: 0 }];
  if (!state.isDispatched) return [];
  const duration_ms = Math.round(state.adapterElapsed * 1_000) / 1_000;
  const at_ms = Math.max(0, Math.round((state.elapsed - duration_ms) * 1_000) / 1_000);
  const entry = { route: state.route, at_ms, duration_ms };
  return error === undefined
    ? [{ ...entry, status: "success" }]
    : [{ ...entry, status: "error", error_code: errorCodeOf(error), reason: error.message }];
}

function timelineOf(state: CallState, redactor: Redactor): Entries {
  const entries = state.timeline?.entries ?? [];
  return (entries.length === 0 ? ownEntries(state) : entries).map((entry) =>
    entry.reason === undefined ? entry : { ...entry, reason: redactor.text(entry.reason) },
  );
}

function outcomeIn(envelope: ResultEnvelope): Outcome {
  if (envelope.ok) return "applied";
  const outcome = envelope.error.details?.["outcome"];
  return outcome === "applied" || outcome === "not_applied" ? outcome : "unknown";
}

function journalOf(state: CallState, envelope: ResultEnvelope): CallRecord["journal"] {
  const { spec, options } = state;
  if (spec === undefined || spec.effect === "read" || options.dry_run === true) return undefined;
  return { outcome: outcomeIn(envelope), keyed: options.idempotency_key !== undefined };
}

/** Neither what is of this one time (a key, an approval, a signal) nor what only tells more. */
const KEPT = ["route", "select", "query", "include", "page", "max_tokens", "dry_run"] as const;

function keptOptions({ options }: CallState): CallRecord["options"] {
  const given = KEPT.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]]));
}

function recordOf(
  { redactor }: Settings,
  state: CallState,
  envelope: ResultEnvelope,
  duration_ms: number,
): CallRecord {
  const { spec, watched } = state;
  return {
    request_id: state.requestId,
    parent_id: watched?.parentId,
    kind: watched?.kind ?? "call",
    capability_id: envelope.meta.capability_id,
    source: spec?.source,
    effect: spec?.effect,
    params: redactor.value(shownParams(spec, state.params)),
    options: redactor.value(keptOptions(state)) as CallRecord["options"],
    identity: state.identity,
    started_at: Date.now() - duration_ms,
    duration_ms,
    envelope,
    error: state.error && redactor.error(state.error),
    timeline: timelineOf(state, redactor),
    upstream_requests: state.routed?.upstreamRequests,
    raw_bytes: rawBytesOf(state),
    rate_limit: rateLimitOf(state),
    journal: journalOf(state, envelope),
  };
}

/** Tells the observer of a call that has ended; secrets stay behind. */
export function report(
  settings: Settings,
  state: CallState,
  envelope: ResultEnvelope,
): ResultEnvelope {
  const { observer } = settings;
  if (observer?.onCall === undefined) return envelope;
  const duration_ms = state.elapsed;
  notify(() => observer.onCall!(recordOf(settings, state, envelope, duration_ms)));
  return envelope;
}
