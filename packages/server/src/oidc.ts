import { CallError, fail } from "@waybill/core";
import type { Identity } from "@waybill/core";
import type { JWTPayload } from "jose";
import { ProviderKeys, ProviderUnreachable, isSafeUrl } from "./oidc-keys.ts";
import type { KeySettings } from "./oidc-keys.ts";
import type { CallerLimits } from "./rate-limit.ts";
import { unknownToken, wrongToken } from "./wrong-token.ts";

/**
 * Allows only algorithms with a private key. With a shared secret, everyone who can verify a
 * token could also sign one.
 */
export const OIDC_ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;
export type OidcAlgorithm = (typeof OIDC_ALGORITHMS)[number];

/** An OpenID provider whose tokens identify callers. */
export interface OidcProviderOptions extends KeySettings {
  /** The prefix of its callers' ids, as in `corp:ada`. */
  readonly name: string;
  /** The audience that a token must be issued for. */
  readonly audience: string;
  /** Accepted signature algorithms (default: RS256, PS256, ES256, EdDSA). */
  readonly algorithms?: readonly OidcAlgorithm[];
  /** How far clocks may differ, in seconds (default: 30). */
  readonly clockSkewSeconds?: number;
  /** The claim with the caller's id (default: `sub`). */
  readonly idClaim?: string;
  /**
   * The claim with the caller's scopes: a list, or a string separated by spaces (default: `scope`).
   */
  readonly scopesClaim?: string;
  /** Limits of each of its callers (default: those of the server). */
  readonly limits?: Partial<CallerLimits>;
}

/** The caller that a token identifies. */
export interface SignedInCaller {
  readonly identity: Identity;
  readonly limits: Partial<CallerLimits> | undefined;
}

const DEFAULT_ALGORITHMS: readonly OidcAlgorithm[] = ["RS256", "PS256", "ES256", "EdDSA"];
const DEFAULT_SKEW_S = 30;
const MAX_TOKEN = 16_000;
const MAX_ID = 200;
const MAX_SCOPES = 1_000;

/** A claim for an error message: shortened, and without characters that could forge a log line. */
function shownClaim(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nobody");
  return text.replaceAll(/[^\x20-\x7e]/gu, "?").slice(0, 100);
}

function moment(seconds: unknown): string {
  const date = new Date(Number(seconds) * 1_000);
  return Number.isNaN(date.getTime()) ? "an unreadable time" : date.toISOString();
}

interface Unverified {
  readonly payload: JWTPayload;
  readonly header: { readonly alg?: string; readonly kid?: string };
}

function claimProblem(claim: string, { payload }: Unverified, options: OidcProviderOptions) {
  const { audience, name } = options;
  if (claim === "nbf")
    return `The token is not valid before ${moment(payload.nbf)}; use it then, or check the clock of this server`;
  if (claim === "aud")
    return `The token is for ${shownClaim(payload.aud)}, not for ${audience}; request one for that audience`;
  return `The token has a wrong or missing claim "${claim}"; configure ${name} to set it`;
}

/** Says why a token is refused. */
function problem(thrown: unknown, token: Unverified, options: OidcProviderOptions): string {
  const { code, claim = "" } = thrown as { readonly code?: string; readonly claim?: string };
  const { algorithms = DEFAULT_ALGORITHMS, issuer } = options;
  const { header, payload } = token;
  switch (code) {
    case "ERR_JWT_EXPIRED":
      return `The token expired at ${moment(payload.exp)}; sign in again`;
    case "ERR_JWT_CLAIM_VALIDATION_FAILED":
      return claimProblem(claim, token, options);
    case "ERR_JOSE_ALG_NOT_ALLOWED":
      return `The token is signed with ${shownClaim(header.alg)}, but only ${algorithms.join(", ")} are accepted; use a token with one of these algorithms`;
    case "ERR_JWKS_NO_MATCHING_KEY":
      return `${issuer} has no key ${shownClaim(header.kid)} for ${shownClaim(header.alg)}; sign in again`;
    case "ERR_JWKS_MULTIPLE_MATCHING_KEYS":
      return `The token does not say which key of ${issuer} signed it; configure the provider to send "kid"`;
    case "ERR_JWS_SIGNATURE_VERIFICATION_FAILED":
      return "The signature of the token is wrong; sign in again";
    default:
      return "The token cannot be read; send the access token of the provider unchanged";
  }
}

