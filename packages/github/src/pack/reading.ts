import { refuseInput } from "./refuse-input.ts";

export type Params = Readonly<Record<string, unknown>>;

/** The input of one call while it is being normalised. */
export interface Reading {
  readonly id: string;
  readonly written: Record<string, unknown>;
  /** The schemas of the capability's inputs. */
  readonly properties: Params;
  /** The host of accepted URLs; undefined accepts any host. */
  readonly host: string | undefined;
}

/** Converts `issue_number` and `issue-number` to `issueNumber`. */
export function camelCased(name: string): string {
  return name.replaceAll(/[_-]([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

/** Whether an input is true. On a command line it is text. */
export function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

/** Removes the `#` of `#12`. */
export function withoutHash(value: unknown): unknown {
  return typeof value === "string" && /^#\d+$/.test(value) ? value.slice(1) : value;
}

/** Compares inputs. GitHub ignores the case of owners and repositories. */
function isSameInput(given: unknown, said: string | number): boolean {
  return String(withoutHash(given)).toLowerCase() === String(said).toLowerCase();
}

/**
 * Sets an input whose value follows from another input, `from`. If both are given and differ, the
 * call is refused, because a write could go to the wrong place. If one is a reference to another
 * step, they are compared once its value is known.
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
