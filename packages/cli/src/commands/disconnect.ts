import { CONNECTION_KEY } from "@waybill/adapters/oauth";
import { tokensKey } from "@waybill/mcp/client";
import { loadConfig } from "@waybill/state";
import type { Connection, Connections } from "@waybill/state";
import type { RunCommand } from "../command.ts";
import { openConnections } from "../connect/open-connections.ts";
import { KEY } from "../connect/signed-in.ts";
import { EXIT } from "../exit-codes.ts";
import { printText } from "../io.ts";
import { UsageError, unknownWord } from "../words/usage-error.ts";
import { orUsageError } from "../waybill/index.ts";

/**
 * Removes the entry from the list of connections last, so that an interrupted command can be
 * repeated.
 */
async function forget(connections: Connections, connection: Connection): Promise<void> {
  const secrets = connections.secrets(connection);
  const { address } = connection;
  const server = URL.canParse(address) ? [tokensKey(new URL(address))] : [];
  for (const key of [CONNECTION_KEY, KEY, ...server]) {
    if ((await secrets.read(key).catch(() => true)) !== undefined) await secrets.write(key, null);
  }
  await connections.remove(connection);
}

export const run: RunCommand = async ({ positionals, values }, io) => {
  const [name = ""] = positionals;
  const account = values.get("account");
  const { state } = await orUsageError(loadConfig(io));
  const connections = openConnections(state, io.env);
  const list = await connections.list();
  const own = list.filter(({ source }) => source === name);
  if (own.length === 0) {
    const names = list.map(({ source }) => source);
    throw await unknownWord(`${name} is not connected`, name, names, "waybill connections");
  }
  const accounts = own.map((each) => each.account);
  if (own.length > 1 && account === undefined) {
    const said = `${name} has several accounts: ${accounts.join(", ")}`;
    throw new UsageError(said, { hint: "--account NAME" });
  }
  const found = own.filter((each) => account === undefined || each.account === account);
  if (found.length === 0) {
    const said = `${name} has no account called ${account}; it has ${accounts.join(", ")}`;
    throw await unknownWord(said, account!, accounts, "waybill connections");
  }
  for (const connection of found) await forget(connections, connection);
  await printText(io, `disconnected ${name} (account ${found[0]!.account})`);
  return EXIT.ok;
};
