import { existsSync } from "node:fs";
import { stateFiles } from "@waybill/state/files";
import { isCallersOwn } from "./account-names.ts";
import { connectCommand } from "./connect-command.ts";
import type { Connectable, SignedInOptions } from "./signed-in.ts";

/**
 * Tells the user of a source without a token to sign in, or to name one of several accounts. Loads
 * the code for connections only if an account was connected.
 */
export async function signInHint(
  name: string,
  config: Connectable,
  { state, env }: Pick<SignedInOptions, "state" | "env">,
): Promise<string> {
  const command = connectCommand(name, config.account);
  if (config.account !== undefined || !existsSync(stateFiles(state).connections)) return command;
  const { connectedAccounts } = await import("./open-connections.ts");
  const accounts = await connectedAccounts(state, env, config);
  const shared = accounts.filter((account) => !isCallersOwn(account));
  if (shared.length < 2 || shared.includes("default")) return command;
  return `choose one of its accounts with --account (${shared.join(", ")})`;
}
