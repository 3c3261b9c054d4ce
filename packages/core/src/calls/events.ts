import {
  ANY_OBJECT,
  STRING,
  ResponseEnvelopeSchema,
  closed,
  CALL_ERROR_CODES,
} from "../envelope/index.ts";
import type {
  CallErrorCode,
  CallErrorDetails,
  JsonSchema,
  JsonSchemaObject,
  ResponseEnvelope,
} from "../envelope/index.ts";
import type { CallMetadata } from "../operation/index.ts";

/** A caller asks for a call. */
export interface CallRequestedEvent extends Omit<CallMetadata, "account"> {
  /** The type of the event. */
  readonly type: "call.requested";
  /** The id that the answers refer to. */
  readonly requestId: string;
  /** The operation to call. */
  readonly operationId: string;
  /** The input of the call. */
  readonly input: unknown;
  /**
   * Set for a subscription: how many values may be sent before more are requested. Absent for a
   * call.
   */
  readonly window?: number;
}

/** An answer to a call, or one value of a subscription. */
export interface CallRespondedEvent {
  /** The type of the event. */
  readonly type: "call.responded";
  /** The request that is answered. */
  readonly requestId: string;
  /** The answer. */
  readonly output: ResponseEnvelope;
}

/** A call failed. */
export interface CallErrorEvent {
  /** The type of the event. */
  readonly type: "call.error";
  /** The request that failed. */
  readonly requestId: string;
  /** The step of the call at which it failed. */
  readonly code: CallErrorCode;
  /** The error message, one sentence. */
  readonly message: string;
  /** Facts about the failure. Absent if there are none. */
  readonly details?: CallErrorDetails;
}

/** A caller gave up its call. */
export interface CallAbortedEvent {
  /** The type of the event. */
  readonly type: "call.aborted";
  /** The request that is aborted. */
  readonly requestId: string;
  /** Why the caller gave up. Absent if no reason was given. */
  readonly reason?: string;
}

/** A call or a subscription has ended. */
export interface CallCompletedEvent {
  /** The type of the event. */
  readonly type: "call.completed";
  /** The request that has ended. */
  readonly requestId: string;
}

/** The events of the call protocol, by their type. */
export interface CallEventMap {
  /** A caller asks for a call. */
  "call.requested": CallRequestedEvent;
  /** An answer, or one value of a subscription. */
  "call.responded": CallRespondedEvent;
  /** The call failed. */
  "call.error": CallErrorEvent;
  /** The caller gave up. */
  "call.aborted": CallAbortedEvent;
  /** The call or subscription has ended. */
  "call.completed": CallCompletedEvent;
}

/** An event of the call protocol. */
export type CallEvent = CallEventMap[keyof CallEventMap];
/** The events that the serving side sends. */
export type AnswerEvent = CallRespondedEvent | CallErrorEvent | CallCompletedEvent;

function eventSchema(
  type: keyof CallEventMap,
  required: readonly string[],
  properties: Record<string, JsonSchema>,
): JsonSchemaObject {
  return closed(["type", "requestId", ...required], {
    type: { const: type },
    requestId: STRING,
    ...properties,
  });
}

const IDENTITY: JsonSchemaObject = closed(["id", "scopes"], {
  id: STRING,
  scopes: { type: "array", items: STRING },
  resources: { type: "object", additionalProperties: { type: "array", items: STRING } },
});

/** A schema for each event of the call protocol. */
export const CallEventSchema: Readonly<Record<keyof CallEventMap, JsonSchemaObject>> = {
  "call.requested": eventSchema("call.requested", ["operationId", "input"], {
    operationId: STRING,
    input: true,
    parentRequestId: STRING,
    identity: IDENTITY,
    deadline: { type: "integer" },
    idempotencyKey: STRING,
    trace: { type: "object", additionalProperties: STRING },
    window: { type: "integer", minimum: 1 },
  }),
  "call.responded": eventSchema("call.responded", ["output"], { output: ResponseEnvelopeSchema }),
  "call.error": eventSchema("call.error", ["code", "message"], {
    code: { enum: Object.keys(CALL_ERROR_CODES) },
    message: STRING,
    details: ANY_OBJECT,
  }),
  "call.aborted": eventSchema("call.aborted", [], { reason: STRING }),
  "call.completed": eventSchema("call.completed", [], {}),
};
