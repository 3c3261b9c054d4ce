import { errorFromUnknown } from "../envelope/index.ts";
import { NOBODY } from "../operation/index.ts";
import { assertAccess } from "../registry/index.ts";
import type { CallOptions, Registry } from "../registry/index.ts";
import type { CallRequestedEvent } from "./events.ts";
import type { CallHandler, PendingRequestMap } from "./pending-request-map.ts";
import type { ServedCall } from "./served-call.ts";
import { subscribe } from "./subscribe.ts";

/** Options of buildCallHandler. */
export interface CallHandlerOptions {
  /** The operations to serve. */
  readonly registry: Registry;
  /** The map in which the requests arrive. */
  readonly callMap: PendingRequestMap;
}

function optionsFor(request: CallRequestedEvent, served: ServedCall | undefined): CallOptions {
  return {
    requestId: request.requestId,
    parentRequestId: request.parentRequestId,
    // A request without an identity gets an identity without rights, so that access rules apply
    // to its calls.
    identity: request.identity ?? NOBODY,
    deadline: request.deadline,
    idempotencyKey: request.idempotencyKey,
    trace: request.trace,
    parent: served,
  };
}

async function serveSubscription(
  { registry, callMap }: CallHandlerOptions,
  request: CallRequestedEvent,
  options: CallOptions,
  served: ServedCall | undefined,
): Promise<void> {
  const { requestId, operationId, input } = request;
  const values = subscribe(registry, operationId, input, options);
  try {
    for (;;) {
      await served?.takeCredit();
      const next = await values.next();
      if (next.done === true) break;
      callMap.respond(requestId, next.value);
    }
    callMap.complete(requestId);
  } finally {
    await values.return();
  }
}

function serveCall(
  { registry, callMap }: CallHandlerOptions,
  { requestId, operationId, input }: CallRequestedEvent,
  options: CallOptions,
): Promise<void> {
  const answered = registry.execute(operationId, input, options);
  return answered.then((output) => void callMap.respond(requestId, output));
}

function serveRequest(
  options: CallHandlerOptions,
  request: CallRequestedEvent,
  served: ServedCall | undefined,
): Promise<void> {
  const { spec } = options.registry.resolve(request.operationId);
  const callOptions = optionsFor(request, served);
  assertAccess(spec, callOptions);
  // A request without a window is a call, not a subscription. Calling a subscription fails with
  // a message that says how to subscribe.
  return spec.kind === "subscription" && request.window !== undefined
    ? serveSubscription(options, request, callOptions, served)
    : serveCall(options, request, callOptions);
}

/**
 * Serves requests from a registry. The handler of an operation returns a value; this function
 * publishes it. Unlike a call within the program, a request without an identity has no rights.
 *
 * @example
 * ```ts
 * import { buildCallHandler, defineOperation, OperationRegistry, PendingRequestMap } from "@waybill/core";
 *
 * const registry = new OperationRegistry();
 * registry.register(
 *   defineOperation({ id: "hello.say", description: "", effect: "read", handler: () => "Hello" }),
 * );
 * const callMap = new PendingRequestMap();
 * callMap.serve(buildCallHandler({ registry, callMap }));
 * console.log((await callMap.call("hello.say")).data);
 * ```
 *
 * ```text
 * Hello
 * ```
 */
export function buildCallHandler(options: CallHandlerOptions): CallHandler {
  return (request, served) => {
    const publishError = (thrown: unknown): void => {
      const { code, message, details } = errorFromUnknown(thrown);
      options.callMap.emitError(request.requestId, code, message, details);
    };
    try {
      return serveRequest(options, request, served).catch(publishError);
    } catch (thrown) {
      publishError(thrown);
      return Promise.resolve();
    }
  };
}
