import { discoverEndpoints } from "@waybill/adapters/oauth";
import type { OAuthClient, OAuthGrant, SignInRequest } from "@waybill/adapters/oauth";
import type { HttpTransport } from "@waybill/adapters/http";
import type { OAuthFlow, SchemeUse, SignInWays } from "@waybill/adapters/openapi";
import type { Words } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError, unknownWord } from "../words/usage-error.ts";

const GRANTS: readonly OAuthGrant[] = ["authorization_code", "device_code", "client_credentials"];
/**
 * If the description has more scopes than this, it lists every possible scope, so not all of them
 * are requested.
 */
const MAX_SCOPES = 20;

/** The security scheme to sign in with: the named one, or the one that the API uses most. */
export async function chooseScheme(
  schemes: readonly SchemeUse[],
  named: string | undefined,
): Promise<SchemeUse> {
  const names = schemes.map(({ name }) => name);
  if (names.length === 0)
    throw new UsageError("This API requires no credentials, so there is nothing to connect");
  if (named === undefined) {
    const usual = schemes.find(({ operations }) => operations > 0) ?? schemes[0]!;
    const alike = schemes.filter(({ operations }) => operations === usual.operations);
    return alike.find(({ ways }) => ways !== undefined) ?? usual;
  }
  const found = schemes.find(({ name }) => name === named);
  if (found !== undefined) return found;
  const message = `The description has no security scheme called ${named}`;
  throw await unknownWord(message, named, names, `It has ${names.join(", ")}`);
}

function clientFrom({ values }: Words, { env }: Io): { client?: OAuthClient } {
  const id = values.get("client-id");
  const variable = values.get("client-secret-env");
  if (id === undefined) {
    if (variable === undefined) return {};
    throw new UsageError("--client-secret-env also needs --client-id; pass both");
  }
  const secret = variable === undefined ? undefined : env[variable];
  if (variable !== undefined && !secret)
    throw new UsageError(`${variable} is not set; set this environment variable to the secret`);
  return { client: secret ? { id, secret } : { id } };
}

function grantFrom({ values }: Words): OAuthGrant | undefined {
  const word = values.get("grant");
  const grant = GRANTS.find((known) => known === word);
  if (word === undefined || grant !== undefined) return grant;
  throw new UsageError(`--grant is one of ${GRANTS.join(", ")}, not ${JSON.stringify(word)}`);
}

/** Reads the grants from a server's discovery document into the form of an OpenAPI description. */
async function discovered(discovery: string, transport: HttpTransport): Promise<OAuthFlow[]> {
  const endpoints = await discoverEndpoints(discovery, transport);
  const grants = GRANTS.filter((grant) => {
    if (grant === "authorization_code") return endpoints.authorizationUrl !== undefined;
    return grant === "device_code" ? endpoints.deviceUrl !== undefined : true;
  });
  return grants.map((grant) => ({ grant, endpoints, scopes: ["openid", "offline_access"] }));
}

function scopeFrom({ values }: Words, { grant, scopes }: OAuthFlow): { scope?: string } {
  const given = values.get("scope")?.split(/[\s,]+/u);
  const isAsked = scopes.length <= MAX_SCOPES && !(grant === "client_credentials");
  const asked = given ?? (isAsked ? scopes : []);
  return asked.length === 0 ? {} : { scope: asked.join(" ") };
}

/** How to sign in: with the named grant, or the first one. */
export async function chooseWay(
  { flows, discovery }: SignInWays,
  words: Words,
  io: Io,
  transport: HttpTransport,
): Promise<SignInRequest> {
  const found = discovery === undefined ? [] : await discovered(discovery, transport);
  const all = [...flows, ...found];
  const wanted = grantFrom(words);
  const ordered = GRANTS.flatMap((grant) => all.filter((flow) => flow.grant === grant));
  const flow = ordered.find(({ grant }) => wanted === undefined || grant === wanted);
  if (flow === undefined) {
    const offered = ordered.map(({ grant }) => grant).join(", ") || "no way to sign in";
    throw new UsageError(`The description offers ${offered}`, {
      hint: "Set the token in the configuration: source add … --token-env NAME --replace",
    });
  }
  const { grant, endpoints } = flow;
  return { grant, endpoints, ...clientFrom(words, io), ...scopeFrom(words, flow) };
}
