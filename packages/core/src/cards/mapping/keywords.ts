import { isRecord } from "../../envelope/index.ts";
import { pointerKey } from "../../schema/index.ts";
import type { MapNode, PreparedMapping } from "./prepared-mapping.ts";

/** The methods of the reader that parsing a keyword needs. */
interface Reader {
  read(mapping: unknown, pointer: string): PreparedMapping;
  members(mapping: unknown, pointer: string): PreparedMapping;
  template(text: unknown, pointer: string): PreparedMapping;
  refuse(pointer: string, message: string): PreparedMapping;
}

interface WordForm {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  /** Exactly one of these keys must be present. */
  readonly either?: readonly string[];
}

const INSIDE: readonly string[] = ["fields", "value"];

export type Word = "from" | "each" | "map" | "find" | "text" | "call" | "fields";

/** An object with one of these keys is parsed as that keyword. The first key found decides. */
const WORDS: Readonly<Record<Word, WordForm>> = {
  from: { required: ["from"], either: INSIDE },
  each: { required: ["each"], either: INSIDE },
  map: { required: ["map", "of"], optional: ["default"] },
  find: { required: ["find", "in", "by", "value"] },
  text: { required: ["text"] },
  call: { required: ["call"], optional: ["of"] },
  fields: { required: ["fields"] },
};
const WORD_NAMES = Object.keys(WORDS) as Word[];

export function findWord(mapping: Record<string, unknown>): Word | undefined {
  return WORD_NAMES.find((word) => Object.hasOwn(mapping, word));
}

function formProblem(word: Word, mapping: Record<string, unknown>): string | undefined {
  const { required, optional = [], either = [] } = WORDS[word];
  const missing = required.find((key) => !Object.hasOwn(mapping, key));
  if (missing !== undefined) return `"${word}" needs "${missing}"`;
  const known = [...required, ...optional, ...either];
  const stray = Object.keys(mapping).find((key) => !known.includes(key));
  if (stray !== undefined) {
    return `"${stray}" cannot be combined with "${word}"; to have plain members of these names, put them under "fields"`;
  }
  const given = either.filter((key) => Object.hasOwn(mapping, key));
  if (either.length > 0 && given.length !== 1) return `"${word}" needs ${either.join(" or ")}`;
  return undefined;
}

export function readWord(
  reader: Reader,
  word: Word,
  mapping: Record<string, unknown>,
  pointer: string,
): PreparedMapping {
  const problem = formProblem(word, mapping);
  if (problem !== undefined) return reader.refuse(pointer, problem);
  const read = (key: string): PreparedMapping =>
    reader.read(mapping[key], pointer + pointerKey(key));
  const fields = (): PreparedMapping =>
    reader.members(mapping["fields"], pointer + pointerKey("fields"));
  switch (word) {
    case "fields":
      return fields();
    case "from":
    case "each":
      return { is: word, of: read(word), value: "fields" in mapping ? fields() : read("value") };
    case "map":
      return readMap(reader, mapping, pointer, read("of"));
    case "find":
      return {
        is: "find",
        name: read("find"),
        list: read("in"),
        by: read("by"),
        value: read("value"),
      };
    case "text":
      return reader.template(mapping["text"], pointer + pointerKey("text"));
    case "call":
      return readCall(reader, mapping, pointer);
  }
}

/** The values of a `map` table are constants in the upstream's terms, not expressions. */
function readMap(
  reader: Reader,
  mapping: Record<string, unknown>,
  pointer: string,
  of: PreparedMapping,
): PreparedMapping {
  const table = mapping["map"];
  if (!isRecord(table) || Object.keys(table).length === 0) {
    return reader.refuse(
      pointer + pointerKey("map"),
      "must be an object that maps each value to its result",
    );
  }
  const node: MapNode = { is: "map", table, of };
  return "default" in mapping ? { ...node, fallback: { value: mapping["default"] } } : node;
}

function readCall(
  reader: Reader,
  mapping: Record<string, unknown>,
  pointer: string,
): PreparedMapping {
  const name = mapping["call"];
  if (typeof name !== "string" || !/^[A-Za-z]\w*$/.test(name)) {
    return reader.refuse(pointer + pointerKey("call"), "must be the name of a function");
  }
  const of = reader.read(mapping["of"] ?? "@", pointer + pointerKey("of"));
  return { is: "call", name, of };
}
