import { connectionToken } from "@waybill/adapters/oauth";
import type { HttpTransport } from "@waybill/adapters/http";
import { isRecord } from "@waybill/core/schema";
import type { Connection, SourceConfig, ValueStore } from "@waybill/state";
import type { Io } from "../io.ts";
import type { SecretSource } from "../waybill/sources/secrets.ts";
import { connectCommand } from "./connect-command.ts";
import {
  connectionAddress,
  connectionFor,
  hasConnections,
  openConnections,
} from "./open-connections.ts";

/** The name under which a key that the user typed is stored. */
export const KEY = "key";

/** The signed-in account that a source uses. */
export interface SignedIn {
  readonly connection: Connection;
  readonly secrets: ValueStore;
  /** Reads the current token. Renews it after it has expired or was refused. */
  readonly token: SecretSource;
}

export interface SignedInOptions {
  readonly state: string;
  readonly env: Io["env"];
  readonly transport: HttpTransport;
}

/** A source that someone can sign in to. */
export type Connectable = Extract<SourceConfig, { readonly kind: "openapi" | "mcp" | "graphql" }>;

async function keyIn(secrets: ValueStore): Promise<string | undefined> {
  const value = await secrets.read(KEY);
  return isRecord(value) && typeof value["key"] === "string" ? value["key"] : undefined;
}

/** The connection of a source; undefined if it is not connected. */
export async function signedIn(
  name: string,
  config: Connectable,
  { state, env, transport }: SignedInOptions,
): Promise<SignedIn | undefined> {
  const address = connectionAddress(config);
  if (address === undefined || !hasConnections(state)) return undefined;
  const connections = openConnections(state, env);
  const connection = await connectionFor(connections, address, config.account);
  if (connection === undefined) return undefined;
  const secrets = connections.secrets(connection);
  const hint = connectCommand(name, config.account);
  const token: SecretSource =
    connection.method === "oauth"
      ? connectionToken({ store: secrets, transport, hint })
      : () => keyIn(secrets);
  return { connection, secrets, token };
}
