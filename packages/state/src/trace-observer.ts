import type { CallRecord, Observer } from "@waybill/core";
import type { TimelineEntry } from "@waybill/core/protocol";

/**
 * The part of an OpenTelemetry tracer that is used here, so that a program can use its own
 * version of OpenTelemetry.
 */
export interface SpanTracer<Span extends TracedSpan = TracedSpan, Context = never> {
  startSpan(
    name: string,
    options: { startTime: number; attributes: Record<string, string | number | boolean> },
    context?: Context,
  ): Span;
}

export interface TracedSpan {
  addEvent(name: string, attributes: Record<string, string | number>, time: number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(time: number): void;
}

/** OpenTelemetry's code for a failed span. */
const STATUS_ERROR = 2;

function getAttributes({
  envelope,
  request_id,
  parent_id,
}: CallRecord): Record<string, string | number> {
  const { route_used, reason, cost } = envelope.meta;
  return {
    "waybill.request_id": request_id,
    ...(parent_id !== undefined && { "waybill.parent_id": parent_id }),
    ...(route_used !== undefined && { "waybill.route": route_used }),
    ...(reason !== undefined && { "waybill.reason": reason }),
    ...(cost !== undefined && { "waybill.tokens_out": cost.tokens_out }),
    ...(!envelope.ok && { "error.type": envelope.error.code }),
  };
}

/** A wait before the next attempt is not an attempt, but it is part of the call's time. */
function entryKind({ status }: TimelineEntry): "attempt" | "wait" {
  return status === "wait" ? "wait" : "attempt";
}

function attemptAttributes(attempt: TimelineEntry): Record<string, string | number> {
  const { route, status, error_code, duration_ms } = attempt;
  return { route, status, duration_ms, ...(error_code !== undefined && { error_code }) };
}

/** Starts a span for each attempt and wait, below the span of its call. */
function startAttempts<Span extends TracedSpan, Context>(
  tracer: SpanTracer<Span, Context>,
  context: Context,
  { started_at, timeline }: CallRecord,
): void {
  for (const attempt of timeline) {
    const startTime = started_at + attempt.at_ms;
    const attributes = attemptAttributes(attempt);
    const name = `waybill ${entryKind(attempt)} ${attempt.route}`;
    const span = tracer.startSpan(name, { startTime, attributes }, context);
    if (attempt.status === "error") span.setStatus({ code: STATUS_ERROR });
    span.end(startTime + attempt.duration_ms);
  }
}

/** Adds an event for each attempt and wait, at the time when it ended. */
function addAttempts(span: TracedSpan, { started_at, timeline }: CallRecord): void {
  for (const attempt of timeline) {
    const { at_ms, duration_ms } = attempt;
    const time = started_at + at_ms + duration_ms;
    span.addEvent(`waybill.${entryKind(attempt)}`, attemptAttributes(attempt), time);
  }
}

/**
 * Creates one span for each call in an OpenTelemetry tracer. The span has the capability as its
 * name, and the route, reason and error code as attributes. Attempts and waits
 * are events, or child spans if `contextOf` is given. Params and data are not included.
 */
export function traceObserver<Span extends TracedSpan, Context = never>(
  tracer: SpanTracer<Span, Context>,
  contextOf?: (span: Span) => Context,
): Observer {
  return {
    onCall(record) {
      const { capability_id, started_at, duration_ms, envelope } = record;
      const span = tracer.startSpan(`waybill ${capability_id}`, {
        startTime: started_at,
        attributes: { "waybill.capability": capability_id, ...getAttributes(record) },
      });
      if (contextOf === undefined) addAttempts(span, record);
      else startAttempts(tracer, contextOf(span), record);
      if (!envelope.ok) span.setStatus({ code: STATUS_ERROR, message: envelope.error.message });
      span.end(started_at + duration_ms);
    },
  };
}
