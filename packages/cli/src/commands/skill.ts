import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printText } from "../io.ts";
import { choiceValue } from "../words/option-values.ts";
import { SKILL_DOORS, skillText } from "../skill/index.ts";
import { UsageError } from "../words/usage-error.ts";

export const run: RunCommand = async (words, io) => {
  const {
    positionals: [extra],
    switches,
  } = words;
  if (extra !== undefined)
    throw new UsageError(
      `waybill skill takes no arguments, but got ${JSON.stringify(extra)}; leave it out`,
    );
  const door = (await choiceValue(words, "door", SKILL_DOORS)) ?? "command";
  await printText(io, skillText({ form: switches.has("indexed") ? "indexed" : "lean", door }));
  return EXIT.ok;
};
