import { CallError } from "@waybill/core";
import type { Identity } from "@waybill/core";
import type { CallRequestedEvent } from "@waybill/core/protocol";
import { fromHeader } from "../wire/header-text.ts";
import { parseRequestBody } from "../wire/json-body.ts";
import { HEADER, assertKnownVersion, readRequestInfo } from "../wire/request-headers.ts";
import type { HeaderTexts, RequestInfo } from "../wire/request-headers.ts";
import { newToken } from "../wire/token.ts";
import type { Wire } from "../wire/wire.ts";

/** The headers of a request. The input may still have to be fetched. */
export interface ReadRequest extends RequestInfo {
  readonly requestId: string;
  readonly operationId: string;
  readonly identity: Identity | undefined;
  /** The name of the stored body, if it is not in the message. */
  readonly bodyName: string;
}

const MAX_ID = 256;
/** The maximum number of values that are sent ahead to one requester, even if it allows more. */
const MAX_WINDOW = 1_024;

/** The id of a request, even if the rest of the request is invalid. A new id if there is none. */
export function getRequestId(headers: HeaderTexts): string {
  const value = headers.get(HEADER.requestId) ?? "";
  if (value === "" || value.length > MAX_ID) return newToken();
  try {
    return fromHeader(HEADER.requestId, value);
  } catch {
    return newToken();
  }
}

/** Reads and checks the headers of a request. Throws the error for the requester. */
export function readRequest(
  { identities }: Wire,
  headers: HeaderTexts,
  operationId: string | undefined,
  requestId: string,
): ReadRequest {
  assertKnownVersion(headers);
  const identity = identities.verify(headers.get(HEADER.identity) ?? "");
  const facts = readRequestInfo(headers);
  const { deadline } = facts;
  if (deadline !== undefined && deadline <= Date.now()) {
    const message =
      "The deadline passed before the request reached a worker; call again with a longer deadline";
    throw new CallError("TIMEOUT", message, { outcome: "not_applied" });
  }
  return {
    requestId,
    operationId: operationId ?? fromHeader(HEADER.operation, headers.get(HEADER.operation) ?? ""),
    identity,
    parentRequestId: facts.parentRequestId,
    deadline,
    idempotencyKey: facts.idempotencyKey,
    trace: facts.trace,
    window: facts.window,
    bodyName: headers.get(HEADER.body) ?? "",
  };
}

/**
 * The request with its input. Each member is written out, because that is faster and every call
 * needs it.
 */
export function getEvent(request: ReadRequest, body: Uint8Array): CallRequestedEvent {
  const { window } = request;
  const event: CallRequestedEvent = {
    type: "call.requested",
    requestId: request.requestId,
    operationId: request.operationId,
    input: body.length === 0 ? {} : parseRequestBody(body),
    parentRequestId: request.parentRequestId,
    identity: request.identity,
    deadline: request.deadline,
    idempotencyKey: request.idempotencyKey,
    trace: request.trace,
  };
  return window === undefined ? event : { ...event, window: Math.min(window, MAX_WINDOW) };
}
