import { errorFromUnknown } from "@waybill/core";
import type { CallError, Redactor, ResponseEnvelope, SubscriptionHandler } from "@waybill/core";
import { signWithToken } from "../http/index.ts";
import type { GraphqlRouteOptions } from "./graphql-route.ts";
import type { GraphqlOperation } from "./source/graphql-operation.ts";
import { overEvents } from "./subscription-events.ts";
import { readResult, subscriptionRequest } from "./subscription-request.ts";
import type { Subscribing } from "./subscription-request.ts";

type Results = AsyncGenerator<ResponseEnvelope, void, undefined>;

/** A message of a WebSocket has no status and no headers. */
const MESSAGE = { status: 200, headers: {} } as const;
const HINT = "If its subscriptions have another address, set it with --subscriptions-url";
/**
 * Statuses of servers that have no subscriptions over HTTP. Some servers say so in a response
 * with status 200.
 */
const WITHOUT_EVENTS: ReadonlySet<unknown> = new Set([200, 400, 404, 405, 406, 415, 426, 501]);

async function* overSocket(asked: Subscribing, url: string): Results {
  const { operation, redactor, options, input } = asked;
  const { signal } = asked.context;
  const { socketResults } = await import("./subscription-socket.ts");
  const unsigned = subscriptionRequest(options, operation, input);
  const { request, secrets } = await signWithToken(options, unsigned);
  redactor.learn(secrets);
  const { accept: _accept, "content-type": _type, ...headers } = { ...request.headers };
  const payload = JSON.parse(String(unsigned.body)) as object;
  const { allowPrivate = true } = options;
  try {
    for await (const result of socketResults({ url, headers, payload, allowPrivate }, signal)) {
      yield redactor.data(readResult(operation, MESSAGE, Buffer.from(JSON.stringify(result))));
    }
  } catch (thrown) {
    throw redactor.error(errorFromUnknown(thrown));
  }
}

/**
 * Tries a WebSocket at the same address. If it cannot be opened, the refusal over HTTP is the
 * error.
 */
async function* insteadOfEvents(asked: Subscribing, url: string, refusal: CallError): Results {
  try {
    yield* overSocket(asked, url);
  } catch (thrown) {
    const isMissing = errorFromUnknown(thrown).details["phase"] === "connecting";
    throw isMissing ? refusal.with({ hint: HINT, ...refusal.details }) : thrown;
  }
}

async function* subscribe(asked: Subscribing): Results {
  const { url, subscriptionsUrl } = asked.options;
  if (subscriptionsUrl !== undefined) {
    yield* overSocket(asked, subscriptionsUrl);
    return;
  }
  let isOpen = false;
  try {
    for await (const value of overEvents(asked)) {
      isOpen = true;
      yield value;
    }
  } catch (thrown) {
    const refusal = errorFromUnknown(thrown);
    if (isOpen || !WITHOUT_EVENTS.has(refusal.details.status)) throw refusal;
    yield* insteadOfEvents(asked, url, refusal);
  }
}

/**
 * Creates the subscription of an endpoint. It uses server-sent events, or a WebSocket if the
 * endpoint has no server-sent events. Each result is a value.
 */
export function graphqlSubscription(
  operation: GraphqlOperation,
  redactor: Redactor,
  options: GraphqlRouteOptions,
): SubscriptionHandler {
  return (input, context) => subscribe({ operation, redactor, options, input, context });
}
