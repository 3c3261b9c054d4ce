import { MsgHdrsImpl } from "@nats-io/transport-node";
import type { MsgHdrs } from "@nats-io/transport-node";
import { CallError } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { CallRequestedEvent } from "@waybill/core/protocol";
import { fromHeader, toHeader } from "./header-text.ts";

/** The names of all headers. */
export const HEADER = {
  /**
   * The version of the call protocol. Requests of other NATS clients do not have it, which means
   * 1.
   */
  version: "Waybill-Version",
  requestId: "Waybill-Request",
  parent: "Waybill-Parent",
  /**
   * The deadline on the requester's clock, in milliseconds since the epoch, and the time left,
   * because clocks may differ.
   */
  deadline: "Waybill-Deadline",
  key: "Waybill-Key",
  trace: "Waybill-Trace",
  window: "Waybill-Window",
  identity: "Waybill-Identity",
  /** The name of a stored body, if the body is too large for a message. */
  body: "Waybill-Body",
  /** The operation id, if the subject does not name it. */
  operation: "Waybill-Operation",
  /** The kind of an answer without an envelope: `completed` or `alive`. */
  event: "Waybill-Event",
} as const;

/** The newest version of the call protocol that this Waybill supports. */
export const PROTOCOL_VERSION = 1;
const VERSION_VALUES = [String(PROTOCOL_VERSION)];

const MAX_HEADER_TEXT = 16_384;
/** If a message seems to have travelled for longer than this, the two clocks count as different. */
const AGREEMENT_MS = 2_000;

type Facts = Omit<CallRequestedEvent, "type" | "operationId" | "input" | "identity">;

/** The data in the headers of a request. */
export type RequestInfo = {
  readonly [Name in Exclude<keyof Facts, "requestId" | "readsOnly">]: Facts[Name] | undefined;
};

function textHeader(name: string, text: string): string[] {
  const value = toHeader(name, text);
  if (value.length > MAX_HEADER_TEXT) {
    const message = `${name} has more than the ${MAX_HEADER_TEXT} characters that a header may have; shorten it`;
    throw new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
  }
  return [value];
}

/**
 * Writes the headers of a request. They are created from a record, because setting headers one
 * by one checks each name again, which took a tenth of a call's time.
 */
export function requestHeaders(event: Facts, token: string | undefined): MsgHdrs {
  const { requestId, parentRequestId, deadline, idempotencyKey, trace, window } = event;
  const record: Record<string, string[]> = {
    [HEADER.version]: VERSION_VALUES,
    [HEADER.requestId]: textHeader(HEADER.requestId, requestId),
  };
  if (parentRequestId !== undefined) {
    record[HEADER.parent] = textHeader(HEADER.parent, parentRequestId);
  }
  if (deadline !== undefined) {
    record[HEADER.deadline] = [`${deadline} ${deadline - Date.now()}`];
  }
  if (idempotencyKey !== undefined) record[HEADER.key] = textHeader(HEADER.key, idempotencyKey);
  if (trace !== undefined) record[HEADER.trace] = textHeader(HEADER.trace, JSON.stringify(trace));
  if (window !== undefined) record[HEADER.window] = [String(window)];
  if (token !== undefined) record[HEADER.identity] = [token];
  return MsgHdrsImpl.fromRecord(record);
}

/**
 * The first value of each header, by name. The client's own lookup creates a list for every
 * name.
 */
export type HeaderTexts = ReadonlyMap<string, string>;

const NO_TEXTS: HeaderTexts = new Map();

export function headerTexts(headers: MsgHdrs | undefined): HeaderTexts {
  if (headers === undefined) return NO_TEXTS;
  const texts = new Map<string, string>();
  for (const [name, [first = ""]] of headers) if (!texts.has(name)) texts.set(name, first);
  return texts;
}

function malformed(name: string, wanted: string): CallError {
  const message = `The header ${name} must be ${wanted}`;
  return new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
}

function headerText(headers: HeaderTexts, name: string): string | undefined {
  const value = headers.get(name) ?? "";
  if (value.length > MAX_HEADER_TEXT)
    throw malformed(name, `at most ${MAX_HEADER_TEXT} characters long`);
  return value === "" ? undefined : fromHeader(name, value);
}

function wholeNumber(headers: HeaderTexts, name: string): number | undefined {
  const value = headers.get(name);
  if (value === undefined || value === "") return undefined;
  if (!/^-?\d{1,15}$/.test(value)) throw malformed(name, "a whole number");
  return Number(value);
}

function findTrace(headers: HeaderTexts): Record<string, string> | undefined {
  const text = headerText(headers, HEADER.trace);
  if (text === undefined) return undefined;
  let trace: unknown;
  try {
    trace = JSON.parse(text);
  } catch {
    throw malformed(HEADER.trace, "JSON");
  }
  const isTrace = isRecord(trace) && Object.values(trace).every((each) => typeof each === "string");
  if (!isTrace) throw malformed(HEADER.trace, "an object of strings");
  return trace as Record<string, string>;
}

/**
 * The deadline of a request on this machine's clock. The time left is used, because the
 * requester's clock may differ. If both clocks agree, the travel time of the message is
 * subtracted too.
 */
function findDeadline(headers: HeaderTexts): number | undefined {
  const value = headers.get(HEADER.deadline);
  if (value === undefined || value === "") return undefined;
  const [, moment, left] = /^(\d{1,15})(?: (-?\d{1,15}))?$/.exec(value) ?? [];
  if (moment === undefined) throw malformed(HEADER.deadline, "two whole numbers");
  const absolute = Number(moment);
  if (left === undefined) return absolute;
  const estimate = Date.now() + Number(left);
  const isAgreed = absolute <= estimate && absolute >= estimate - AGREEMENT_MS;
  return isAgreed ? absolute : estimate;
}

/** Refuses a newer protocol version, because its headers may have another meaning. */
export function assertKnownVersion(headers: HeaderTexts): void {
  const version = wholeNumber(headers, HEADER.version) ?? PROTOCOL_VERSION;
  if (version <= PROTOCOL_VERSION) return;
  const known = `this worker speaks version ${PROTOCOL_VERSION}`;
  const message = `The request has version ${version} of the call protocol, but ${known}. Update the worker`;
  throw new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
}

/** Reads the headers. Throws a CallError that names an invalid header. */
export function readRequestInfo(headers: HeaderTexts): RequestInfo {
  return {
    parentRequestId: headerText(headers, HEADER.parent),
    deadline: findDeadline(headers),
    idempotencyKey: headerText(headers, HEADER.key),
    trace: findTrace(headers),
    window: wholeNumber(headers, HEADER.window),
  };
}
