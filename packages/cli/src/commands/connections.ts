import { loadConfig } from "@waybill/state";
import type { Connection } from "@waybill/state";
import type { RunCommand } from "../command.ts";
import { openConnections } from "../connect/open-connections.ts";
import { EXIT } from "../exit-codes.ts";
import { note, printJson, printText } from "../io.ts";
import { orUsageError } from "../waybill/index.ts";

function line({ source, account, method, address, since }: Connection): string {
  return `${source} ${account} (${method}, ${since.slice(0, 10)}): ${address}`;
}

export const run: RunCommand = async ({ switches }, io) => {
  const { state } = await orUsageError(loadConfig(io));
  const list = await openConnections(state, io.env).list();
  if (switches.has("json")) await printJson(io, list);
  else if (list.length === 0)
    await note(io, "waybill: no source is connected; connect one with: waybill connect <source>");
  else await printText(io, list.map(line).join("\n"));
  return EXIT.ok;
};
