import { headers as newHeaders } from "@nats-io/transport-node";
import type { MsgHdrs } from "@nats-io/transport-node";
import { CallError, isRecord } from "@waybill/core";
import type { CallRequestedEvent } from "@waybill/core";
import { fromHeader, toHeader } from "./header-text.ts";

/** The names of everything that travels beside a body. */
export const HEADER = {
  requestId: "Waybill-Request",
  parent: "Waybill-Parent",
  /** Absolute, in milliseconds since 1970, by the requester's clock. */
  deadline: "Waybill-Deadline",
  /** What is left of it, for clocks that differ. */
  timeLeft: "Waybill-Time-Left",
  key: "Waybill-Key",
  trace: "Waybill-Trace",
  window: "Waybill-Window",
  identity: "Waybill-Identity",
  /** Where a body is that is too large for a message. */
  body: "Waybill-Body",
  /** The operation, where the subject does not name it. */
  operation: "Waybill-Operation",
  /** What an answer is that has no envelope: `completed` or `alive`. */
  event: "Waybill-Event",
} as const;

const MAX_HEADER_TEXT = 16_384;
/** How late a message may come by clocks that agree. */
const AGREEMENT_MS = 2_000;

type Facts = Omit<CallRequestedEvent, "type" | "operationId" | "input" | "identity">;

function put(headers: MsgHdrs, name: string, text: string): void {
  const value = toHeader(name, text);
  if (value.length > MAX_HEADER_TEXT) {
    const message = `${name} is longer than the ${MAX_HEADER_TEXT} characters a header may have`;
    throw new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
  }
  headers.set(name, value);
}

/** What travels beside the input of a request. */
export function requestHeaders(event: Facts, token: string | undefined): MsgHdrs {
  const { requestId, parentRequestId, deadline, idempotencyKey, trace, window } = event;
  const headers = newHeaders();
  put(headers, HEADER.requestId, requestId);
  if (parentRequestId !== undefined) put(headers, HEADER.parent, parentRequestId);
  if (deadline !== undefined) {
    headers.set(HEADER.deadline, String(deadline));
    headers.set(HEADER.timeLeft, String(deadline - Date.now()));
  }
  if (idempotencyKey !== undefined) put(headers, HEADER.key, idempotencyKey);
  if (trace !== undefined) put(headers, HEADER.trace, JSON.stringify(trace));
  if (window !== undefined) headers.set(HEADER.window, String(window));
  if (token !== undefined) headers.set(HEADER.identity, token);
  return headers;
}

function malformed(name: string, wanted: string): CallError {
  const message = `The header ${name} must be ${wanted}`;
  return new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
}

function textOf(headers: MsgHdrs, name: string): string | undefined {
  const value = headers.get(name);
  if (value.length > MAX_HEADER_TEXT) throw malformed(name, `at most ${MAX_HEADER_TEXT} long`);
  return value === "" ? undefined : fromHeader(name, value);
}

function wholeNumber(headers: MsgHdrs, name: string): number | undefined {
  const value = headers.get(name);
  if (value === "") return undefined;
  if (!/^-?\d{1,15}$/.test(value)) throw malformed(name, "a whole number");
  return Number(value);
}

function traceOf(headers: MsgHdrs): Record<string, string> | undefined {
  const text = textOf(headers, HEADER.trace);
  if (text === undefined) return undefined;
  let trace: unknown;
  try {
    trace = JSON.parse(text);
  } catch {
    throw malformed(HEADER.trace, "JSON");
  }
  const isTrace = isRecord(trace) && Object.values(trace).every((each) => typeof each === "string");
  if (!isTrace) throw malformed(HEADER.trace, "an object of texts");
  return trace as Record<string, string>;
}

/**
 * When a request must have ended by our clock. What was left counts, for the requester's clock may
 * be another; where the two clocks agree, the time that the message took counts as well.
 */
function deadlineOf(headers: MsgHdrs): number | undefined {
  const absolute = wholeNumber(headers, HEADER.deadline);
  const left = wholeNumber(headers, HEADER.timeLeft);
  if (left === undefined) return absolute;
  const estimate = Date.now() + left;
  const isAgreed =
    absolute !== undefined && absolute <= estimate && absolute >= estimate - AGREEMENT_MS;
  return isAgreed ? absolute : estimate;
}

/** Reads them back. Throws a CallError that names the header which says nothing. */
export function readFacts(headers: MsgHdrs): Partial<Facts> {
  const requestId = textOf(headers, HEADER.requestId);
  const window = wholeNumber(headers, HEADER.window);
  return {
    ...(requestId !== undefined && { requestId }),
    parentRequestId: textOf(headers, HEADER.parent),
    deadline: deadlineOf(headers),
    idempotencyKey: textOf(headers, HEADER.key),
    trace: traceOf(headers),
    ...(window !== undefined && { window }),
  };
}
