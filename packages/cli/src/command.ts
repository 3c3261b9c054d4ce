import type { ExitCode } from "./exit-codes.ts";
import type { Io } from "./io.ts";

export interface OptionSpec {
  /** The placeholder for its value in help; an option without one is a switch. */
  readonly value?: string;
  readonly help: string;
}

/** A command line taken apart. */
export interface Words {
  readonly positionals: readonly string[];
  /** The values of options that were given. */
  readonly values: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<string>;
}

/** Runs a whole command line. */
export type RunAgain = (io: Io) => Promise<ExitCode>;

/** The table of all commands, and how to run one, come along for commands that are about others. */
export type RunCommand = (
  words: Words,
  io: Io,
  commands: readonly Command[],
  main?: RunAgain,
) => Promise<ExitCode>;

/** One row of the table: enough to print help without loading the command itself. */
export interface Command {
  /** One or two words. */
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name. */
  readonly usage: string;
  /** Without its dashes → what it does. */
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** A hint for flags that do not exist. */
  readonly flagHint?: string;
  /** Whether `--label bug` is the input `label=bug` if there is no such option (default: an error). */
  readonly takesInputs?: boolean;
  readonly notes?: readonly string[];
  /** More lines of help that only the command's own modules can compute. */
  readonly details?: () => Promise<readonly string[]>;
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}
