import type { Command } from "./command.ts";
import { COMMANDS } from "./command-table/index.ts";
import { COMMON_OPTIONS } from "./words/parse-words.ts";

const WAYS = [
  ["help <command>", "Show the help of a command, like <command> --help"],
  ["--version", "The version"],
] as const;
const EXIT_CODES = "Exit codes: 0 ok, 1 the call failed (ok: false), 2 the command was wrong";

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function optionRows({ options }: Command): (readonly [string, string])[] {
  const rows = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([name, { value, help }]) => {
    return [value === undefined ? `--${name}` : `--${name} ${value}`, help] as const;
  });
  return [...rows, ["--help", "This text"]];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}

export async function commandHelp(command: Command): Promise<string> {
  const { name, usage, summary } = command;
  const notes = [...(command.notes ?? []), ...((await command.details?.()) ?? [])];
  const line = `waybill ${name} ${usage}`.trimEnd();
  return [
    `${line} [options]`,
    "",
    summary,
    ...section("Options", table(optionRows(command))),
    ...(notes.length > 0 ? ["", ...notes] : []),
    "",
    EXIT_CODES,
  ].join("\n");
}

function commandRows(commands: readonly Command[]): (readonly [string, string])[] {
  return commands.map(({ name, usage, summary }) => [`${name} ${usage}`.trimEnd(), summary]);
}

/** Help for the commands that start with a word, such as `capabilities`. */
export function groupHelp(word: string, commands: readonly Command[]): string {
  return [`waybill ${word} …`, ...section("Commands", table(commandRows(commands)))].join("\n");
}

export function overview(): string {
  return [
    "waybill <command> [options]",
    ...section("Commands", table([...commandRows(COMMANDS), ...WAYS])),
    "",
    EXIT_CODES,
  ].join("\n");
}
