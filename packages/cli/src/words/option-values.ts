import type { Words } from "../command.ts";
import { UsageError, unknownWord } from "./usage-error.ts";

/** The items of a JSON list such as `["a","b.c"]`; undefined if the text is not a JSON list. */
function jsonItems(text: string): string[] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const items: unknown = JSON.parse(text);
    const isTexts = Array.isArray(items) && items.every((item) => typeof item === "string");
    return isTexts ? items : undefined;
  } catch {
    return undefined;
  }
}

/** Splits `a,b.c` or `["a","b.c"]` into a list; undefined if the option was not given. */
export function listValue({ values }: Words, name: string): string[] | undefined {
  const text = values.get(name)?.trim();
  const items =
    text === undefined
      ? undefined
      : (jsonItems(text) ?? text.split(",").map((item) => item.trim()));
  if (items?.includes("") === true) {
    throw new UsageError(`--${name} has an empty item; write a list such as a,b`);
  }
  return items;
}

export function numberValue({ values }: Words, name: string): number | undefined {
  const text = values.get(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    throw new UsageError(`--${name} must be a whole number, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}

/** The value of an option that must be one of a few words. */
export async function choiceValue<T extends string>(
  { values }: Words,
  name: string,
  choices: readonly T[],
): Promise<T | undefined> {
  const text = values.get(name);
  const choice = choices.find((known) => known === text);
  if (text === undefined || choice !== undefined) return choice;
  const message = `--${name} must be one of ${choices.join(", ")}, not ${JSON.stringify(text)}`;
  throw await unknownWord(message, text, choices, `--${name} ${choices[0]}`);
}

/** Leaves out options that were not given, so that they are absent and not undefined. */
export function givenOptions<T extends object>(options: { [K in keyof T]: T[K] | undefined }): T {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}
