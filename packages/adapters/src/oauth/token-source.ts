import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import * as oauth from "oauth4webapi";
import type { HttpTransport } from "../http/index.ts";
import { AuthorizationServer } from "./authorization-server.ts";
import type { OAuthConnection, OAuthTokens } from "./connection.ts";
import { byProgram } from "./sign-in.ts";

/** Stores one connection. */
export interface ConnectionStore {
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
  exclusive<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export const CONNECTION_KEY = "oauth";

/** A token that expires within this time is renewed before it is used. */
const SOON_MS = 30_000;

function isConnection(value: unknown): value is OAuthConnection {
  return isRecord(value) && value["version"] === 1 && isRecord(value["tokens"]);
}

function endsSoon({ expiresAt }: OAuthTokens): boolean {
  return expiresAt !== undefined && expiresAt - Date.now() < SOON_MS;
}

async function renewedTokens(
  connection: OAuthConnection,
  transport: HttpTransport,
  hint: string,
): Promise<OAuthTokens> {
  const { grant, endpoints, client, scope, tokens } = connection;
  const server = new AuthorizationServer(
    { ...endpoints, tokenUrl: endpoints.refreshUrl ?? endpoints.tokenUrl },
    transport,
  );
  if (grant === "client_credentials") return byProgram(server, client, scope);
  const { refresh } = tokens;
  if (refresh === undefined) {
    const message = "The sign-in has expired and cannot be renewed";
    throw fail("AUTH", message, { outcome: "not_applied", hint });
  }
  // If a server returns no new refresh token, the old one stays valid.
  const renewed = await server.tokens(
    client,
    (as, who, how, options) => oauth.refreshTokenGrantRequest(as, who, how, refresh, options),
    oauth.processRefreshTokenResponse,
  );
  return { refresh, ...renewed };
}

export interface TokenSourceOptions {
  readonly store: ConnectionStore;
  readonly transport: HttpTransport;
  /** The next step for a caller if a person must sign in again. */
  readonly hint: string;
}

/**
 * The access token of a connection. It is renewed before it expires and after it was refused. Only
 * one process renews it at a time, because using a refresh token twice signs everybody out.
 */
export function connectionToken({
  store,
  transport,
  hint,
}: TokenSourceOptions): (refused?: readonly string[]) => Promise<string | undefined> {
  const read = async (): Promise<OAuthConnection | undefined> => {
    const value = await store.read(CONNECTION_KEY);
    return isConnection(value) ? value : undefined;
  };
  return async (refused = []) => {
    const isGood = ({ tokens }: OAuthConnection): boolean =>
      !endsSoon(tokens) && !refused.includes(tokens.access);
    const known = await read();
    if (known === undefined || isGood(known)) return known?.tokens.access;
    return store.exclusive(CONNECTION_KEY, async () => {
      const current = (await read()) ?? known;
      if (isGood(current)) return current.tokens.access;
      const tokens = await renewedTokens(current, transport, hint);
      await store.write(CONNECTION_KEY, { ...current, tokens });
      return tokens.access;
    });
  };
}
