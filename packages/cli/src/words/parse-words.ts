import { parseArgs } from "node:util";
import type { Command, Words } from "../command.ts";
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

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

/**
 * Short flags that mean the same in every command of `gh`. The meaning of others depends on the
 * command.
 */
const SHORT: Readonly<Record<string, string>> = {
  B: "base",
  H: "head",
  L: "limit",
  R: "repo",
  a: "assignee",
  b: "body",
  l: "label",
  t: "title",
};

/** Reads `--label bug`, `--label=bug`, `-l bug` and `--draft` as inputs. */
function inputWord({ name: given, value }: OptionToken, next: Token | undefined): string {
  const name = SHORT[given] ?? given;
  if (value !== undefined) return `${name}=${value}`;
  return isValueFor(next) ? `${name}=${next.value}` : `${name}=true`;
}

function isValueFor(next: Token | undefined): next is Extract<Token, { kind: "positional" }> {
  return next?.kind === "positional" && !/^[\w-]+=/u.test(next.value);
}

function findProblem(command: Command, token: OptionToken): string | undefined {
  const takes = parseOptionsFor(command)[token.name]?.value;
  const { value, rawName } = token;
  if (takes === undefined) return value === undefined ? undefined : `${rawName} takes no value`;
  if (value === undefined || value === "") return `${rawName} needs a value: ${rawName} ${takes}`;
  // In `--select --trace`, the value of `--select` is missing, because `--trace` is an option
  // itself.
  const looksLikeFlag = token.inlineValue !== true && value.length > 1 && value.startsWith("-");
  return looksLikeFlag
    ? `${rawName} needs a value; write one that begins with a dash as ${rawName}=${value}`
    : undefined;
}

/** Options that every command has. */
export const COMMON_OPTIONS: Command["options"] = {
  config: { value: "FILE", help: "Use this configuration file instead of the nearest one" },
};

function parseOptionsFor({ options }: Command): Command["options"] {
  return { ...COMMON_OPTIONS, ...options };
}

/**
 * The parser must know all options, because an option's type decides whether the next word is its
 * value.
 */
function parserOptions(command: Command): Record<string, { type: "string" | "boolean" }> {
  const given = Object.entries(parseOptionsFor(command)).map(([name, { value }]) => {
    return [name, { type: value === undefined ? "boolean" : "string" } as const] as const;
  });
  return Object.fromEntries(given);
}

/** Whether the user asks for help, even if the rest of the line is invalid. */
export function wantsHelp(rest: readonly string[]): boolean {
  const end = rest.indexOf("--");
  const flags = end < 0 ? rest : rest.slice(0, end);
  return flags.includes("--help") || flags.includes("-h");
}

/**
 * Whether an unknown flag is an input. A flag that resembles an option is probably a typing
 * mistake.
 */
function isInput(
  { takesInputs }: Command,
  { name, rawName }: OptionToken,
  error: UsageError,
): boolean {
  if (takesInputs !== true) return false;
  if (!rawName.startsWith("--")) return Object.hasOwn(SHORT, name);
  return error.details.did_you_mean === undefined;
}

/** `gh pr review --approve` has no value, but Waybill's `--approve` option has one. */
function withSwitches({ takesInputs }: Command, rest: readonly string[]): string[] {
  const isSwitch = (word: string, index: number): boolean =>
    takesInputs === true && word === "--approve" && (rest[index + 1] ?? "--").startsWith("--");
  return rest.map((word, index) => (isSwitch(word, index) ? "approve=true" : word));
}

/** Parses a command line. Throws a UsageError for anything that the command does not know. */
export async function parseWords(command: Command, rest: readonly string[]): Promise<Words> {
  const { tokens } = parseArgs({
    args: withSwitches(command, rest),
    options: parserOptions(command),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const inputs: string[] = [];
  const values = new Map<string, string>();
  const switches = new Set<string>();
  let isValue = false;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "positional" && !isValue) positionals.push(token.value);
    isValue = false;
    if (token.kind !== "option") continue;
    if (!Object.hasOwn(parseOptionsFor(command), token.name)) {
      const error = await unknownFlag(command, token);
      if (!isInput(command, token, error)) throw error;
      inputs.push(inputWord(token, tokens[index + 1]));
      isValue = token.value === undefined && isValueFor(tokens[index + 1]);
      continue;
    }
    const problem = findProblem(command, token);
    if (problem !== undefined) throw new UsageError(problem, { hint: helpHint(command) });
    if (values.has(token.name)) {
      const message = `${token.rawName} is given twice; it takes one value`;
      throw new UsageError(message, { hint: helpHint(command) });
    }
    if (token.value === undefined) switches.add(token.name);
    else values.set(token.name, token.value);
  }
  return { positionals: [...positionals, ...inputs], values, switches };
}
