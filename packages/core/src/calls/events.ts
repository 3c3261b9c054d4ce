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
import type { CallFacts } from "../operation/index.ts";

/** A caller asks for a call. */
export interface CallRequestedEvent extends CallFacts {
  readonly type: "call.requested";
  readonly requestId: string;
  readonly operationId: string;
  readonly input: unknown;
  /** Given by who subscribes: how many values may be sent before more are asked for. */
  readonly window?: number;
}

/** An answer to a call, or one value of a subscription. */
export interface CallRespondedEvent {
  readonly type: "call.responded";
  readonly requestId: string;
  readonly output: ResponseEnvelope;
}

/** A call failed. */
export interface CallErrorEvent {
  readonly type: "call.error";
  readonly requestId: string;
  readonly code: CallErrorCode;
  readonly message: string;
  readonly details?: CallErrorDetails;
}

/** A caller gave up its call. */
export interface CallAbortedEvent {
  readonly type: "call.aborted";
  readonly requestId: string;
  readonly reason?: string;
}

/** A call or a subscription has ended. */
export interface CallCompletedEvent {
  readonly type: "call.completed";
  readonly requestId: string;
}

/** The events of the call protocol, by their type. */
export interface CallEventMap {
  "call.requested": CallRequestedEvent;
  "call.responded": CallRespondedEvent;
  "call.error": CallErrorEvent;
  "call.aborted": CallAbortedEvent;
  "call.completed": CallCompletedEvent;
}

/** An event of the call protocol. */
export type CallEvent = CallEventMap[keyof CallEventMap];
/** What the serving side sends back. */
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
