import { resolve } from "node:path";
import { CONFIG_NAME, findProjectConfig, powersOf, readConfig, trustConfig } from "@waybill/local";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printText } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { orUsageError } from "../waybill/index.ts";

async function fileOf(given: string | undefined, { cwd }: Io): Promise<string> {
  if (given !== undefined) return resolve(cwd, given);
  const found = findProjectConfig(cwd);
  if (found !== undefined) return found;
  throw new UsageError(`There is no ${CONFIG_NAME} here or in a folder above`, {
    hint: "waybill trust <file>",
  });
}

export const run: RunCommand = async ({ positionals: [given, extra] }, io) => {
  if (extra !== undefined) throw new UsageError("waybill trust takes one file");
  const file = await orUsageError(readConfig(await fileOf(given, io)));
  await trustConfig(file, io.env);
  const powers = powersOf(file.config);
  const counts = powers.join(", ") || "nothing that needed trust";
  await printText(io, `trusted ${file.path}\nsha256 ${file.digest}\ncounts now: ${counts}`);
  return EXIT.ok;
};
