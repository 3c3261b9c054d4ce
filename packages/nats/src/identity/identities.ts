import { CallError } from "@waybill/core";
import type { Identity } from "@waybill/core";
import { unauthenticated } from "../wire/failure.ts";
import { readToken, writeToken } from "./token.ts";
import type { Claims } from "./token.ts";

export interface IdentityOptions {
  /** The secret that the requesters and workers of a service share. */
  readonly key?: string | undefined;
  /** The identity of this program, for calls without another identity. */
  readonly identity?: Identity | undefined;
  /** How long a token is valid, in milliseconds. */
  readonly tokenLifeMs?: number | undefined;
}

/**
 * The identity of a caller that has the key but names no identity. It may call operations that
 * require no scope.
 */
const NO_ONE: Identity = Object.freeze({ id: "", scopes: [] });

interface Signed {
  readonly token: string;
  readonly renewAt: number;
}

const MIN_KEY = 16;
const DEFAULT_LIFE_MS = 300_000;
const MAX_KNOWN = 1_000;
const MAX_TOKEN = 8_192;
/** The tolerance for differences between the clocks of machines. */
const LEEWAY_MS = 5_000;

/** Adds to a cache that drops its oldest entry when it is full. */
function remember<V>(cache: Map<string, V>, key: string, value: V): V {
  const oldest = cache.size >= MAX_KNOWN ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  cache.set(key, value);
  return value;
}

/**
 * Signs and verifies callers. A signature costs several times as much as a call. So a token is
 * created once for its lifetime, and a verified token is cached until it expires.
 */
export class Identities {
  readonly #audience: string;
  readonly #key: string | undefined;
  readonly #own: Identity | undefined;
  readonly #lifeMs: number;
  readonly #signed = new Map<string, Signed>();
  readonly #byObject = new WeakMap<Identity, Signed>();
  readonly #verified = new Map<string, Claims>();

  constructor(audience: string, options: IdentityOptions) {
    const { key } = options;
    if (key !== undefined && key.length < MIN_KEY) {
      const message = `The key that identities are signed with needs at least ${MIN_KEY} characters`;
      throw new CallError("VALIDATION_ERROR", message);
    }
    this.#audience = audience;
    this.#key = key;
    this.#own = options.identity;
    this.#lifeMs = options.tokenLifeMs ?? DEFAULT_LIFE_MS;
  }

  /** A token for the caller. Undefined if there is neither an identity nor a key. */
  sign(caller: Identity | undefined): string | undefined {
    const identity = caller ?? this.#own ?? (this.#key === undefined ? undefined : NO_ONE);
    if (identity === undefined) return undefined;
    if (this.#key === undefined) {
      const message = `The identity ${identity.id} cannot be signed, because there is no key`;
      const hint = "Pass the service's key to the connection, or call without an identity";
      throw new CallError("ACCESS_DENIED", message, { outcome: "not_applied", hint });
    }
    const known = this.#byObject.get(identity);
    if (known !== undefined && known.renewAt > Date.now()) return known.token;
    const signed = this.#signedFor(identity, this.#key);
    this.#byObject.set(identity, signed);
    return signed.token;
  }

  /**
   * The caller of a request. Without a key, nothing can be verified, so the caller is unknown
   * (undefined), even if the request names one. With a key, a request without a valid token is
   * refused.
   */
  verify(token: string): Identity | undefined {
    if (this.#key === undefined) return undefined;
    if (token === "")
      throw unauthenticated(
        "This service accepts only calls with a signed identity. Connect with the service's key",
      );
    const claims = this.#verified.get(token) ?? this.#read(token, this.#key);
    if (claims.expires + LEEWAY_MS <= Date.now()) {
      this.#verified.delete(token);
      throw unauthenticated("The signed identity has expired; sign it again");
    }
    return claims.identity;
  }

  #signedFor(identity: Identity, key: string): Signed {
    const text = JSON.stringify(identity);
    const known = this.#signed.get(text);
    if (known !== undefined && known.renewAt > Date.now()) return known;
    const expires = Date.now() + this.#lifeMs;
    const token = writeToken(key, { identity, audience: this.#audience, expires });
    // Tokens are renewed early, so that none expires before it arrives.
    return remember(this.#signed, text, { token, renewAt: expires - this.#lifeMs / 2 });
  }

  #read(token: string, key: string): Claims {
    const claims = token.length > MAX_TOKEN ? undefined : readToken(key, token);
    if (claims === undefined) {
      throw unauthenticated("The identity is not signed with this service's key; use that key");
    }
    if (claims.audience !== this.#audience) {
      throw unauthenticated(
        `The signed identity is for the service ${claims.audience}; sign one for this service`,
      );
    }
    return remember(this.#verified, token, claims);
  }
}
