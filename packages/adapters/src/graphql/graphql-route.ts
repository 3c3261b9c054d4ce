import { errorFromUnknown, fail, graphqlStatusFailure, isRecord } from "@waybill/core";
import type { Attempt, CardRequest, CardRoute, GraphqlRequest, RouteAnswer } from "@waybill/core";
import { redactValues, readToken, sendRepeatable, withoutSecret } from "../http/index.ts";
import type { HttpResponse, HttpTransport, TokenSource } from "../http/index.ts";
import { canMerge, mergeDocuments } from "./documents-merge.ts";
import { answerFrom, failureFrom, lostWith, readBody } from "./graphql-answer.ts";

export interface GraphqlRouteOptions {
  readonly url: string;
  /** A Unix socket to connect to in place of the host. */
  readonly socketPath?: string;
  /** Sent as a bearer token to the host of `url` and to no other. */
  readonly token?: TokenSource;
  readonly headers?: Readonly<Record<string, string>>;
  readonly transport: HttpTransport;
  readonly userAgent: string;
}

type Body = Pick<GraphqlRequest, "operationName" | "document" | "variables">;

function graphqlOnly(request: CardRequest): GraphqlRequest {
  if (request.kind === "graphql") return request;
  throw fail("ADAPTER_UNSUPPORTED", `The GraphQL route cannot send a ${request.kind} request`, {
    outcome: "not_applied",
  });
}

/** Sends what cards ask of a GraphQL endpoint, one document at a time or several as one. */
class GraphqlRoute implements CardRoute {
  readonly route = "graphql";
  readonly needs = ["tokenPresent", "tokenHost", "host", "offline", "sourceDown"] as const;
  readonly #options: GraphqlRouteOptions;

  constructor(options: GraphqlRouteOptions) {
    this.#options = options;
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
      // An error that belongs to no step is told with each: what came back was run all the same.
      return answers.map((answer, index) =>
        this.#part({ ...answer, errors: [...answer.errors, ...errors] }, response, index),
      );
    }
    if (errors.length > 0) throw failureFrom(errors, body.data !== undefined, response);
    // A part that may not be null was, so all data is gone: of writes, the others may have been done.
    if (steps[0]?.document.kind === "query") throw failureFrom(body.errors, true, response);
    return answers.map((answer) =>
      answer.errors.length > 0
        ? failureFrom(answer.errors, true, response)
        : lostWith(body.errors, response),
    );
  }

  canSendTogether(requests: readonly CardRequest[]): boolean {
    const documents = requests.map((request) =>
      request.kind === "graphql" ? request.prepared : undefined,
    );
    return documents.every((document) => document !== undefined) && canMerge(documents);
  }

  describe(request: CardRequest): object {
    const { operationName, document, variables } = graphqlOnly(request);
    const token = this.#options.token === undefined ? undefined : "hidden";
    return {
      method: "POST",
      url: this.#options.url,
      headers: Object.fromEntries(redactValues(Object.entries(this.#headers(token)))),
      body: { operationName, query: document, variables },
    };
  }

  /** The round trip is counted once, with the first part. */
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

  #headers(token: string | undefined): Record<string, string> {
    return {
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": this.#options.userAgent,
      ...this.#options.headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
  }

  async #post(body: Body, attempt: Attempt): Promise<HttpResponse> {
    const token = await readToken(this.#options.token);
    const { operationName, document: query, variables } = body;
    const request = {
      method: "POST",
      url: new URL(this.#options.url),
      socketPath: this.#options.socketPath,
      headers: this.#headers(token),
      body: JSON.stringify({ operationName, query, variables }),
      // A cut answer may hold an error, so unlike REST a 200 alone proves nothing.
      cutOutcome: "unknown",
      failureOf: graphqlStatusFailure,
    } as const;
    try {
      return await sendRepeatable(this.#options.transport, request, attempt);
    } catch (error) {
      throw withoutSecret(error, token);
    }
  }
}

export function graphqlRoute(options: GraphqlRouteOptions): CardRoute {
  return new GraphqlRoute(options);
}
