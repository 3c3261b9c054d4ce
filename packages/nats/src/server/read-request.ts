import { headers as newHeaders } from "@nats-io/transport-node";
import type { Msg } from "@nats-io/transport-node";
import { CallError } from "@waybill/core";
import type { CallRequestedEvent } from "@waybill/core";
import { fromHeader } from "../wire/header-text.ts";
import { parseBody } from "../wire/json-body.ts";
import { HEADER, readFacts } from "../wire/request-headers.ts";
import { newToken } from "../wire/token.ts";
import type { Wire } from "../wire/wire.ts";

const NO_HEADERS = newHeaders();

/** A request but for its input, which may still have to be fetched. */
export interface ReadRequest {
  readonly event: Omit<CallRequestedEvent, "input">;
  /** Where the body is, when it is not in the message. */
  readonly bodyName: string;
}

const MAX_ID = 256;

/** The id that a request is spoken of by, whatever else is wrong with it. */
export function requestIdOf({ headers }: Msg): string {
  const value = headers?.get(HEADER.requestId) ?? "";
  if (value === "" || value.length > MAX_ID) return newToken();
  try {
    return fromHeader(HEADER.requestId, value);
  } catch {
    return newToken();
  }
}

/** Reads and checks what stands beside the body. Throws what the requester is to be told. */
export function readRequest(
  { identities }: Wire,
  { headers = NO_HEADERS }: Msg,
  operationId: string | undefined,
  requestId: string,
): ReadRequest {
  const identity = identities.verify(headers.get(HEADER.identity));
  const facts = readFacts(headers);
  const { deadline } = facts;
  if (deadline !== undefined && deadline <= Date.now()) {
    const message = "The deadline passed before the request reached a worker";
    throw new CallError("TIMEOUT", message, { outcome: "not_applied" });
  }
  const named = fromHeader(HEADER.operation, headers.get(HEADER.operation));
  const event = { ...facts, type: "call.requested", identity, requestId } as const;
  return {
    event: { ...event, operationId: operationId ?? named },
    bodyName: headers.get(HEADER.body),
  };
}

export function inputOf(body: Uint8Array): unknown {
  return body.length === 0 ? {} : parseBody(body);
}
