import { fail } from "@waybill/core";
import type { Attempt } from "@waybill/core";
import type { CardRequest, CardRoute, RestRequest, RouteAnswer } from "@waybill/core/cards";
import { redactValues } from "./redact.ts";
import { restAnswer } from "./rest-answer.ts";
import { buildUrl } from "./url.ts";
import { createSender, routeHeaders, shownHeaders } from "./web-route.ts";
import type { WebRouteOptions } from "./web-route.ts";

export interface RestRouteOptions extends WebRouteOptions {
  /** The base URL of all paths. Optional for a socket. */
  readonly baseUrl?: string;
}

function restOnly(request: CardRequest): RestRequest {
  if (request.kind === "rest") return request;
  throw fail(
    "ADAPTER_UNSUPPORTED",
    `The REST route cannot send a ${request.kind} request; use another route`,
    {
      outcome: "not_applied",
    },
  );
}

/** Sends the requests of cards to a REST API, and returns JSON. */
class RestRoute implements CardRoute {
  readonly route = "rest";
  readonly needs = ["tokenPresent", "tokenHost", "host", "offline", "sourceDown"] as const;
  readonly #options: RestRouteOptions;
  readonly #baseUrl: string;
  readonly #send: ReturnType<typeof createSender>;

  constructor(options: RestRouteOptions) {
    if (options.baseUrl === undefined && options.socketPath === undefined) {
      throw new TypeError("A REST route needs a baseUrl or a socketPath");
    }
    this.#options = options;
    this.#send = createSender(options);
    this.#baseUrl = options.baseUrl ?? "http://localhost";
  }

  async send(request: CardRequest, attempt: Attempt): Promise<RouteAnswer> {
    const rest = restOnly(request);
    const url = buildUrl(this.#baseUrl, rest.path, rest.query);
    const body = rest.body === undefined ? undefined : JSON.stringify(rest.body);
    const headers = this.#headers(rest);
    const sent = { method: rest.method, url, headers, body };
    const response = await this.#send(sent, attempt);
    return restAnswer(response, headers["accept"] ?? "");
  }

  describe(request: CardRequest): object {
    const rest = restOnly(request);
    const { method, path, query, body } = rest;
    return {
      method,
      url: buildUrl(this.#baseUrl, path, redactValues(query)).href,
      headers: shownHeaders(this.#options, this.#headers(rest)),
      ...(body !== undefined && { body }),
    };
  }

  #headers({ body, headers }: RestRequest): Record<string, string> {
    return routeHeaders(this.#options, body !== undefined, headers);
  }
}

export function restRoute(options: RestRouteOptions): CardRoute {
  return new RestRoute(options);
}
