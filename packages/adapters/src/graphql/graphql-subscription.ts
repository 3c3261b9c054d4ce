// GraphQL subscriptions over server-sent events: the response to a POST is a stream of events.
import { fail } from "@waybill/core";
import type {
  OperationContext,
  Redactor,
  ResponseEnvelope,
  SubscriptionHandler,
} from "@waybill/core";
import { EventParser, routeHeaders, signWithToken, streamSigned } from "../http/index.ts";
import type { HttpRequest, HttpStream } from "../http/index.ts";
import { answerFrom, readBody } from "./graphql-answer.ts";
import type { GraphqlRouteOptions } from "./graphql-route.ts";
import { requestBody } from "./persisted.ts";
import type { Persisted } from "./persisted.ts";
import { pickRootField } from "./root-field.ts";
import type { GraphqlOperation, OwnRequest } from "./source/graphql-operation.ts";

const MAX_ANSWER = 1_000_000;

/**
 * Reads one execution result, from an event or from the whole response of a server that refuses.
 */
function readResult(
  operation: GraphqlOperation,
  { status, headers }: HttpStream,
  body: Uint8Array,
): ResponseEnvelope {
  const own = { ...headers, "content-type": "application/json" };
  const response = { status, headers: own, body, url: "", requests: 0, reusedSocket: false };
  return pickRootField(operation, answerFrom(readBody(response), response, 0)).response;
}

async function readWhole({ chunks }: HttpStream): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_ANSWER) throw fail("TOO_LARGE", `The answer is larger than ${MAX_ANSWER} bytes`);
    pieces.push(chunk);
  }
  return Buffer.concat(pieces);
}

/** `next` has a result, and `complete` ends. Other events only keep the connection open. */
async function* resultsIn(
  operation: GraphqlOperation,
  stream: HttpStream,
): AsyncGenerator<ResponseEnvelope> {
  if (!/^text\/event-stream\b/iu.test(stream.headers["content-type"] ?? "")) {
    yield readResult(operation, stream, await readWhole(stream));
    return;
  }
  const parser = new EventParser();
  for await (const chunk of stream.chunks) {
    for (const { event, data } of parser.push(chunk)) {
      if (event === "complete") return;
      const isResult = (event === "next" || event === "message") && data !== "";
      if (isResult) yield readResult(operation, stream, Buffer.from(data));
    }
  }
}

/** A stream is opened once, so an endpoint with persisted documents gets the document as well. */
function subscribeBody(asked: OwnRequest, persisted: Persisted | undefined): object {
  const body = requestBody(asked, persisted);
  return persisted === "apollo" ? { query: asked.document, ...body } : body;
}

function subscriptionRequest(
  options: GraphqlRouteOptions,
  operation: GraphqlOperation,
  input: unknown,
): HttpRequest & { readonly headers: Readonly<Record<string, string>> } {
  const params = input as Readonly<Record<string, unknown>>;
  return {
    method: "POST",
    url: new URL(options.url),
    headers: routeHeaders(options, true),
    body: JSON.stringify(subscribeBody(operation.request(params), options.persisted)),
  };
}

async function* subscribe(
  operation: GraphqlOperation,
  redactor: Redactor,
  options: GraphqlRouteOptions,
  input: unknown,
  { signal, deadline }: OperationContext,
): AsyncGenerator<ResponseEnvelope, void, undefined> {
  const signed = await signWithToken(options, subscriptionRequest(options, operation, input));
  const attempt = {
    effect: "read",
    isRepeatable: false,
    signal,
    deadline,
    beforeSend: () => Promise.resolve(),
  } as const;
  const kit = { transport: options.transport, redactor };
  yield* streamSigned(signed, attempt, kit, (stream) => resultsIn(operation, stream));
}

/** Creates the subscription of an endpoint. Each result is a value. */
export function graphqlSubscription(
  operation: GraphqlOperation,
  redactor: Redactor,
  options: GraphqlRouteOptions,
): SubscriptionHandler {
  return (input, context) => subscribe(operation, redactor, options, input, context);
}
