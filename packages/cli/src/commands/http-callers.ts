import { randomBytes } from "node:crypto";
import type { CallerLimitsConfig, EffectiveConfig, HttpConfig } from "@waybill/state";
import type { BearerToken, CallerLimits, OidcProviderOptions } from "@waybill/server";
import type { Io } from "../io.ts";
import { givenOptions } from "../words/option-values.ts";
import { UsageError } from "../words/usage-error.ts";
import { Secrets } from "../waybill/sources/secrets.ts";

const TOKEN_BYTES = 24;

/** The callers that a server accepts, and what to tell the user about them. */
export interface HttpCallers {
  /** Undefined if everyone who reaches the server may call, or if all callers have to sign in. */
  readonly tokens?: readonly BearerToken[];
  /** The identity providers that callers sign in with. */
  readonly oidc?: readonly OidcProviderOptions[];
  /** The token that was generated for this run. */
  readonly made?: string;
}

/** The configured limits of a caller, under the names that the server uses. */
export function callerLimits({
  per_second,
  burst,
  concurrent,
}: CallerLimitsConfig): Partial<CallerLimits> {
  return givenOptions<Partial<CallerLimits>>({ perSecond: per_second, burst, concurrent });
}

async function tokensFrom(
  tokens: NonNullable<HttpConfig["tokens"]>,
  io: Io,
): Promise<BearerToken[]> {
  const secrets = new Secrets(io.env);
  return Promise.all(
    Object.entries(tokens).map(async ([id, { token: credential, scopes = [], limits = {} }]) => {
      const token = await secrets.source(credential)();
      if (token !== undefined) {
        return { token, identity: { id, scopes }, limits: callerLimits(limits) };
      }
      throw new UsageError(`The token of ${id} is missing: ${Secrets.hint(credential)}`);
    }),
  );
}

function providersFrom(providers: NonNullable<HttpConfig["oidc"]>): OidcProviderOptions[] {
  return Object.entries(providers).map(([name, provider]) =>
    givenOptions<OidcProviderOptions>({
      name,
      issuer: provider.issuer,
      audience: provider.audience,
      algorithms: provider.algorithms,
      clockSkewSeconds: provider.clock_skew_seconds,
      jwksUrl: provider.jwks_url,
      idClaim: provider.id_claim,
      scopesClaim: provider.scopes_claim,
      limits: callerLimits(provider.limits ?? {}),
    }),
  );
}

/** A caller with a token must not have the same id as a caller who signs in. */
function assertApart({ tokens = {}, oidc = {} }: HttpConfig): void {
  const names = Object.keys(oidc);
  const twin = Object.keys(tokens).find((id) => names.some((name) => id.startsWith(`${name}:`)));
  if (twin === undefined) return;
  throw new UsageError(
    `http.tokens has ${twin}, which is also the name of an http.oidc provider's caller`,
    {
      hint: "Rename the token's caller",
    },
  );
}

/**
 * The configured callers. If there are none, a token is generated for this run: other users and
 * programs on this machine can reach the server, and the server holds the user's credentials.
 */
export async function httpCallers(
  { http = {} }: EffectiveConfig,
  isOpen: boolean,
  io: Io,
): Promise<HttpCallers> {
  const { tokens = {}, oidc = {} } = http;
  assertApart(http);
  const hasTokens = Object.keys(tokens).length > 0;
  if (hasTokens || Object.keys(oidc).length > 0) {
    return {
      ...(hasTokens && { tokens: await tokensFrom(tokens, io) }),
      ...(Object.keys(oidc).length > 0 && { oidc: providersFrom(oidc) }),
    };
  }
  if (isOpen) return {};
  const made = randomBytes(TOKEN_BYTES).toString("base64url");
  return { tokens: [{ token: made }], made };
}
