import type { RunCommand } from "../command.ts";
import { bashCompletion, zshCompletion } from "../completion/bash.ts";
import type { Commands } from "../completion/command-words.ts";
import { fishCompletion } from "../completion/fish.ts";
import { EXIT } from "../exit-codes.ts";
import { printSource } from "../io.ts";
import { UsageError, unknownWord } from "../words/usage-error.ts";

const SHELLS: Readonly<Record<string, (commands: Commands) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export const run: RunCommand = async ({ positionals: [shell, extra] }, io, commands) => {
  const names = Object.keys(SHELLS);
  if (shell === undefined || extra !== undefined) {
    const message = `waybill completion needs one of ${names.join(", ")}`;
    throw new UsageError(message, { hint: 'eval "$(waybill completion bash)"' });
  }
  const render = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (render === undefined) {
    const message = `waybill completion knows ${names.join(", ")}, not ${shell}`;
    throw await unknownWord(message, shell, names, "waybill help completion");
  }
  await printSource(io, render(commands));
  return EXIT.ok;
};