function scopesIn(payload: JWTPayload, claim: string): string[] {
  const value = payload[claim] ?? (claim === "scope" ? payload["scp"] : undefined);
  const all = typeof value === "string" ? value.split(" ") : Array.isArray(value) ? value : [];
  return all
    .filter((scope): scope is string => typeof scope === "string" && scope !== "")
    .slice(0, MAX_SCOPES);
}

function idIn(payload: JWTPayload, { name, idClaim = "sub" }: OidcProviderOptions): string {
  const id = payload[idClaim];
  // Whether an email address is verified. Some providers send "true" and "false" as strings, and
  // some do not send the claim.
  const { email_verified: proof = true } = payload;
  const isUnproven = idClaim === "email" && ![true, "true"].includes(proof as string | boolean);
  // Refuses control characters, which could forge log lines.
  const isUsable =
    typeof id === "string" && id.length <= MAX_ID && /^[^\p{Cc}\p{Cf}\s]+$/u.test(id);
  if (isUsable && !isUnproven) return `${name}:${id}`;
  throw wrongToken(
    `The claim "${idClaim}" of the token has no valid caller id; configure another claim`,
  );
}

/** Verifies the tokens of one provider. */
class Provider {
  readonly options: OidcProviderOptions;
  readonly #keys: ProviderKeys;

  constructor(options: OidcProviderOptions) {
    this.options = options;
    this.#keys = new ProviderKeys(options);
  }

  async verify(token: string, unverified: Unverified): Promise<SignedInCaller> {
    const payload = await this.#payload(token, unverified);
    const { scopesClaim = "scope", limits } = this.options;
    const id = idIn(payload, this.options);
    return { identity: { id, scopes: scopesIn(payload, scopesClaim) }, limits };
  }

  async #payload(token: string, unverified: Unverified): Promise<JWTPayload> {
    const { issuer, audience, algorithms = DEFAULT_ALGORITHMS } = this.options;
    const { clockSkewSeconds = DEFAULT_SKEW_S } = this.options;
    try {
      const [{ jwtVerify }, keys] = await Promise.all([import("jose"), this.#keys.get()]);
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: clockSkewSeconds,
        requiredClaims: ["exp"],
      });
      return payload;
    } catch (thrown) {
      const { code } = thrown as { readonly code?: string };
      if (thrown instanceof ProviderUnreachable || code === "ERR_JWKS_TIMEOUT") {
        throw unreachable(this.options.name, thrown);
      }
      throw wrongToken(problem(thrown, unverified, this.options));
    }
  }
}

/** Asks the caller to retry, and tells the operator of the server what is wrong. */
function unreachable(name: string, cause: unknown): Error {
  const message = `The token cannot be checked now: the sign-in provider ${name} does not answer. Try again later`;
  return fail("NOT_READY", message, { retry_after_ms: 30_000 }, { cause });
}

async function decodeUnverified(token: string): Promise<Unverified | undefined> {
  if (token.length > MAX_TOKEN || token.split(".").length !== 3) return undefined;
  const { decodeJwt, decodeProtectedHeader } = await import("jose");
  try {
    return { payload: decodeJwt(token), header: decodeProtectedHeader(token) };
  } catch {
    return undefined;
  }
}

function assertOptions({ name, issuer, jwksUrl = issuer, audience }: OidcProviderOptions): void {
  const wrong =
    (!isSafeUrl(issuer) && `The issuer of ${name} must be an https address`) ||
    (!isSafeUrl(jwksUrl) && `The key set of ${name} must have an https address`) ||
    (audience === "" && `The tokens of ${name} need an audience; set "audience" of the provider`);
  if (wrong) throw new CallError("VALIDATION_ERROR", wrong);
}

/** Identifies callers by the tokens of OpenID providers. */
export class Oidc {
  readonly #byIssuer: ReadonlyMap<string, Provider>;

  constructor(providers: readonly OidcProviderOptions[]) {
    providers.forEach(assertOptions);
    this.#byIssuer = new Map(providers.map((options) => [options.issuer, new Provider(options)]));
  }

  /** The providers' addresses, where callers sign in. */
  get issuers(): readonly string[] {
    return [...this.#byIssuer.keys()];
  }

  /** Returns the caller. Throws for a token that is not accepted. */
  async verify(token: string): Promise<SignedInCaller> {
    const unverified = await decodeUnverified(token);
    if (unverified === undefined) throw unknownToken();
    const provider = this.#byIssuer.get(unverified.payload.iss ?? "");
    if (provider !== undefined) return provider.verify(token, unverified);
    const accepted = this.issuers.join(", ");
    throw wrongToken(
      `The token is from ${shownClaim(unverified.payload.iss)}, but only tokens from ${accepted} are accepted`,
    );
  }
}
