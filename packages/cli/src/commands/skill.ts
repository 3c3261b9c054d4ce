import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printText } from "../io.ts";
import { skillText } from "../skill/index.ts";
import { UsageError } from "../usage-error.ts";

export const run: RunCommand = async ({ positionals: [extra], switches }, io) => {
  if (extra !== undefined) throw new UsageError(`waybill skill takes no ${JSON.stringify(extra)}`);
  await printText(io, skillText({ form: switches.has("indexed") ? "indexed" : "lean" }));
  return EXIT.ok;
};
