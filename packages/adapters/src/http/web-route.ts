import { createRedactor } from "@waybill/core";
import type { HttpAttempt, HttpRequest, HttpResponse, HttpTransport } from "./transport.ts";
import { redactValues, secretHeaders } from "./redact.ts";
import { sendSigned } from "./send-signed.ts";
import type { SignedRequest } from "./send-signed.ts";
import { readToken } from "./token.ts";
import type { Token, TokenSource } from "./token.ts";

/** The options of every HTTP route, except its URL. */
export interface WebRouteOptions {
  /** A Unix socket to connect to instead of the host. */
  readonly socketPath?: string;
  /** The bearer token. It is sent only to the host of the URL. */
  readonly token?: TokenSource;
  readonly headers?: Readonly<Record<string, string>>;
  readonly transport: HttpTransport;
  readonly userAgent: string;
}

type Headers = Readonly<Record<string, string>>;

/**
 * The headers of a request except the token, by lower-case name. The request's own headers
 * override those of the route.
 */
export function routeHeaders(
  options: WebRouteOptions,
  hasBody: boolean,
  own: Headers = {},
): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (hasBody) headers["content-type"] = "application/json";
  headers["user-agent"] = options.userAgent;
  for (const given of [options.headers, own]) {
    for (const [name, value] of Object.entries(given ?? {})) headers[name.toLowerCase()] = value;
  }
  return headers;
}

function withToken(headers: Headers, token: Token): Headers {
  return token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
}

/** The headers in the form that a dry run shows. */
export function shownHeaders({ token }: WebRouteOptions, headers: Headers): object {
  const sent = withToken(headers, token === undefined ? undefined : "hidden");
  return Object.fromEntries(redactValues(Object.entries(sent)));
}

type Send = (
  request: HttpRequest & { readonly headers: Headers },
  attempt: HttpAttempt,
) => Promise<HttpResponse>;

/** Adds the route's token to a request. If the token is refused, it is read again. */
export async function signWithToken(
  options: WebRouteOptions,
  request: HttpRequest & { readonly headers: Headers },
  refused?: readonly string[],
): Promise<SignedRequest> {
  const token = await readToken(options.token, refused);
  const secrets = token === undefined ? [] : [token];
  const headers = withToken(request.headers, token);
  return {
    request: { ...request, socketPath: options.socketPath, headers },
    secrets: [...secrets, ...secretHeaders(request.headers)],
  };
}

/**
 * Creates a function that sends with the route's token. The token is removed from every response.
 */
export function createSender(options: WebRouteOptions): Send {
  const { transport } = options;
  const redactor = createRedactor();
  return (request, attempt) =>
    sendSigned((refused) => signWithToken(options, request, refused), attempt, {
      transport,
      redactor,
    });
}
