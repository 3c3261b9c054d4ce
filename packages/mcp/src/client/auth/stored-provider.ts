import { randomUUID } from "node:crypto";
import { createPrivateKeyJwtAuth } from "@modelcontextprotocol/client";
import type {
  AddClientAuthentication,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { StateStore } from "../store/state-store.ts";
import { DEFAULT_REDIRECT_URL } from "./settings.ts";
import type { AuthorizationCodeSettings, OAuthSettings } from "./settings.ts";

/** Shortens and cleans the text, because a server may send any text in the redirect URL. */
const MAX_REASON = 300;

interface Kept {
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
}

function isProgram(settings: OAuthSettings): boolean {
  return settings.grant === "client_credentials";
}

/** Signs with the private key of a program, if it has one. Otherwise the SDK sends a secret. */
function keyAuthentication(settings: OAuthSettings): AddClientAuthentication | undefined {
  if (settings.grant !== "client_credentials" || settings.privateKey === undefined)
    return undefined;
  const { clientId, privateKey, algorithm = "ES256" } = settings;
  return createPrivateKeyJwtAuth({
    issuer: clientId,
    subject: clientId,
    privateKey,
    alg: algorithm,
  });
}

/** Checks only that the stored value is an object, because Waybill wrote it. */
async function readKept(store: StateStore, key: string): Promise<Kept> {
  const value = await store.read(key);
  return isRecord(value) ? value : {};
}

/** The stored tokens of one host, in the form that the SDK needs for a sign-in. */
export class StoredProvider implements OAuthClientProvider {
  readonly #settings: OAuthSettings;
  readonly #store: StateStore;
  readonly #key: string;
  readonly #state = randomUUID();
  #kept: Kept;
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;
  /** Set only if there is a key, because the SDK checks whether the member exists. */
  readonly addClientAuthentication?: AddClientAuthentication;
  /** The URL of the page that the person must open. */
  page: URL | undefined;

  private constructor(settings: OAuthSettings, store: StateStore, key: string, kept: Kept) {
    this.#settings = settings;
    this.#store = store;
    this.#key = key;
    this.#kept = kept;
    const byKey = keyAuthentication(settings);
    if (byKey !== undefined) this.addClientAuthentication = byKey;
  }

  static async open(settings: OAuthSettings, store: StateStore, key: string) {
    return new StoredProvider(settings, store, key, await readKept(store, key));
  }

  get accessToken(): string | undefined {
    return this.#kept.tokens?.access_token;
  }

  get redirectUrl(): string | undefined {
    if (isProgram(this.#settings)) return undefined;
    return (this.#settings as AuthorizationCodeSettings).redirectUrl ?? DEFAULT_REDIRECT_URL;
  }

  get clientMetadataUrl(): string {
    return (this.#settings as AuthorizationCodeSettings).clientMetadataUrl ?? "";
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope, clientSecret } = this.#settings;
    const { redirectUrl } = this;
    return {
      client_name: "Waybill",
      redirect_uris: redirectUrl === undefined ? [] : [redirectUrl],
      grant_types:
        redirectUrl === undefined
          ? ["client_credentials"]
          : ["authorization_code", "refresh_token"],
      response_types: ["code"],
      application_type: "native",
      ...(clientSecret !== undefined && { token_endpoint_auth_method: "client_secret_basic" }),
      ...(scope !== undefined && { scope }),
    };
  }

  state(): string {
    return this.#state;
  }

  /** A configured client belongs to the server with which it was first used, and to no other. */
  async clientInformation(
    context?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const { clientId, clientSecret } = this.#settings;
    if (clientId === undefined) return this.#kept.client;
    const { client } = this.#kept;
    const known = client?.client_id === clientId ? client.issuer : undefined;
    const issuer = known ?? context?.issuer;
    if (known === undefined && issuer !== undefined) {
      await this.#keep({ client: { client_id: clientId, issuer } });
    }
    return {
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      ...(issuer !== undefined && { issuer }),
    };
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    // A configured secret is not copied to the store.
    const { client_secret: _secret, ...open } = client;
    await this.#keep({ client: this.#settings.clientId === undefined ? client : open });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#kept.tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    await this.#keep({ tokens });
  }

  redirectToAuthorization(page: URL): void {
    this.page = page;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  /** Kept for one sign-in only, because the authorisation server may change. */
  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#discovery = discovery;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  prepareTokenRequest(scope?: string): URLSearchParams | undefined {
    if (!isProgram(this.#settings)) return undefined;
    const params = new URLSearchParams({ grant_type: "client_credentials" });
    if (scope !== undefined) params.set("scope", scope);
    return params;
  }

  async invalidateCredentials(
    what: "all" | "client" | "tokens" | "verifier" | "discovery",
  ): Promise<void> {
    if (what === "discovery" || what === "all") this.#discovery = undefined;
    const { client, tokens } = this.#kept;
    if (what === "all") this.#kept = {};
    else if (what === "client") this.#kept = tokens === undefined ? {} : { tokens };
    else if (what === "tokens") this.#kept = client === undefined ? {} : { client };
    await this.#keep({});
  }

  /** Reads the code from the redirect. An unknown state belongs to another sign-in. */
  readCallback(address: string | URL): { code: string; iss?: string } {
    const { searchParams } = new URL(address);
    const code = searchParams.get("code");
    const iss = searchParams.get("iss");
    if (searchParams.get("state") === this.#state && code !== null) {
      return iss === null ? { code } : { code, iss };
    }
    const said = ["error", "error_description"].flatMap((name) => searchParams.get(name) ?? []);
    const why = said.length === 0 ? "the answer does not belong to this request" : said.join(": ");
    throw fail("AUTH", `Signing in failed: ${why.slice(0, MAX_REASON)}`, {
      outcome: "not_applied",
      hint: "Sign in again: waybill connect",
    });
  }

  async #keep(changed: Kept): Promise<void> {
    this.#kept = { ...this.#kept, ...changed };
    await this.#store.write(this.#key, structuredClone(this.#kept));
  }
}
