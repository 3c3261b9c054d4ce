import { headers as newHeaders } from "@nats-io/transport-node";
import type { Msg, MsgHdrs } from "@nats-io/transport-node";
import { CallError, ERROR_CODES, agentErrorCode, fail, isResponseEnvelope } from "@waybill/core";
import { CALL_ERROR_CODES } from "@waybill/core/protocol";
import { isRecord, toJson } from "@waybill/core/schema";
import type { AnswerEvent, CallErrorEvent, CallRespondedEvent } from "@waybill/core/protocol";
import { answerLost } from "./failure.ts";
import { parseBody } from "./json-body.ts";
import { HEADER } from "./request-headers.ts";

/** The header with which the services protocol of NATS reports an error. */
const ERROR_CODE = "Nats-Service-Error-Code";
const ERROR_TEXT = "Nats-Service-Error";
const MAX_ERROR_TEXT = 200;

export interface Answer {
  readonly body: Uint8Array;
  readonly headers?: MsgHdrs | undefined;
}

function eventHeaders(name: "completed" | "alive"): MsgHdrs {
  const headers = newHeaders();
  headers.set(HEADER.event, name);
  return headers;
}

/** The message that only says that a request is still being served. */
export function aliveAnswer(): Answer {
  return { body: new Uint8Array(), headers: eventHeaders("alive") };
}

/**
 * Writes an envelope as JSON. Data that JSON cannot represent is removed and named in a warning.
 */
function envelopeBody({ output }: CallRespondedEvent): Uint8Array {
  const { value, warnings } = toJson(output.data);
  const { meta } = output;
  const told =
    warnings.length === 0 ? meta : { ...meta, warnings: [...(meta.warnings ?? []), ...warnings] };
  return Buffer.from(JSON.stringify({ data: value, meta: told }));
}

function safeDetails(details: CallErrorEvent["details"]): unknown {
  try {
    return toJson(details ?? {}).value;
  } catch {
    const { code, outcome } = details ?? {};
    return { code, outcome };
  }
}

function errorAnswer({ code, message, details }: CallErrorEvent): Answer {
  const headers = newHeaders();
  const { http } = ERROR_CODES[agentErrorCode(new CallError(code, message, details))];
  headers.set(ERROR_CODE, String(http));
  const line = message.slice(0, MAX_ERROR_TEXT).replaceAll(/[^ -~]+/g, " ");
  headers.set(ERROR_TEXT, line.trim() || code);
  const body = JSON.stringify({ code, message, details: safeDetails(details) });
  return { body: Buffer.from(body), headers };
}

/** The error for a call that was applied, but whose result is not JSON. */
function unspeakable({ requestId }: CallRespondedEvent, cause: unknown): CallErrorEvent {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `The call was made, but its answer cannot be written as JSON: ${why}`;
  const details = { code: "UNKNOWN", outcome: "applied" } as const;
  return { type: "call.error", requestId, code: "EXECUTION_ERROR", message, details };
}

/** Writes an event of the serving side as a message. */
export function writeAnswer(event: AnswerEvent): Answer {
  if (event.type === "call.error") return errorAnswer(event);
  if (event.type === "call.completed") {
    return { body: new Uint8Array(), headers: eventHeaders("completed") };
  }
  try {
    return { body: envelopeBody(event) };
  } catch (cause) {
    return errorAnswer(unspeakable(event, cause));
  }
}

export function errorEvent(requestId: string, error: CallError): CallErrorEvent {
  const { code, message, details } = error;
  return { type: "call.error", requestId, code, message, details };
}

function isCallErrorCode(value: unknown): value is CallError["code"] {
  return typeof value === "string" && Object.hasOwn(CALL_ERROR_CODES, value);
}

/** Reads an error in Waybill's format, or of a service that does not use it. */
function readError(requestId: string, headers: MsgHdrs, body: Uint8Array): CallErrorEvent {
  const said = body.length === 0 ? undefined : parseBody(body);
  if (isRecord(said) && isCallErrorCode(said["code"]) && typeof said["message"] === "string") {
    const details = isRecord(said["details"]) ? said["details"] : {};
    const { code, message } = said as { code: CallError["code"]; message: string };
    return { type: "call.error", requestId, code, message, details };
  }
  const text = headers.get(ERROR_TEXT) || "The service reported an error without a message";
  return errorEvent(requestId, fail("SERVER", text, { outcome: "unknown" }));
}

/**
 * Marks the error as final. The request is not sent again, because it would get the same answer.
 */
function unreadable(message: string): CallError {
  return answerLost(message).with({ final: true });
}

/** The kind of an answer, from its headers only. */
export function answerKind({ headers, data }: Msg): "nobody" | "alive" | "answer" {
  if (headers === undefined) return "answer";
  if (headers.code === 503 && data.length === 0) return "nobody";
  return headers.get(HEADER.event) === "alive" ? "alive" : "answer";
}

/** Reads the event in a message. An unreadable message is treated as a lost answer. */
export function readAnswer(
  requestId: string,
  headers: MsgHdrs | undefined,
  body: Uint8Array,
): AnswerEvent {
  try {
    if (headers?.get(HEADER.event) === "completed") return { type: "call.completed", requestId };
    if (headers?.has(ERROR_CODE) === true) return readError(requestId, headers, body);
    const output = parseBody(body);
    if (isResponseEnvelope(output)) return { type: "call.responded", requestId, output };
    return errorEvent(
      requestId,
      unreadable(
        "The answer is not a ResponseEnvelope; check that a Waybill worker serves this subject",
      ),
    );
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return errorEvent(requestId, unreadable(`The answer cannot be read. ${why}`));
  }
}
