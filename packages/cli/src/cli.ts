import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { COMMANDS } from "./command-table/index.ts";
import { EXIT } from "./exit-codes.ts";
import type { ExitCode } from "./exit-codes.ts";
import { commandNamed, findCommand, getGroup } from "./words/find-command.ts";
import { commandHelp, groupHelp, overview } from "./help.ts";
import { isOutputError, note, printText } from "./io.ts";
import type { Io } from "./io.ts";
import { parseWords, wantsHelp } from "./words/parse-words.ts";
import { reportFailure } from "./output/report-failure.ts";
import { UsageError } from "./words/usage-error.ts";
import { version } from "./version.ts";

/** Returns the help for everything, for a group of commands, or for one command. */
async function helpFor(words: readonly string[]): Promise<string> {
  const [word, second] = words;
  if (word === undefined) return overview();
  const group = getGroup(word);
  if (group.length > 0 && second === undefined) {
    const own = commandNamed(word);
    return own === undefined ? groupHelp(word, group) : commandHelp(own);
  }
  return commandHelp((await findCommand(words)).command);
}

/** The words that help is requested for; undefined if the command line does not ask for help. */
function helpWords({ argv, isTTY }: Io): readonly string[] | undefined {
  const [first, second] = argv;
  // A person who only types the name wants to know what it can do. A program gets an error.
  if (first === undefined && isTTY) return [];
  if (first === "help") return argv.slice(1).filter((word) => !word.startsWith("-"));
  if (first === "--help" || first === "-h") return [];
  const isGroup = getGroup(first).length > 0;
  return isGroup && (second === "--help" || second === "-h") ? [first!] : undefined;
}

async function dispatch(io: Io): Promise<ExitCode> {
  const { argv } = io;
  const asked = helpWords(io);
  if (asked !== undefined) await printText(io, await helpFor(asked));
  else if (argv[0] === "--version" || argv[0] === "-V") await printText(io, version());
  else return runCommand(io);
  return EXIT.ok;
}

/**
 * Sets the environment variable that names the configuration file. All code reads it from there.
 */
function withConfig(io: Io, config: string | undefined): Io {
  if (config === undefined) return io;
  const path = resolve(io.cwd, config);
  if (!existsSync(path))
    throw new UsageError(`There is no configuration file ${config}`, { hint: "--config FILE" });
  // Copies the getters of `io` instead of their values, so that streams are still created on first
  // use.
  const env = { ...io.env, WAYBILL_CONFIG: path };
  return Object.create(io, { env: { value: env, enumerable: true } }) as Io;
}

async function runCommand(io: Io): Promise<ExitCode> {
  const { command, rest } = await findCommand(io.argv);
  if (wantsHelp(rest)) {
    await printText(io, await commandHelp(command));
    return EXIT.ok;
  }
  const { values, ...words } = await parseWords(command, rest);
  const { run } = await command.load();
  const { config, ...others } = Object.fromEntries(values);
  const own = new Map(Object.entries(others));
  return run({ ...words, values: own }, withConfig(io, config), COMMANDS, main);
}

/** Runs one command line: prints the answer and returns the exit code. Never throws. */
export async function main(io: Io): Promise<ExitCode> {
  try {
    return await dispatch(io).catch((error: unknown) => failed(io, error));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    await note(io, `waybill: the answer could not be written: ${why}`).catch(() => {});
    return EXIT.failed;
  }
}

async function failed(io: Io, error: unknown): Promise<ExitCode> {
  if (isOutputError(error)) throw error;
  return reportFailure(io, error);
}
