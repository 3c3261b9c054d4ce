import type { Command, OptionSpec } from "../command.ts";

export type Commands = readonly Command[];

/**
 * The possible first words of a command line. The first word of a group also has the words that may
 * follow.
 */
export interface FirstWord {
  readonly word: string;
  readonly verbs: readonly string[];
}

/** Commands whose next word is the id of a capability. */
const TAKES_ID = /^<id>/;

export function firstWords(commands: Commands): readonly FirstWord[] {
  const words = [...new Set(commands.map(({ name }) => name.split(" ", 1)[0]!))];
  return words.map((word) => ({
    word,
    verbs: commands.flatMap(({ name }) => {
      const [first, verb] = name.split(" ");
      return first === word && verb !== undefined ? [verb] : [];
    }),
  }));
}

export function commandFlags({ options }: Command): string[] {
  return [...Object.keys(options), "help"].map((name) => `--${name}`);
}

/** The choices of an option, which its help lists, as in `stop|continue`. */
export function getChoices({ value = "" }: OptionSpec): readonly string[] {
  return /^[a-z]+(?:\|[a-z]+)+$/.test(value) ? value.split("|") : [];
}

export function commandsWithIds(commands: Commands): readonly Command[] {
  return commands.filter(({ usage }) => TAKES_ID.test(usage));
}

/** The options with a value of all commands, each with its choices. */
export function valuedOptions(commands: Commands): ReadonlyMap<string, readonly string[]> {
  const all = commands.flatMap(({ options }) => Object.entries(options));
  const valued = all.filter(([, { value }]) => value !== undefined);
  return new Map(valued.map(([name, option]) => [`--${name}`, getChoices(option)]));
}
