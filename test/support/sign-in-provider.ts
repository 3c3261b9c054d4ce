import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import type { CryptoKey } from "jose";
import OidcProvider from "oidc-provider";

export const AUDIENCE = "https://waybill.example";
const CLIENT = { id: "ada", secret: "ada-secret" } as const;
const KID = "key-1";

/** A real OpenID provider from npm, on this machine, and its private key. */
export interface SignInProvider {
  readonly issuer: string;
  readonly key: CryptoKey;
  /** How often the provider's keys were requested. */
  keyRequests(): number;
  /** A token that the provider itself issued for `scope`. */
  token(scope: string): Promise<string>;
  /** A token with these claims and this header, signed with the provider's key. */
  sign(
    claims: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, string>>,
  ): Promise<string>;
  close(): void;
}

function configuration(jwk: object): Record<string, unknown> {
  const resource = {
    scope: "staff guest",
    audience: AUDIENCE,
    accessTokenFormat: "jwt",
    jwt: { sign: { alg: "RS256" } },
  };
  return {
    jwks: { keys: [{ ...jwk, kid: KID, use: "sig", alg: "RS256" }] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: ["staff", "guest"],
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: { enabled: true, getResourceServerInfo: () => resource },
    },
    cookies: { keys: ["a key for tests"] },
  };
}

export async function startSignInProvider(): Promise<SignInProvider> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new OidcProvider(issuer, configuration(await exportJWK(privateKey)));
  let keyRequests = 0;
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (request.url === "/jwks") keyRequests += 1;
    answer(request, response);
  });
  return {
    issuer,
    key: publicKey,
    keyRequests: () => keyRequests,
    async token(scope) {
      const body = new URLSearchParams({
        grant_type: "client_credentials",
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        resource: AUDIENCE,
        scope,
      });
      const basic = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString("base64");
      const headers = { authorization: `Basic ${basic}` };
      body.delete("client_secret");
      const made = await fetch(`${issuer}/token`, { method: "POST", body, headers });
      return ((await made.json()) as { access_token: string }).access_token;
    },
    sign(claims, header = {}) {
      const usual = { iss: issuer, aud: AUDIENCE, sub: "ada", exp: Date.now() / 1_000 + 600 };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: "RS256", kid: KID, ...header })
        .sign(privateKey);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
