import { isRecord } from "@waybill/core";
import type { Io } from "../io.ts";
import { readJson } from "../read-json.ts";
import { UsageError } from "../usage-error.ts";

const HINT = "Inputs are written key=value, or as JSON with --input";

function readPair(word: string): readonly [string, string] {
  const at = word.indexOf("=");
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  throw new UsageError(`${JSON.stringify(word)} is not key=value`, { hint: HINT });
}

function readPairs(words: readonly string[]): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const word of words) {
    const [key, value] = readPair(word);
    if (pairs.has(key)) {
      const hint = `For a list write it as JSON: ${key}=["a","b"]`;
      throw new UsageError(`${key} is given twice`, { hint });
    }
    pairs.set(key, value);
  }
  return pairs;
}

/** The params of a call: `--input` first, then each `key=value` over it. */
export async function readParams(
  input: string | undefined,
  words: readonly string[],
  io: Io,
): Promise<Record<string, unknown>> {
  const pairs = readPairs(words);
  const base = input === undefined ? {} : await readJson("--input", input, io);
  if (!isRecord(base)) throw new UsageError("--input must be a JSON object", { hint: HINT });
  return Object.fromEntries([...Object.entries(base), ...pairs]);
}
