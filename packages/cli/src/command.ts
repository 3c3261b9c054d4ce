import type { ExitCode } from "./exit-codes.ts";
import type { Io } from "./io.ts";

export interface OptionSpec {
  /**
   * The placeholder for the option's value in help. An option without a placeholder is a switch.
   */
  readonly value?: string;
  readonly help: string;
}

/** A parsed command line. */
export interface Words {
  readonly positionals: readonly string[];
  /** The values of options that were given. */
  readonly values: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<string>;
}

/** Runs a whole command line. */
export type RunAgain = (io: Io) => Promise<ExitCode>;

/**
 * Runs one command. Some commands are about other commands, so they also get the table and a way to
 * run one.
 */
export type RunCommand = (
  words: Words,
  io: Io,
  commands: readonly Command[],
  main?: RunAgain,
) => Promise<ExitCode>;

/** One row of the command table. Help is printed from it without loading the command's code. */
export interface Command {
  /** The command's name: one or two words. */
  readonly name: string;
  readonly summary: string;
  /** The names of the arguments, as help shows them. */
  readonly usage: string;
  /** Options by name, without the dashes. */
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** A hint that is shown after the error for an unknown flag. */
  readonly flagHint?: string;
  /**
   * Whether an unknown option is an input: `--label bug` becomes `label=bug` (default: unknown
   * options are an error).
   */
  readonly takesInputs?: boolean;
  readonly notes?: readonly string[];
  /** Help lines that need the command's own modules to compute. */
  readonly details?: () => Promise<readonly string[]>;
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}
