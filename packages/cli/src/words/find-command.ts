import type { Command } from "../command.ts";
import { COMMANDS } from "../command-table/index.ts";
import { UsageError, unknownWord } from "./usage-error.ts";

const HINT = "waybill --help";

export interface FoundCommand {
  readonly command: Command;
  readonly rest: readonly string[];
}

/** The command with exactly this name. */
export function commandNamed(word: string): Command | undefined {
  return COMMANDS.find(({ name }) => name === word);
}

/** The two-word commands that start with this word. */
export function getGroup(word: string | undefined): readonly Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
}

function getVerb({ name }: Command): string {
  return name.split(" ").at(-1) ?? name;
}

async function unknownVerb(group: string, verb: string | undefined): Promise<UsageError> {
  const verbs = getGroup(group).map(getVerb);
  const hint = `waybill help ${group}`;
  if (verb !== undefined) {
    return unknownWord(`waybill ${group} has no ${verb}`, verb, verbs, hint);
  }
  return new UsageError(`waybill ${group} needs one of ${verbs.join(", ")}`, { hint });
}

/** Names of commands in other programs, each with the command to use here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  auth: "connect",
  login: "connect",
  signin: "connect",
  logout: "disconnect",
  call: "run",
  exec: "run",
  execute: "run",
  api: "run",
  init: "setup",
  install: "setup",
  configure: "setup",
  mcp: "serve mcp",
  http: "serve http",
  server: "serve http",
  ui: "inspect",
  history: "inspect",
  logs: "inspect",
  calls: "inspect",
  ls: "capabilities list",
  sources: "source list",
  tools: "capabilities list",
  tour: "demo",
};

/** How to find the command. A word can also be a capability, as in `waybill issues`. */
function unknownHint(word: string): string {
  const isWord = /^[\w.-]+$/.test(word) && !word.startsWith("-");
  const search = `waybill capabilities search ${word.replaceAll(/[._-]+/g, " ")}`;
  return isWord ? `${HINT} lists the commands. To find a capability: ${search}` : HINT;
}

/**
 * Suggests the command that was probably meant if only a part of its name was given, such as
 * `explain`.
 */
async function unknownCommand(word: string): Promise<UsageError> {
  const message = `There is no command ${word}`;
  const verbs = COMMANDS.filter((command) => getVerb(command) === word).map(({ name }) => name);
  const elsewhere = Object.hasOwn(ELSEWHERE, word) ? [ELSEWHERE[word]!] : [];
  const meant = verbs.length > 0 ? verbs : elsewhere;
  if (meant.length > 0) {
    return new UsageError(`${message}; did you mean ${meant[0]}?`, {
      did_you_mean: meant,
      hint: HINT,
    });
  }
  const words = COMMANDS.map(({ name }) => name.split(" ", 1)[0]!);
  const names = word.startsWith("-") ? ["--help", "--version"] : [...new Set([...words, "help"])];
  return unknownWord(message, word, names, unknownHint(word));
}

/** The command at the start of a line. Throws a UsageError that names the nearest command. */
export async function findCommand(argv: readonly string[]): Promise<FoundCommand> {
  const [word, second] = argv;
  // Two words are tried first: `graph export` is a command, and not `graph` with an input.
  for (const name of [`${word} ${second}`, word]) {
    const command = COMMANDS.find((each) => each.name === name);
    if (command !== undefined) return { command, rest: argv.slice(name!.split(" ").length) };
  }
  if (word === undefined) throw new UsageError("No command was given", { hint: HINT });
  throw await (getGroup(word).length > 0 ? unknownVerb(word, second) : unknownCommand(word));
}
