import { isRecord } from "@waybill/core/schema";
import type { JWTVerifyGetKey } from "jose";

/** How to find the keys of a provider. */
export interface KeySettings {
  readonly issuer: string;
  /** The key set (default: the one that the discovery document of the issuer names). */
  readonly jwksUrl?: string;
}

const MAX_BYTES = 1_000_000;
const FETCH_MS = 5_000;
/** After a failed discovery or an unknown key, no request is sent to the provider for this long. */
const COOLDOWN_MS = 30_000;
const FRESH_MS = 600_000;
/** How long known keys are used while the provider is down. */
const STALE_MS = 86_400_000;

/**
 * The error if the keys of the provider cannot be fetched now, so that it is unknown whether the
 * token is valid.
 */
export class ProviderUnreachable extends Error {}

async function readResponseText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function fetchText(url: string): Promise<string> {
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(FETCH_MS),
    });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    return await readResponseText(response);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ProviderUnreachable(`${url} cannot be read: ${why}`, { cause });
  }
}

function isLoopback({ hostname }: URL): boolean {
  return ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
}

/** Requires HTTPS, because keys that are sent over unencrypted HTTP could be forged. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
}

async function discover(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`;
  const text = await fetchText(url);
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (cause) {
    throw new ProviderUnreachable(`${url} is not JSON`, { cause });
  }
  const { issuer: named, jwks_uri: jwksUrl } = isRecord(found) ? found : {};
  if (named !== issuer) throw new ProviderUnreachable(`${url} names a different issuer`);
  if (typeof jwksUrl === "string" && isSafeUrl(jwksUrl)) return jwksUrl;
  throw new ProviderUnreachable(`${url} has no jwks_uri with https`);
}

/** Returns the last valid key set while the provider is down. */
function steadyFetch(): (url: string) => Promise<Response> {
  let last: { readonly text: string; readonly at: number } | undefined;
  return async (url) => {
    try {
      last = { text: await fetchText(url), at: Date.now() };
    } catch (error) {
      if (last === undefined || Date.now() - last.at > STALE_MS) throw error;
    }
    return new Response(last.text);
  };
}

/**
 * The keys of a provider. They are fetched with the first token, and again if they are old or a
 * key is unknown.
 */
export class ProviderKeys {
  readonly #settings: KeySettings;
  #opening: Promise<JWTVerifyGetKey> | undefined;
  #failed: { readonly error: unknown; readonly at: number } | undefined;

  constructor(settings: KeySettings) {
    this.#settings = settings;
  }

  get(): Promise<JWTVerifyGetKey> {
    const isResting = this.#failed !== undefined && Date.now() - this.#failed.at < COOLDOWN_MS;
    if (isResting) return Promise.reject(this.#failed?.error);
    return (this.#opening ??= this.#open());
  }

  async #open(): Promise<JWTVerifyGetKey> {
    try {
      const { createRemoteJWKSet, customFetch } = await import("jose");
      const { issuer, jwksUrl } = this.#settings;
      const url = jwksUrl ?? (await discover(issuer));
      return createRemoteJWKSet(new URL(url), {
        cacheMaxAge: FRESH_MS,
        cooldownDuration: COOLDOWN_MS,
        timeoutDuration: FETCH_MS,
        [customFetch]: steadyFetch(),
      });
    } catch (error) {
      this.#failed = { error, at: Date.now() };
      this.#opening = undefined;
      throw error;
    }
  }
}
