import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printText } from "../io.ts";
import { askUp } from "../up/ask.ts";
import { PATHS } from "../up/wire.ts";
import type { UpStatus } from "../up/wire.ts";
import { requireSocketPath } from "./up.ts";

function statusLines({ pid, version, startedAt, commands, running, folders }: UpStatus): string[] {
  return [
    `waybill ${version} has been up since ${new Date(startedAt).toISOString()} (process ${pid})`,
    `Commands so far: ${commands}; still running: ${running}`,
    ...folders.map((folder) => `open for ${folder}`),
  ];
}

export const run: RunCommand = async ({ switches }, io) => {
  const status = await askUp(requireSocketPath(io), "GET", PATHS.status);
  if (switches.has("json")) await printJson(io, status ?? null);
  else if (status === undefined)
    await printText(io, "waybill up is not running; start it with: waybill up");
  else await printText(io, statusLines(status).join("\n"));
  return status === undefined ? EXIT.failed : EXIT.ok;
};
