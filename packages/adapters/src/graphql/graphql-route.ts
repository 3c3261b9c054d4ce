import { errorFromUnknown, fail } from "@waybill/core";
import { graphqlStatusFailure } from "@waybill/core/cards";
import { isRecord } from "@waybill/core/schema";
import type { Attempt } from "@waybill/core";
import type { CardRequest, CardRoute, GraphqlRequest, RouteAnswer } from "@waybill/core/cards";
import { alreadyNoted, createSender, routeHeaders, shownHeaders } from "../http/index.ts";
import type { AllowPrivate, HttpResponse, WebRouteOptions } from "../http/index.ts";
import { canMerge, mergeDocuments } from "./documents-merge.ts";
import { answerFrom, failureFrom, lostWith, readBody } from "./graphql-answer.ts";
import { requestBody, sendHashFirst } from "./persisted-documents.ts";
import type { Asked, Persisted } from "./persisted-documents.ts";

export interface GraphqlRouteOptions extends WebRouteOptions {
  readonly url: string;
  /** How many items one document may request. More are split over several documents. */
  readonly maxNodes?: number;
  /** How stored documents are named in requests (default: each request contains its document). */
  readonly persisted?: Persisted | undefined;
  /**
   * The WebSocket URL for subscriptions (default: server-sent events at the URL, or a WebSocket
   * there if the endpoint has no server-sent events).
   */
  readonly subscriptionsUrl?: string | undefined;
  /** Private addresses that its WebSocket may reach (default: true). */
  readonly allowPrivate?: AllowPrivate | undefined;
}

function graphqlOnly(request: CardRequest): GraphqlRequest {
  if (request.kind === "graphql") return request;
  throw fail(
    "ADAPTER_UNSUPPORTED",
    `The GraphQL route cannot send a ${request.kind} request; use another route`,
    {
      outcome: "not_applied",
    },
  );
}

/** Sends the requests of cards to a GraphQL endpoint, one document at a time or several as one. */
class GraphqlRoute implements CardRoute {
  readonly route = "graphql";
  readonly needs = ["tokenPresent", "tokenHost", "host", "offline", "sourceDown"] as const;
  readonly #options: GraphqlRouteOptions;
  readonly #send: ReturnType<typeof createSender>;

  constructor(options: GraphqlRouteOptions) {
    this.#options = options;
    this.#send = createSender(options);
  }

  async send(request: CardRequest, attempt: Attempt): Promise<RouteAnswer> {
    const response = await this.#post(graphqlOnly(request), attempt);
    return answerFrom(readBody(response), response, response.requests);
  }

  async sendTogether(
    requests: readonly CardRequest[],
    attempt: Attempt,
  ): Promise<readonly (RouteAnswer | Error)[]> {
    const steps = requests.map(graphqlOnly).map(({ prepared, variables }) => ({
      document: prepared!,
      variables,
    }));
    const merged = mergeDocuments(steps);
    const response = await this.#post(merged, attempt);
    const body = readBody(response);
    const { steps: answers, errors } = merged.split(body.data, body.errors);
    if (isRecord(body.data)) {
      // An error that belongs to no step is reported with each step, because each step was run.
      return answers.map((answer, index) =>
        this.#part({ ...answer, errors: [...answer.errors, ...errors] }, response, index),
      );
    }
    if (errors.length > 0) throw failureFrom(errors, body.data !== undefined, response);
    // A null that is not allowed has removed all data. The other writes may still have been
    // applied.
    if (steps[0]?.document.kind === "query") throw failureFrom(body.errors, true, response);
    return answers.map((answer) =>
      answer.errors.length > 0
        ? failureFrom(answer.errors, true, response)
        : lostWith(body.errors, response),
    );
  }

  canSendTogether(requests: readonly CardRequest[]): boolean {
    const steps = requests.flatMap((request) =>
      request.kind === "graphql" && request.prepared !== undefined
        ? [{ document: request.prepared, variables: request.variables }]
        : [],
    );
    return steps.length === requests.length && canMerge(steps, this.#options.maxNodes);
  }

  describe(request: CardRequest): object {
    return {
      method: "POST",
      url: this.#options.url,
      headers: shownHeaders(this.#options, routeHeaders(this.#options, true)),
      body: requestBody(graphqlOnly(request), this.#options.persisted),
    };
  }

  /** One part of a merged answer. The request is counted once, with the first part. */
  #part(
    answer: Parameters<typeof answerFrom>[0],
    response: HttpResponse,
    index: number,
  ): RouteAnswer | Error {
    try {
      return answerFrom(answer, response, index === 0 ? response.requests : 0);
    } catch (thrown) {
      return errorFromUnknown(thrown);
    }
  }

  #post(asked: Asked, attempt: Attempt): Promise<HttpResponse> {
    const { persisted } = this.#options;
    if (persisted !== "apollo") return this.#postBody(requestBody(asked, persisted), attempt);
    return sendHashFirst(asked, (body, isSecond) =>
      this.#postBody(body, isSecond ? { ...attempt, beforeSend: alreadyNoted } : attempt),
    );
  }

  #postBody(body: object, attempt: Attempt): Promise<HttpResponse> {
    const request = {
      method: "POST",
      url: new URL(this.#options.url),
      headers: routeHeaders(this.#options, true),
      body: JSON.stringify(body),
      // A response that was cut may contain an error, so unlike in REST, status 200 alone proves
      // nothing.
      cutOutcome: "unknown",
      failureOf: graphqlStatusFailure,
    } as const;
    return this.#send(request, attempt);
  }
}

export function graphqlRoute(options: GraphqlRouteOptions): CardRoute {
  return new GraphqlRoute(options);
}
