import { parseArgs } from "node:util";
import type { Command, Words } from "./command.ts";
import { UsageError, unknownWord } from "./usage-error.ts";

interface OptionToken {
  readonly kind: "option";
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function helpHint({ name }: Command): string {
  return `waybill help ${name}`;
}

async function unknownFlag(command: Command, { rawName }: OptionToken): Promise<UsageError> {
  const flags = [...Object.keys(command.options), "help"].map((name) => `--${name}`);
  const hints = [command.flagHint, helpHint(command)].filter((hint) => hint !== undefined);
  const message = `waybill ${command.name} has no option ${rawName}`;
  return unknownWord(message, rawName, flags, hints.join("; "));
}

function problemOf(command: Command, token: OptionToken): string | undefined {
  const takes = optionsFor(command)[token.name]?.value;
  const { value, rawName } = token;
  if (takes === undefined) return value === undefined ? undefined : `${rawName} takes no value`;
  if (value === undefined || value === "") return `${rawName} needs a value: ${rawName} ${takes}`;
  // `--select --trace` is a value forgotten rather than a value with dashes.
  const looksLikeFlag = token.inlineValue !== true && value.length > 1 && value.startsWith("-");
  return looksLikeFlag
    ? `${rawName} needs a value; write one that begins with a dash as ${rawName}=${value}`
    : undefined;
}

/** Options that every command has. */
export const COMMON_OPTIONS: Command["options"] = {
  config: { value: "FILE", help: "Use this configuration file instead of the nearest one" },
};

function optionsFor({ options }: Command): Command["options"] {
  return { ...COMMON_OPTIONS, ...options };
}

/** A switch's type decides whether the next word is its value, so the parser must know them all. */
function parserOptions(command: Command): Record<string, { type: "string" | "boolean" }> {
  const given = Object.entries(optionsFor(command)).map(([name, { value }]) => {
    return [name, { type: value === undefined ? "boolean" : "string" } as const] as const;
  });
  return Object.fromEntries(given);
}

/** Whether help is requested, whatever else is wrong with the line. */
export function wantsHelp(rest: readonly string[]): boolean {
  const end = rest.indexOf("--");
  const flags = end < 0 ? rest : rest.slice(0, end);
  return flags.includes("--help") || flags.includes("-h");
}

/** Takes a command line apart. Throws a UsageError for whatever the command does not know. */
export async function parseWords(command: Command, rest: readonly string[]): Promise<Words> {
  const { tokens, positionals } = parseArgs({
    args: [...rest],
    options: parserOptions(command),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string>();
  const switches = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    if (!Object.hasOwn(optionsFor(command), token.name)) throw await unknownFlag(command, token);
    const problem = problemOf(command, token);
    if (problem !== undefined) throw new UsageError(problem, { hint: helpHint(command) });
    if (values.has(token.name)) {
      const message = `${token.rawName} is given twice; it takes one value`;
      throw new UsageError(message, { hint: helpHint(command) });
    }
    if (token.value === undefined) switches.add(token.name);
    else values.set(token.name, token.value);
  }
  return { positionals, values, switches };
}
