// Proposes the operations of a program, based on its help.
import { fail } from "@waybill/core";
import type { Effect } from "@waybill/core";
import type { Environment } from "../environment.ts";
import { scrubEnvironment } from "../environment.ts";
import { findProgram } from "../find-program.ts";
import { runProgram } from "../run-program.ts";
import { commandsIn, helpOptions } from "./help-text.ts";
import type { HelpCommand, HelpOption } from "./help-text.ts";
import type { ArgvItem, CommandManifest, ManifestOperation } from "./manifest.ts";

const HELP_MS = 10_000;
const MAX_HELP = 400_000;
const AT_ONCE = 4;
/** Variables that switch off pagers and colours. */
const PLAIN = { PAGER: "cat", MANPAGER: "cat", GIT_PAGER: "cat", NO_COLOR: "1", TERM: "dumb" };

const READS =
  /^(?:list|ls|show|log|status|diff|view|describe|info|search|cat|grep|blame|tree|top|ps|inspect|whoami|explain|history|outdated)\b/u;
const DESTROYS =
  /^(?:delete|rm|remove|reset|clean|purge|destroy|drop|prune|kill|uninstall|unpublish|revert)\b/u;

function guessEffect(name: string): Effect {
  if (DESTROYS.test(name)) return "destructive";
  return READS.test(name) ? "read" : "write";
}

/**
 * Everything that the program printed. Some programs print their help on standard error or exit
 * with an error code.
 */
async function printedBy(program: string, argv: string[], env: Environment): Promise<string> {
  const result = await runProgram({
    program,
    argv,
    env: { ...scrubEnvironment(env, []), ...PLAIN },
    deadline: Date.now() + HELP_MS,
    maxOutputBytes: MAX_HELP,
  }).catch(() => undefined);
  await result?.rest?.close();
  return result === undefined ? "" : `${Buffer.from(result.stdout).toString()}\n${result.stderr}`;
}

/**
 * Matches `usage: git [-h | --help]`. Other programs may use `-h` for a host and start
 * something.
 */
const SHORT_HELP = /-h\b[^\n\w]{1,6}--help\b/u;

/**
 * Tries several ways to get help, because `git log --help` opens a manual page, which may be
 * missing.
 */
async function helpFor(
  program: string,
  name: string,
  takesShort: boolean,
  env: Environment,
): Promise<string> {
  const long = await printedBy(program, [name, "--help"], env);
  if (helpOptions(long).length > 0 || !takesShort) return long;
  return printedBy(program, [name, "-h"], env);
}

function inputName({ name }: HelpOption): string {
  return name.replaceAll("-", "_");
}

function word({ name, hasValue }: HelpOption): ArgvItem {
  const input = name.replaceAll("-", "_");
  return hasValue ? `--${name}={${input}}` : `--${name}{${input}?}`;
}

function describeOption({ hasValue, about }: HelpOption): object {
  return { type: hasValue ? "string" : "boolean", ...(about !== "" && { description: about }) };
}

function operation(
  { name, about }: HelpCommand,
  options: readonly HelpOption[],
): ManifestOperation {
  const inputs = options.map((option) => [inputName(option), describeOption(option)] as const);
  return {
    description: about,
    guess: true,
    effect: guessEffect(name),
    argv: [name, ...options.map(word), "{args...}"],
    input: {
      ...Object.fromEntries(inputs),
      args: { type: "array", items: { type: "string" }, description: "Further arguments" },
    },
  };
}

/** Proposes every subcommand in a program's help as an operation that a person must confirm. */
export async function proposeManifest(program: string, env: Environment): Promise<CommandManifest> {
  if ((await findProgram(program, env)) === undefined) {
    throw fail(
      "NOT_FOUND",
      `There is no file and no program called ${program}; pass the path of a manifest, or install the program`,
    );
  }
  const help = await printedBy(program, ["--help"], env);
  const takesShort = SHORT_HELP.test(help);
  const commands = commandsIn(help);
  if (commands.length === 0) {
    const hint = "Write a manifest that lists its operations and their arguments";
    throw fail("VALIDATION", `${program} --help lists no subcommands`, { hint });
  }
  const waiting = commands.values();
  const found = new Map<string, ManifestOperation>();
  const lane = async (): Promise<void> => {
    for (const command of waiting) {
      const options = helpOptions(await helpFor(program, command.name, takesShort, env));
      found.set(
        command.name,
        operation(
          command,
          options.filter(({ name }) => name !== "args"),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const operations = commands.map(({ name }) => [name, found.get(name)!] as const);
  return { program, operations: Object.fromEntries(operations) };
}
