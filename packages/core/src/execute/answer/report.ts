import { agentErrorCode } from "../../envelope/index.ts";
import type { ResultEnvelope } from "../../envelope/index.ts";
import { resultOutcome } from "../../router/index.ts";
import type { TimelineEntry } from "../../router/index.ts";
import type { Call } from "../call/call.ts";
import { routeTaken } from "./answer.ts";
import { shownOptions } from "../options/call-request.ts";
import { shownParams } from "./hidden-inputs.ts";
import { notify } from "./observer.ts";
import type { CallRecord } from "./observer.ts";
import { getRateLimit, getRawBytes } from "./raw-size.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Settings } from "../settings.ts";
import { attemptOfUnavailable } from "../sources/source-slot.ts";

type Entries = readonly TimelineEntry[];

/** The timeline of an operation without routes, which has one entry. */
function ownEntries(call: Call): Entries {
  const { error } = call;
  const skipped = error && attemptOfUnavailable(error);
  if (skipped !== undefined) return [{ ...skipped, at_ms: 0 }];
  if (!call.isDispatched) return [];
  const duration_ms = Math.round(call.adapterElapsed * 1_000) / 1_000;
  const at_ms = Math.max(0, Math.round((call.elapsed - duration_ms) * 1_000) / 1_000);
  const entry = { route: routeTaken(call), at_ms, duration_ms };
  return error === undefined
    ? [{ ...entry, status: "success" }]
    : [{ ...entry, status: "error", error_code: agentErrorCode(error), reason: error.message }];
}

function getTimeline(call: Call, redactor: Redactor): Entries {
  const entries = call.timeline?.entries ?? [];
  return (entries.length === 0 ? ownEntries(call) : entries).map((entry) =>
    entry.reason === undefined ? entry : { ...entry, reason: redactor.text(entry.reason) },
  );
}

function getJournal(call: Call, envelope: ResultEnvelope): CallRecord["journal"] {
  const { spec, request, idempotencyKey } = call;
  if (spec === undefined || spec.effect === "read" || request.isDry === true) return undefined;
  return { outcome: resultOutcome(envelope), keyed: idempotencyKey !== undefined };
}

function recordKind({ request }: Call, { error }: ResultEnvelope): CallRecord["kind"] {
  const { byList, isStep, isDry } = request;
  const isListed = byList?.state === "collects" && isDry === true && error === null;
  if (isListed || error?.details?.["waits"] === true) return "waiting";
  return isStep === true ? "step" : "call";
}

function callRecord(
  { redactor }: Settings,
  call: Call,
  envelope: ResultEnvelope,
  duration_ms: number,
): CallRecord {
  const { spec } = call;
  return {
    request_id: call.requestId,
    parent_id: call.parentRequestId,
    kind: recordKind(call, envelope),
    capability_id: envelope.meta.capability_id,
    source: spec?.source,
    effect: spec?.effect,
    params: redactor.value(shownParams(spec, call.params)),
    options: redactor.value(shownOptions(call.request)) as CallRecord["options"],
    identity: call.identity,
    started_at: Date.now() - duration_ms,
    duration_ms,
    envelope,
    error: call.error && redactor.error(call.error),
    timeline: getTimeline(call, redactor),
    upstream_requests: call.routed?.upstreamRequests,
    raw_bytes: getRawBytes(call),
    rate_limit: getRateLimit(call),
    journal: getJournal(call, envelope),
  };
}

/** Reports a finished call to the observer, without secrets. */
export function report(settings: Settings, call: Call, envelope: ResultEnvelope): ResultEnvelope {
  const { observer } = settings;
  if (observer?.onCall === undefined) return envelope;
  const duration_ms = call.elapsed;
  notify(() => observer.onCall!(callRecord(settings, call, envelope, duration_ms)));
  return envelope;
}
