export { buildCallHandler } from "./call-handler.ts";
export type { CallHandlerOptions } from "./call-handler.ts";
export { CallEventSchema } from "./events.ts";
export type {
  AnswerEvent,
  CallAbortedEvent,
  CallCompletedEvent,
  CallErrorEvent,
  CallEvent,
  CallEventMap,
  CallRequestedEvent,
  CallRespondedEvent,
} from "./events.ts";
export { inProcessTransport } from "./in-process-transport.ts";
export { PendingRequestMap } from "./pending-request-map.ts";
export type { CallHandler, PendingRequestMapOptions } from "./pending-request-map.ts";
export type { SubscribeOptions } from "./pending-subscription.ts";
export { RequestTable } from "./request-table.ts";
export { subscribe, subscribeWith } from "./subscribe.ts";
export type { AcceptCall, AnswerListener, CallTransport, Exchange } from "./transport.ts";
