import { fail, isCallError } from "@waybill/core";
import * as oauth from "oauth4webapi";
import type { HttpTransport } from "../http/index.ts";
import type { OAuthClient, OAuthEndpoints, OAuthTokens } from "./connection.ts";

const MAX_BYTES = 1_000_000;
const TIMEOUT_MS = 30_000;

/**
 * Sends the requests of the OAuth library over the transport, which decides which hosts may be
 * reached.
 */
function fetchOver(transport: HttpTransport): typeof fetch {
  return async (url, init = {}) => {
    const { method = "GET", headers, body } = init;
    const response = await transport.send(
      {
        method,
        url: url instanceof Request ? url.url : url,
        headers: Object.fromEntries(new Headers(headers)),
        body: body === undefined || body === null ? undefined : bodyText(body),
        limits: { responseBytes: MAX_BYTES },
        isAnswer: () => true,
      },
      {
        effect: method === "GET" ? "read" : "write",
        isRepeatable: method === "GET",
        signal: init.signal ?? new AbortController().signal,
        deadline: Date.now() + TIMEOUT_MS,
        beforeSend: () => Promise.resolve(),
      },
    );
    // Removes the `www-authenticate` header, because the body says better why the request was
    // refused.
    const { "www-authenticate": _challenge, ...others } = response.headers;
    return new Response(withoutIdentity(response.body), {
      status: response.status,
      headers: others,
    });
  };
}

function bodyText(body: NonNullable<RequestInit["body"]>): string {
  if (typeof body === "string" || body instanceof URLSearchParams) return String(body);
  throw new TypeError("Only strings can be sent to an authorisation server");
}

/** Removes an identity token without checking it, because the person's identity is not needed. */
function withoutIdentity(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (!text.includes('"id_token"')) return text;
  const { id_token: _identity, ...others } = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify(others);
}

function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(new URL(url).hostname);
}

/** The error of a refused sign-in, with the server's own message. */
function authorizationError(thrown: unknown): Error {
  if (isCallError(thrown)) return thrown;
  const { error, error_description: words, message } = Object(thrown) as Record<string, unknown>;
  const said = [error, words].filter((part) => typeof part === "string").join(": ");
  const text = said === "" ? String(message) : said;
  return fail(
    "AUTH",
    `Signing in failed: ${text.slice(0, 300)}`,
    {
      outcome: "not_applied",
      ...(typeof error === "string" && { oauth_error: error }),
      hint: "Sign in again: waybill connect. Check the id and secret of a registered application",
    },
    { cause: thrown },
  );
}

type Request = (
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  authentication: oauth.ClientAuth,
  options: oauth.TokenEndpointRequestOptions,
) => Promise<Response>;

function authentication({ secret, sentAs = "basic" }: OAuthClient): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  return sentAs === "post" ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

function tokensFrom(response: oauth.TokenEndpointResponse): OAuthTokens {
  const { access_token, refresh_token, expires_in, scope } = response;
  return {
    access: access_token,
    ...(refresh_token !== undefined && { refresh: refresh_token }),
    ...(expires_in !== undefined && { expiresAt: Date.now() + expires_in * 1_000 }),
    ...(scope !== undefined && { scope }),
  };
}

/** One authorisation server, reached over the transport of the source. */
export class AuthorizationServer {
  readonly endpoints: OAuthEndpoints;
  readonly metadata: oauth.AuthorizationServer;
  readonly #transport: HttpTransport;

  constructor(endpoints: OAuthEndpoints, transport: HttpTransport) {
    this.endpoints = endpoints;
    this.#transport = transport;
    const { issuer, authorizationUrl, tokenUrl, deviceUrl, registrationUrl } = endpoints;
    this.metadata = {
      issuer: issuer ?? new URL(tokenUrl).origin,
      token_endpoint: tokenUrl,
      ...(authorizationUrl !== undefined && { authorization_endpoint: authorizationUrl }),
      ...(deviceUrl !== undefined && { device_authorization_endpoint: deviceUrl }),
      ...(registrationUrl !== undefined && { registration_endpoint: registrationUrl }),
    };
  }

  /** Requests tokens from the token endpoint. */
  async tokens(
    client: OAuthClient,
    request: Request,
    process: typeof oauth.processRefreshTokenResponse,
  ): Promise<OAuthTokens> {
    try {
      const known = { client_id: client.id };
      const url = this.endpoints.tokenUrl;
      const response = await request(
        this.metadata,
        known,
        authentication(client),
        this.options(url),
      );
      return tokensFrom(await process(this.metadata, known, response));
    } catch (thrown) {
      throw authorizationError(thrown);
    }
  }

  async ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw authorizationError(thrown);
    }
  }

  authentication(client: OAuthClient): oauth.ClientAuth {
    return authentication(client);
  }

  /** TLS is required, except for this machine. */
  options(url: string): {
    [oauth.customFetch]: typeof fetch;
    [oauth.allowInsecureRequests]: boolean;
  } {
    return {
      [oauth.customFetch]: fetchOver(this.#transport),
      [oauth.allowInsecureRequests]: isLoopback(url),
    };
  }
}

/** The endpoints in an OpenID Connect document. */
export async function discoverEndpoints(
  documentUrl: string,
  transport: HttpTransport,
): Promise<OAuthEndpoints> {
  try {
    const response = await fetchOver(transport)(documentUrl, {
      headers: { accept: "application/json" },
    });
    const found = (await response.json()) as Record<string, unknown>;
    const at = (name: string): string | undefined =>
      typeof found[name] === "string" && URL.canParse(found[name]) ? found[name] : undefined;
    const optional = {
      issuer: at("issuer"),
      authorizationUrl: at("authorization_endpoint"),
      deviceUrl: at("device_authorization_endpoint"),
      registrationUrl: at("registration_endpoint"),
      revocationUrl: at("revocation_endpoint"),
    };
    const tokenUrl = at("token_endpoint");
    if (tokenUrl === undefined) throw new Error(`${documentUrl} does not name a token endpoint`);
    const given = Object.entries(optional).filter(([, value]) => value !== undefined);
    return { tokenUrl, ...Object.fromEntries(given) };
  } catch (thrown) {
    throw authorizationError(thrown);
  }
}
