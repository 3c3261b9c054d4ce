import { isRecord } from "@waybill/core/schema";
import type { Words } from "../command.ts";
import type { Io } from "../io.ts";
import { readJson } from "../words/read-json.ts";
import { UsageError } from "../words/usage-error.ts";
import { fileWord } from "./file-words.ts";

function readPair(word: string, hint: string): readonly [string, string] {
  const at = word.indexOf("=");
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  throw new UsageError(`${JSON.stringify(word)} is not key=value`, { hint });
}

function hintFor(option: string, id?: string): string {
  const forms = `Inputs are written key=value, or as JSON with ${option}`;
  return id === undefined ? forms : `${forms}; waybill capabilities explain ${id} lists them`;
}

const FIELD = /^[A-Za-z_][\w.*]*$/u;

/** The arguments of `waybill run` after the id. */
export interface RunWords {
  readonly inputs: readonly string[];
  readonly fields: readonly string[];
  /** The name of an object in a repository, as in `branch.create octo/hello feature/x`. */
  readonly thing?: string;
}

const ADDRESS = /^https?:\/\//u;
const IN_REPOSITORY = /^([\w.-]+\/[\w.-]+)(?:#(\d+))?$/u;

function isReference(word: string): boolean {
  return ADDRESS.test(word) || IN_REPOSITORY.test(word);
}

/** Matches an input that names the repository. Then another word such as `docs/a` may be a path. */
const NAMES_REPOSITORY = /^(?:repo|repository|owner|name|url)=/u;

/** Puts a reference that follows inputs or fields first: `state=open octo/hello`. */
function withReferenceFirst(words: readonly string[]): readonly string[] {
  const at = words.findIndex(isReference);
  if (at < 1 || words.some((word) => NAMES_REPOSITORY.test(word))) return words;
  return [words[at]!, ...words.slice(0, at), ...words.slice(at + 1)];
}

/**
 * Splits the arguments into inputs and output fields. A word without `=` names a field, unless it
 * is a reference such as `octo/hello`. The first word may also be a number or a name. After a
 * repository, a word that cannot be a field names an object in it.
 */
export function splitWords(written: readonly string[]): RunWords {
  const [first, ...words] = withReferenceFirst(written);
  const [second = "", ...others] = words;
  const isThing = IN_REPOSITORY.test(first ?? "") && /^[^=]+$/u.test(second) && !FIELD.test(second);
  const rest = isThing ? others : words;
  return {
    inputs: [...(first === undefined ? [] : [first]), ...rest.filter((word) => !FIELD.test(word))],
    fields: rest.filter((word) => FIELD.test(word)),
    ...(isThing && { thing: second }),
  };
}

/**
 * Reads the first word as a reference: `octo/hello`, `octo/hello#3`, the URL of its page, or `12`.
 */
function readReference(word: string): readonly string[] {
  if (ADDRESS.test(word)) return [`url=${word}`];
  const [, repository, number] = IN_REPOSITORY.exec(word) ?? [];
  if (repository === undefined) return [word];
  return [`repo=${repository}`, ...(number === undefined ? [] : [`number=${number}`])];
}

/** `body-file=notes.md`, as in `gh`, means `body=@notes.md`. */
const FILE_KEY = /^(body|notes)[-_]?file$/iu;

function fileValue(key: string, value: string): readonly [string, string] {
  const [, input] = FILE_KEY.exec(key) ?? [];
  return input === undefined ? [key, value] : [input, `@${value}`];
}

/** A repeated key becomes a list. Types are converted later, by the schema. */
function readPairs(words: readonly string[], hint: string): Map<string, string | string[]> {
  const pairs = new Map<string, string | string[]>();
  for (const word of words) {
    const [key, value] = fileValue(...readPair(word, hint));
    const before = pairs.get(key);
    pairs.set(key, before === undefined ? value : [before, value].flat());
  }
  return pairs;
}

async function withFiles(key: string, value: string | string[], io: Io): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((one) => fileWord(key, one, io)));
  return fileWord(key, value, io);
}

/** The params of a call: the JSON of an option, then each `key=value`, which overrides it. */
export async function readParams(
  { values }: Words,
  option: "input" | "params" | "args",
  words: readonly string[],
  io: Io,
  id?: string,
): Promise<Record<string, unknown>> {
  const name = `--${option}`;
  const [first, ...others] = words;
  const reference = option === "input" && first !== undefined ? readReference(first) : [];
  const isNameless = reference.length === 1 && !reference[0]!.includes("=");
  const named = isNameless ? others : [...reference, ...others];
  const pairs = readPairs(reference.length === 0 ? words : named, hintFor(name, id));
  // The capability decides which input a word without a name belongs to.
  if (isNameless) pairs.set("", reference[0]!);
  const text = values.get(option);
  const base = text === undefined ? {} : await readJson(name, text, io);
  if (!isRecord(base)) {
    throw new UsageError(`${name} must be a JSON object`, { hint: hintFor(name) });
  }
  const given = await Promise.all(
    [...pairs].map(async ([key, value]) => [key, await withFiles(key, value, io)] as const),
  );
  return Object.fromEntries([...Object.entries(base), ...given]);
}
