import { isRecord } from "../envelope/index.ts";
import { MappingError, evaluate, scalarText } from "./mapping/index.ts";
import type { MappingScope, PreparedMapping } from "./mapping/index.ts";
import type { PreparedCommand } from "./prepared.ts";
import type { CommandRequest } from "./request.ts";

function word(value: unknown, at: string): string {
  const text = scalarText(value);
  if (text === undefined)
    throw new MappingError(at, "must be a string, a number or a boolean to go on a command line");
  if (text.includes("\0"))
    throw new MappingError(at, "must not contain a NUL character; remove it");
  return text;
}

/** Writes `--name=value` as one argument, so that a value cannot be read as another flag. */
function flagWords(name: string, value: unknown): string[] {
  if (value === null || value === false) return [];
  if (value === true) return [`--${name}`];
  if (Array.isArray(value)) return value.flatMap((item) => flagWords(name, item));
  return [`--${name}=${word(value, name)}`];
}

function commandLineFlags(mapping: PreparedMapping | undefined, scope: MappingScope): string[] {
  const value = mapping === undefined ? {} : evaluate(mapping, scope).value;
  if (!isRecord(value)) throw new MappingError("", "the flags must be an object");
  return Object.entries(value).flatMap(([name, member]) => flagWords(name, member));
}

/** Puts arguments after `--`, so that they cannot be read as flags. */
function getPositionals(mapping: PreparedMapping | undefined, scope: MappingScope): string[] {
  if (mapping === undefined) return [];
  const { value, missing } = evaluate(mapping, scope);
  if (missing.length > 0)
    throw new MappingError("positionals", `have no value for ${missing.join(", ")}; pass one`);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.length === 0 ? [] : ["--", ...values.map((item) => word(item, "positionals"))];
}

function getStdin(mapping: PreparedMapping | undefined, scope: MappingScope): { stdin?: string } {
  const value = mapping === undefined ? undefined : evaluate(mapping, scope).value;
  if (value === undefined || value === null) return {};
  return { stdin: typeof value === "string" ? value : JSON.stringify(value) };
}

/** The command line of a variant: words, flags, JSON fields, then positional arguments. */
export function commandRequest(part: PreparedCommand, scope: MappingScope): CommandRequest {
  const json = part.jsonFields === undefined ? [] : [`--json=${part.jsonFields.join(",")}`];
  const flags = commandLineFlags(part.flags, scope);
  const positionals = getPositionals(part.positionals, scope);
  return {
    kind: "command",
    argv: [...part.words, ...flags, ...json, ...positionals],
    ...getStdin(part.stdin, scope),
    isJson: part.jsonFields !== undefined,
  };
}
