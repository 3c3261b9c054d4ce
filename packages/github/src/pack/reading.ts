import { refuseInput } from "./refuse-input.ts";

export type Params = Readonly<Record<string, unknown>>;

/** The input of one call while it is put into its proper form. */
export interface Reading {
  readonly id: string;
  readonly written: Record<string, unknown>;
  /** The inputs of the capability. */
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
function isSameInput(given: unknown, said: string | number): boolean {
  return String(withoutHash(given)).toLowerCase() === String(said).toLowerCase();
}

/**
 * Sets an input that another input, `from`, also names. Two inputs that name different things are
 * refused, because a write could go to the wrong one. A reference to another step is compared when
 * it has become a value.
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
  else if (["string", "number"].includes(typeof given) && !isSameInput(given, said)) {
    const message = `means ${name}=${said}, but ${name}=${String(given)} was passed too`;
    throw refuseInput(id, from, `${message}; leave one of them out`);
  }
}
