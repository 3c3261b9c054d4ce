import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
} from "@modelcontextprotocol/client";
import type { FetchLike } from "@modelcontextprotocol/client";
import { errorFromUnknown, fail, isCallError } from "@waybill/core";
import type { StateStore } from "../store/state-store.ts";
import type { OAuthSettings } from "./settings.ts";
import { StoredProvider } from "./stored-provider.ts";
import { tokensKey } from "./tokens-key.ts";

type Challenge = ReturnType<typeof extractWWWAuthenticateParams>;

function authFailure(thrown: unknown): Error {
  if (isCallError(thrown)) return thrown;
  const { message } = errorFromUnknown(thrown);
  return fail(
    "AUTH",
    `Signing in failed: ${message}`,
    { outcome: "not_applied", hint: "Sign in again: waybill connect" },
    { cause: thrown },
  );
}

/**
 * The access token for one MCP server, requested and renewed as needed. Only one process renews
 * it at a time, and a process that had to wait first looks for a new token, because using a
 * refresh token twice would sign everybody out.
 */
export class Credentials {
  readonly #settings: OAuthSettings;
  readonly #server: URL;
  readonly #store: StateStore;
  readonly #key: string;
  readonly #fetch: FetchLike;
  #scope: string | undefined;

  constructor(settings: OAuthSettings, server: URL, store: StateStore, fetchFn: FetchLike) {
    this.#settings = settings;
    this.#server = server;
    this.#store = store;
    this.#key = tokensKey(server);
    this.#fetch = fetchFn;
  }

  async token(): Promise<string | undefined> {
    return (await this.#open()).accessToken;
  }

  /** Gets a new token after the server refused one. */
  async renew(refused: string | undefined, response: Response): Promise<void> {
    const challenge = extractWWWAuthenticateParams(response);
    this.#scope = computeScopeUnion(this.#scope, challenge.scope);
    await this.#alone(async (provider) => {
      if (provider.accessToken !== undefined && provider.accessToken !== refused) return;
      await this.#signIn(provider, challenge, this.#scope, false);
    });
  }

  /** Signs in again, even if a token is stored. */
  async signIn(response: Response): Promise<void> {
    const challenge = extractWWWAuthenticateParams(response);
    await this.#alone(async (provider) => {
      await provider.invalidateCredentials("tokens");
      await this.#signIn(provider, challenge, challenge.scope, false);
    });
  }

  /** Gets a token with more permissions. */
  async stepUp(refused: string | undefined, response: Response): Promise<void> {
    const challenge = extractWWWAuthenticateParams(response);
    await this.#alone(async (provider) => {
      if (provider.accessToken !== refused) return;
      const granted = provider.tokens()?.scope;
      this.#scope = computeScopeUnion(this.#scope, granted, challenge.scope);
      const isMore = isStrictScopeSuperset(this.#scope, granted);
      await this.#signIn(provider, challenge, this.#scope, isMore);
    });
  }

  async #alone(work: (provider: StoredProvider) => Promise<void>): Promise<void> {
    try {
      await this.#store.exclusive(this.#key, async () => work(await this.#open()));
    } catch (thrown) {
      throw authFailure(thrown);
    }
  }

  #open(): Promise<StoredProvider> {
    return StoredProvider.open(this.#settings, this.#store, this.#key);
  }

  async #signIn(
    provider: StoredProvider,
    { resourceMetadataUrl }: Challenge,
    scope: string | undefined,
    forceReauthorization: boolean,
  ): Promise<void> {
    const common = {
      serverUrl: this.#server,
      fetchFn: this.#fetch,
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    };
    if ((await auth(provider, { ...common, forceReauthorization })) === "AUTHORIZED") return;
    const { code, iss } = await this.#askPerson(provider);
    await auth(provider, {
      ...common,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
    });
  }

  async #askPerson(provider: StoredProvider): Promise<{ code: string; iss?: string }> {
    const settings = this.#settings;
    const authorize = settings.grant === "client_credentials" ? undefined : settings.authorize;
    if (authorize === undefined || provider.page === undefined) {
      throw fail("AUTH", `${this.#server.host} requires a sign-in`, {
        outcome: "not_applied",
        hint: settings.hint ?? "Sign in once with waybill connect; the token is stored and renewed",
      });
    }
    return provider.readCallback(await authorize(provider.page));
  }
}
