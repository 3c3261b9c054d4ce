import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printText } from "../io.ts";
import { KNOWN_SOURCES } from "../sources/known-sources.ts";

export const run: RunCommand = async ({ switches }, io) => {
  const all = Object.entries(KNOWN_SOURCES).map(([name, source]) => ({ name, ...source }));
  if (switches.has("json")) await printJson(io, all);
  else {
    const lines = all.map(({ name, config, about }) => `${name} (${config.kind}): ${about}`);
    await printText(io, lines.join("\n"));
  }
  return EXIT.ok;
};
