import { fail } from "@waybill/core";

type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{env:([A-Za-z_]\w*)(?::-([^}]*))?\}/gu;

/** The variables that a text refers to. */
export function referencesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, name = ""]) => name);
}

/** Fills in `${env:NAME}` and `${env:NAME:-default}` in a text. */
export function fillIn(text: string, environment: Environment): string {
  return text.replaceAll(REFERENCE, (_whole, name: string, otherwise: string | undefined) => {
    const value = environment[name] ?? otherwise;
    if (value !== undefined) return value;
    throw fail("AUTH", `The environment variable ${name} is not set`, {
      outcome: "not_applied",
      hint: `Set ${name}, which this MCP source refers to`,
    });
  });
}

/** Fills in every value of a record. */
export function fillInAll(
  texts: Readonly<Record<string, string>>,
  environment: Environment,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, fillIn(text, environment)]),
  );
}
