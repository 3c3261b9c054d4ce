import { fail } from "@waybill/core";
import type { Attempt, CardRequest, CardRoute, RestRequest, RouteAnswer } from "@waybill/core";
import { redactValues, withoutSecret } from "./redact.ts";
import { restAnswer } from "./rest-answer.ts";
import { sendRepeatable } from "./send-repeatable.ts";
import { readToken } from "./token.ts";
import type { Token, TokenSource } from "./token.ts";
import type { HttpTransport } from "./transport.ts";
import { buildUrl } from "./url.ts";

export interface RestRouteOptions {
  /** Where paths hang below; may be left out for a socket. */
  readonly baseUrl?: string;
  /** A Unix socket to connect to in place of the host. */
  readonly socketPath?: string;
  /** Sent as a bearer token to the host of `baseUrl` and to no other. */
  readonly token?: TokenSource;
  readonly headers?: Readonly<Record<string, string>>;
  readonly transport: HttpTransport;
  readonly userAgent: string;
}

type Headers = Record<string, string>;

function restOnly(request: CardRequest): RestRequest {
  if (request.kind === "rest") return request;
  throw fail("ADAPTER_UNSUPPORTED", `The REST route cannot send a ${request.kind} request`, {
    outcome: "not_applied",
  });
}

/** Sends what cards ask of a REST API, and gives back JSON. */
class RestRoute implements CardRoute {
  readonly route = "rest";
  readonly needs = ["tokenPresent", "tokenHost", "host", "offline", "sourceDown"] as const;
  readonly #options: RestRouteOptions;
  readonly #baseUrl: string;

  constructor(options: RestRouteOptions) {
    if (options.baseUrl === undefined && options.socketPath === undefined) {
      throw new TypeError("A REST route needs a baseUrl or a socketPath");
    }
    this.#options = options;
    this.#baseUrl = options.baseUrl ?? "http://localhost";
  }

  async send(request: CardRequest, attempt: Attempt): Promise<RouteAnswer> {
    const rest = restOnly(request);
    const url = buildUrl(this.#baseUrl, rest.path, rest.query);
    const token = await readToken(this.#options.token);
    const headers = this.#headersFor(rest, token);
    const { transport, socketPath } = this.#options;
    const body = rest.body === undefined ? undefined : JSON.stringify(rest.body);
    const sent = { method: rest.method, url, socketPath, headers, body };
    try {
      const response = await sendRepeatable(transport, sent, attempt);
      return restAnswer(response, headers["accept"] ?? "");
    } catch (error) {
      throw withoutSecret(error, token);
    }
  }

  describe(request: CardRequest): object {
    const rest = restOnly(request);
    const { method, path, query, body } = rest;
    const token = this.#options.token === undefined ? undefined : "hidden";
    return {
      method,
      url: buildUrl(this.#baseUrl, path, redactValues(query)).href,
      headers: Object.fromEntries(redactValues(Object.entries(this.#headersFor(rest, token)))),
      ...(body !== undefined && { body }),
    };
  }

  #headersFor(request: RestRequest, token: Token): Headers {
    const headers: Headers = { accept: "application/json", "user-agent": this.#options.userAgent };
    if (request.body !== undefined) headers["content-type"] = "application/json";
    for (const given of [this.#options.headers, request.headers]) {
      for (const [name, value] of Object.entries(given ?? {})) headers[name.toLowerCase()] = value;
    }
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    return headers;
  }
}

export function restRoute(options: RestRouteOptions): CardRoute {
  return new RestRoute(options);
}
