import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@waybill/core/schema";
import { SERVER_NAME } from "./launcher.ts";
import { refuseFile } from "./piece.ts";

/** The text of a settings file before and after a change. */
export interface TextChange {
  readonly path: string;
  /** The keys that lead to the list of servers. */
  readonly at: readonly string[];
  readonly before: string;
  readonly after: string;
}

function without(file: unknown, [key = "", ...deeper]: readonly string[]): unknown {
  if (!isRecord(file)) return file ?? {};
  const { [key]: found, ...rest } = file;
  if (deeper.length === 0 || found === undefined) return rest;
  const inner = without(found, deeper);
  return isRecord(inner) && Object.keys(inner).length === 0 ? rest : { ...rest, [key]: inner };
}

/**
 * Refuses a change that alters more than Waybill's entry. That happens if the text of an entry
 * stands inside a string, or if the file ends early.
 */
export function assertSameRest(
  { path, at, before, after }: TextChange,
  parse: (path: string, text: string) => unknown,
): void {
  const valuesBeside = (text: string): unknown => without(parse(path, text), [...at, SERVER_NAME]);
  const expected = valuesBeside(before);
  try {
    if (isDeepStrictEqual(valuesBeside(after), expected)) return;
  } catch {
    // The changed text cannot be parsed, so it is refused too.
  }
  const why = "has a form that setup cannot change without changing other parts of it";
  throw refuseFile(path, why, "Add or remove the server waybill by hand");
}
