import type { AttemptView, CallDetail, CallSummary } from "@waybill/server";

/** Nanoseconds since the epoch, as OTLP's JSON needs them. */
function nanos(ms: number): string {
  return `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;
}

/** An id with this many hex digits, always the same for the same text. */
function hexId(text: string, digits: number): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0").repeat(2).slice(0, digits);
}

function attribute(key: string, value: string): object {
  return { key, value: { stringValue: value } };
}

interface SpanParts {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly name: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly ok: boolean;
  readonly attributes: readonly object[];
}

function span(traceId: string, parts: SpanParts): object {
  const { parent, startedAt, durationMs } = parts;
  return {
    traceId,
    spanId: hexId(parts.id, 16),
    ...(parent !== undefined && { parentSpanId: hexId(parent, 16) }),
    name: parts.name,
    kind: 1,
    startTimeUnixNano: nanos(startedAt),
    endTimeUnixNano: nanos(startedAt + durationMs),
    attributes: parts.attributes,
    status: { code: parts.ok ? 1 : 2 },
  };
}

function callParts(call: CallSummary): SpanParts {
  return {
    id: call.request_id,
    parent: call.parent_id,
    name: call.capability_id,
    startedAt: call.started_at,
    durationMs: call.duration_ms,
    ok: call.ok,
    attributes: [
      attribute("waybill.kind", call.kind),
      ...(call.error_code === undefined ? [] : [attribute("error.type", call.error_code)]),
    ],
  };
}

function attemptParts(call: CallDetail, attempt: AttemptView, index: number): SpanParts {
  return {
    id: `${call.request_id}/${index}`,
    parent: call.request_id,
    name: `${attempt.route} ${attempt.status}`,
    startedAt: call.started_at + attempt.at_ms,
    durationMs: attempt.duration_ms,
    ok: attempt.status !== "error",
    attributes: [attribute("waybill.route", attempt.route)],
  };
}

/** A call with its attempts and related calls as OpenTelemetry JSON (OTLP). */
export function traceText(call: CallDetail): string {
  const outermost = call.ancestors[0] ?? call;
  const traceId = hexId(outermost.request_id, 32);
  const parts = [
    ...[...call.ancestors, call, ...call.children].map(callParts),
    ...call.timeline.map((attempt, index) => attemptParts(call, attempt, index)),
  ];
  const scope = { name: "waybill" };
  const spans = parts.map((each) => span(traceId, each));
  const resource = { attributes: [attribute("service.name", "waybill")] };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] }, null, 2);
}
