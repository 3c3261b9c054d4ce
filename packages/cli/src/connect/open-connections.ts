import { existsSync } from "node:fs";
import { Connections, Seal } from "@waybill/state";
import type { Connection, SourceConfig } from "@waybill/state";
import { stateFiles } from "@waybill/state/files";
import { fileStore } from "@waybill/mcp/client";
import type { Io } from "../io.ts";
import { isCallersOwn } from "./account-names.ts";

/** Whether any account was ever connected here. */
export function hasConnections(state: string): boolean {
  return existsSync(stateFiles(state).connections);
}

export function openConnections(state: string, env: Io["env"]): Connections {
  return new Connections(fileStore(stateFiles(state).connections), new Seal({ env }));
}

/** The address that a source's tokens belong to; undefined for a source without sign-in. */
export function connectionAddress(config: SourceConfig): string | undefined {
  if (config.kind === "mcp" || config.kind === "graphql") return config.url;
  if (config.kind !== "openapi") return undefined;
  const { document, server, base_url, hosts } = config;
  // Tokens are sent to all of these addresses, so a source with another set of addresses needs its
  // own sign-in.
  const at = [server, base_url]
    .map((place) => (place === undefined ? "" : ` at ${place}`))
    .join("");
  return hosts === undefined ? `${document}${at}` : `${document}${at} for ${hosts.join(", ")}`;
}

/**
 * The connection of the requested account. If none is requested, the only connection, or the one
 * named `default`.
 */
export async function connectionFor(
  connections: Connections,
  address: string,
  account: string | undefined,
): Promise<Connection | undefined> {
  const known = (await connections.list()).filter((each) => each.address === address);
  if (account !== undefined) return known.find((each) => each.account === account);
  const shared = known.filter((each) => !isCallersOwn(each.account));
  return shared.length === 1 ? shared[0] : shared.find((each) => each.account === "default");
}

/** The names of the accounts that are signed in to a source. */
export async function connectedAccounts(
  state: string,
  env: Io["env"],
  config: SourceConfig,
): Promise<readonly string[]> {
  if (!hasConnections(state)) return [];
  const address = connectionAddress(config);
  const list = await openConnections(state, env).list();
  return list.filter((each) => each.address === address).map(({ account }) => account);
}
