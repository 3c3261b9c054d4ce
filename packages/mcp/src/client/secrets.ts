import { isSecretName } from "@waybill/core/cards";
import { referencesIn } from "./fill-in.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Values = Readonly<Record<string, string>>;

/** The forms of a secret to remove: `Bearer abc`, and `abc` without the first word. */
function spellings(value: string): string[] {
  const [, token] = /^\w+\s+(\S+)$/u.exec(value) ?? [];
  return token === undefined ? [value] : [value, token];
}

/**
 * Common variables for folders, languages and names. They are not secret and occur in many
 * answers.
 */
const USUAL =
  /^(?:HOME|PATH|PWD|USER|LOGNAME|USERNAME|SHELL|TERM|LANG|TZ|TMP|TEMP|TMPDIR|(?:LC|XDG)_\w+)$/u;

/**
 * The secrets that are sent to a server: values with secret-looking names, and values of
 * variables. Other values are in the configuration file, where its readers see them anyway.
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
