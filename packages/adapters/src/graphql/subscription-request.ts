import type { OperationContext, Redactor, ResponseEnvelope } from "@waybill/core";
import { routeHeaders } from "../http/index.ts";
import type { HttpRequest, HttpStream } from "../http/index.ts";
import { answerFrom, readBody } from "./graphql-answer.ts";
import type { GraphqlRouteOptions } from "./graphql-route.ts";
import { requestBody } from "./persisted-documents.ts";
import type { Persisted } from "./persisted-documents.ts";
import { pickRootField } from "./root-field.ts";
import type { GraphqlOperation, OwnRequest } from "./source/graphql-operation.ts";

/** A subscription of one caller, with everything that is needed to open it. */
export interface Subscribing {
  readonly operation: GraphqlOperation;
  readonly redactor: Redactor;
  readonly options: GraphqlRouteOptions;
  readonly input: unknown;
  readonly context: OperationContext;
}

/**
 * Reads one execution result from an event, a message, or the response of a server that refuses.
 */
export function readResult(
  operation: GraphqlOperation,
  { status, headers }: Pick<HttpStream, "status" | "headers">,
  body: Uint8Array,
): ResponseEnvelope {
  const own = { ...headers, "content-type": "application/json" };
  const response = { status, headers: own, body, url: "", requests: 0, reusedSocket: false };
  return pickRootField(operation, answerFrom(readBody(response), response, 0)).response;
}

/**
 * Always sends the document besides its hash. An endpoint that does not know the hash cannot ask
 * for the document on a stream.
 */
function subscribeBody(asked: OwnRequest, persisted: Persisted | undefined): object {
  const body = requestBody(asked, persisted);
  return persisted === "apollo" ? { query: asked.document, ...body } : body;
}

export function subscriptionRequest(
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
