// Reads the help of programs. It has no standard format, so every result is a guess.

/** A subcommand that a help text lists. */
export interface HelpCommand {
  readonly name: string;
  readonly about: string;
}

/** An option that a help text lists. */
export interface HelpOption {
  /** The name without its dashes. */
  readonly name: string;
  /** Whether the option takes a value. */
  readonly hasValue: boolean;
  readonly about: string;
}

const MAX_COMMANDS = 60;
const MAX_OPTIONS = 20;

/** Matches `   log        Show commit logs`: two or more spaces between a name and a sentence. */
const COMMAND = /^\s{1,8}([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:,\s[a-z-]+)?\*?:?\s{2,}(\S.*)$/u;
/** Matches `  -n, --max-count <number>   limit the number of commits`. */
const OPTION =
  /^\s+(?:-\w(?:[ =]?[<[][^\s,]+)?,\s+)?--(?:\[no-\])?([a-z][a-z0-9-]*)(\[?=\S+|\s<[^>]+>|\s[A-Z][A-Z_]+\b|\s(?:string|int|duration|list)\b)?(?:\s{2,}(\S.*))?$/u;

const NOT_OPTIONS = new Set(["help", "version"]);

function unique<T extends { readonly name: string }>(found: readonly T[], most: number): T[] {
  return [...new Map(found.map((each) => [each.name, each])).values()].slice(0, most);
}

/** The subcommands in a help text. */
export function commandsIn(text: string): HelpCommand[] {
  const found = text.split("\n").flatMap((line) => {
    const [, name, about] = COMMAND.exec(line) ?? [];
    return name === undefined || about === undefined ? [] : [{ name, about: about.trim() }];
  });
  return unique(found, MAX_COMMANDS).filter(({ name }) => !NOT_OPTIONS.has(name));
}

/** The long options in a help text. The description may be on the next line. */
export function helpOptions(text: string): HelpOption[] {
  const lines = text.split("\n");
  const found = lines.flatMap((line, index) => {
    const [, name, value, about] = OPTION.exec(line) ?? [];
    if (name === undefined) return [];
    const next = lines[index + 1]?.trim() ?? "";
    const sentence = about ?? (next.startsWith("-") ? "" : next);
    return [{ name, hasValue: value !== undefined, about: sentence.trim() }];
  });
  return unique(found, MAX_OPTIONS).filter(({ name }) => !NOT_OPTIONS.has(name));
}
