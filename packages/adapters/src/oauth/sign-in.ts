import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "@waybill/core";
import * as oauth from "oauth4webapi";
import type { HttpTransport } from "../http/index.ts";
import { AuthorizationServer } from "./authorization-server.ts";
import type {
  OAuthClient,
  OAuthConnection,
  OAuthEndpoints,
  OAuthGrant,
  OAuthTokens,
} from "./connection.ts";

/** A code that a person enters on another device. */
export interface DevicePrompt {
  readonly code: string;
  readonly page: string;
  /** The URL of the page with the code filled in. */
  readonly completePage?: string;
}

/** The person who signs in. */
export interface SigningPerson {
  /** Opens a page. Resolves with the URL to which the person was redirected. */
  readonly authorize: (page: URL) => Promise<string | URL>;
  readonly redirectUrl: string;
  /** Shows a code that the person enters on another device. */
  readonly showCode: (prompt: DevicePrompt) => Promise<void>;
}

export interface SignInRequest {
  readonly grant: OAuthGrant;
  readonly endpoints: OAuthEndpoints;
  /** The client (default: the server is asked to register Waybill). */
  readonly client?: OAuthClient;
  readonly scope?: string;
}

const MAX_DEVICE_MS = 900_000;
/**
 * Limits the interval that a server asks for, because a timer with a too long delay fires at
 * once.
 */
const MAX_INTERVAL_MS = 60_000;
const OTHER_GRANT = "Choose another way to sign in with --grant";

function signInError(message: string, hint?: string): Error {
  return fail("AUTH", message, { outcome: "not_applied", ...(hint !== undefined && { hint }) });
}

function scopeParameter({ scope }: SignInRequest): Record<string, string> {
  return scope === undefined ? {} : { scope };
}

async function registered(
  server: AuthorizationServer,
  { grant, scope }: SignInRequest,
  { redirectUrl }: SigningPerson,
): Promise<OAuthClient> {
  const { registrationUrl, tokenUrl } = server.endpoints;
  if (registrationUrl === undefined || grant === "client_credentials") {
    const host = new URL(tokenUrl).host;
    throw signInError(
      `${host} requires a registered application`,
      `Register an application there with the redirect address ${redirectUrl}, and pass its id with --client-id`,
    );
  }
  const isDevice = grant === "device_code";
  const known = await server.ask(async () => {
    const response = await oauth.dynamicClientRegistrationRequest(
      server.metadata,
      {
        client_name: "Waybill",
        redirect_uris: isDevice ? [] : [redirectUrl],
        response_types: isDevice ? [] : ["code"],
        grant_types: [
          isDevice ? "urn:ietf:params:oauth:grant-type:device_code" : grant,
          "refresh_token",
        ],
        token_endpoint_auth_method: "none",
        application_type: "native",
        ...(scope !== undefined && { scope }),
      },
      server.options(registrationUrl),
    );
    return oauth.processDynamicClientRegistrationResponse(response);
  });
  const secret = typeof known.client_secret === "string" ? { secret: known.client_secret } : {};
  return { id: known.client_id, ...secret };
}

async function byCode(
  server: AuthorizationServer,
  client: OAuthClient,
  request: SignInRequest,
  { authorize, redirectUrl }: SigningPerson,
): Promise<OAuthTokens> {
  const { authorizationUrl } = server.endpoints;
  if (authorizationUrl === undefined)
    throw signInError("The API description has no address of a sign-in page", OTHER_GRANT);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const page = new URL(authorizationUrl);
  const asked = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUrl,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...scopeParameter(request),
  };
  for (const [name, value] of Object.entries(asked)) page.searchParams.set(name, value);
  const back = new URL(await authorize(page));
  const known = { client_id: client.id };
  const answer = await server.ask(async () =>
    oauth.validateAuthResponse(server.metadata, known, back, state),
  );
  return server.tokens(
    client,
    (as, who, how, options) =>
      oauth.authorizationCodeGrantRequest(as, who, how, answer, redirectUrl, verifier, options),
    (as, who, response) => oauth.processAuthorizationCodeResponse(as, who, response),
  );
}

function errorName(thrown: unknown): unknown {
  const { details } = Object(thrown) as { details?: Record<string, unknown> };
  return details?.["oauth_error"];
}

/** Asks again and again until the person has entered the code. */
async function byDevice(
  server: AuthorizationServer,
  client: OAuthClient,
  request: SignInRequest,
  { showCode }: SigningPerson,
): Promise<OAuthTokens> {
  const { deviceUrl } = server.endpoints;
  if (deviceUrl === undefined)
    throw signInError("The API description has no address for device codes", OTHER_GRANT);
  const known = { client_id: client.id };
  const device = await server.ask(async () => {
    const how = server.authentication(client);
    const options = server.options(deviceUrl);
    const asked = scopeParameter(request);
    const response = await oauth.deviceAuthorizationRequest(
      server.metadata,
      known,
      how,
      asked,
      options,
    );
    return oauth.processDeviceAuthorizationResponse(server.metadata, known, response);
  });
  const { user_code: code, verification_uri: page, verification_uri_complete: whole } = device;
  await showCode({ code, page, ...(whole !== undefined && { completePage: whole }) });
  const until = Date.now() + Math.min(MAX_DEVICE_MS, device.expires_in * 1_000);
  let waitMs = (device.interval ?? 5) * 1_000;
  while (Date.now() < until) {
    await sleep(Math.min(waitMs, MAX_INTERVAL_MS));
    try {
      return await server.tokens(
        client,
        (as, who, how, options) =>
          oauth.deviceCodeGrantRequest(as, who, how, device.device_code, options),
        oauth.processDeviceCodeResponse,
      );
    } catch (thrown) {
      const error = errorName(thrown);
      if (error === "slow_down") waitMs += 5_000;
      else if (error !== "authorization_pending") throw thrown;
    }
  }
  throw signInError("The code was not entered in time. Run the command again");
}

/** Signs in a program without a person. */
export function byProgram(
  server: AuthorizationServer,
  client: OAuthClient,
  scope: string | undefined,
): Promise<OAuthTokens> {
  const asked = scope === undefined ? {} : { scope };
  return server.tokens(
    client,
    (as, who, how, options) => oauth.clientCredentialsGrantRequest(as, who, how, asked, options),
    oauth.processClientCredentialsResponse,
  );
}

/** Retries with the secret in the body, because some servers do not accept Basic authentication. */
async function eitherWay<T>(
  client: OAuthClient,
  work: (client: OAuthClient) => Promise<T>,
): Promise<{ readonly result: T; readonly client: OAuthClient }> {
  try {
    return { result: await work(client), client };
  } catch (thrown) {
    const isRefused = errorName(thrown) === "invalid_client" && client.secret !== undefined;
    if (!isRefused || client.sentAs !== undefined) throw thrown;
    const other = { ...client, sentAs: "post" } as const;
    return { result: await work(other), client: other };
  }
}

/** Signs in. A person is needed for some kinds of grants. */
export async function signIn(
  request: SignInRequest,
  person: SigningPerson,
  transport: HttpTransport,
): Promise<OAuthConnection> {
  const { grant, endpoints, scope } = request;
  const server = new AuthorizationServer(endpoints, transport);
  const asking = request.client ?? (await registered(server, request, person));
  const { result: tokens, client } = await eitherWay(asking, (each) => {
    if (grant === "client_credentials") return byProgram(server, each, scope);
    return (grant === "device_code" ? byDevice : byCode)(server, each, request, person);
  });
  const facts = { version: 1, grant, endpoints, client, tokens } as const;
  return scope === undefined ? facts : { ...facts, scope };
}
