import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printText } from "../io.ts";
import { askUp } from "../up/ask.ts";
import { PATHS } from "../up/wire.ts";
import { requireSocketPath } from "./up.ts";

export const run: RunCommand = async (_words, io) => {
  const stopped = await askUp(requireSocketPath(io), "POST", PATHS.down);
  await printText(io, stopped === undefined ? "waybill up was not running" : "stopped waybill up");
  return EXIT.ok;
};
