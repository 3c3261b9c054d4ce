import { refuseInput } from "./refuse-input.ts";

export type Params = Readonly<Record<string, unknown>>;

/** The input of one call while it is put into its proper form. */
export interface Reading {
  readonly id: string;
  readonly written: Record<string, unknown>;
  /** What the capability takes. */
  readonly properties: Params;
  /** Whose addresses are meant; those of any host where none is said. */
  readonly host: string | undefined;
}

/** `issue_number` and `issue-number` as our inputs are written. */
export function camelCased(name: string): string {
  return name.replaceAll(/[_-]([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

/** `#12` is how people write a number. */
export function withoutHash(value: unknown): unknown {
  return typeof value === "string" && /^#\d+$/.test(value) ? value.slice(1) : value;
}

/** GitHub takes the names of owners and repositories in any case. */
function isSame(given: unknown, said: string | number): boolean {
  return String(withoutHash(given)).toLowerCase() === String(said).toLowerCase();
}

/**
 * Sets what another input, `from`, says as well. Two inputs that name different things are refused:
 * whichever were taken, a write could go where nobody meant it to. A reference to another step is
 * compared when it has become a value.
 */
export function agree(
  { id, written, properties }: Reading,
  from: string,
  name: string,
  said: string | number | undefined,
): void {
  if (said === undefined || !Object.hasOwn(properties, name)) return;
  const given = written[name];
  if (!Object.hasOwn(written, name)) written[name] = said;
  else if (["string", "number"].includes(typeof given) && !isSame(given, said)) {
    const message = `leads to ${name}=${said}, but ${name}=${String(given)} is given too`;
    throw refuseInput(id, from, `${message}; leave one of them out`);
  }
}
