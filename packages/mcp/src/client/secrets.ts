import { isSecretName } from "@waybill/core/cards";
import { referencesIn } from "./fill-in.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Values = Readonly<Record<string, string>>;

/** `Bearer abc` is told with and without its first word. */
function spellings(value: string): string[] {
  const [, token] = /^\w+\s+(\S+)$/u.exec(value) ?? [];
  return token === undefined ? [value] : [value, token];
}

/** Variables that everybody has: folders, languages and names, which answers are full of. */
const USUAL =
  /^(?:HOME|PATH|PWD|USER|LOGNAME|USERNAME|SHELL|TERM|LANG|TZ|TMP|TEMP|TMPDIR|(?:LC|XDG)_\w+)$/u;

/**
 * The secrets sent to a server: values whose names suggest it, and variables that a string refers
 * to. Values written literally under other names are no secrets to readers of the file.
 */
export function secretsIn(texts: Values, filled: Values, environment: Environment): string[] {
  const own = Object.entries(filled).filter(([name]) => isSecretName(name));
  const referred = Object.values(texts)
    .flatMap(referencesIn)
    .filter((variable) => !USUAL.test(variable));
  const values = [
    ...own.flatMap(([, value]) => spellings(value)),
    ...referred.map((variable) => environment[variable] ?? ""),
  ];
  return [...new Set(values.filter((value) => value !== ""))];
}
