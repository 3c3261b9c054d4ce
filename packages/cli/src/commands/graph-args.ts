import { isRecord } from "@waybill/core";
import type { Words } from "../command.ts";
import type { Io } from "../io.ts";
import { readJson } from "../read-json.ts";
import { UsageError } from "../usage-error.ts";

const HINT = 'Inputs are written key=value, or as JSON: --args \'{"target": "src/index.ts"}\'';

/** What looks like JSON is read so; the rest is text, as people write it. */
function valueOf(text: string): unknown {
  if (!/^(?:true|false|null|-?\d+|[[{"][^]*)$/u.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function pairOf(word: string): readonly [string, unknown] {
  const at = word.indexOf("=");
  if (at > 0) return [word.slice(0, at), valueOf(word.slice(at + 1))];
  throw new UsageError(`${JSON.stringify(word)} is not key=value`, { hint: HINT });
}

/** The inputs of a tool: `--args` first, then each `key=value` over it. */
export async function readToolArgs(
  { values }: Words,
  pairs: readonly string[],
  io: Io,
): Promise<Record<string, unknown>> {
  const text = values.get("args");
  const base = text === undefined ? {} : await readJson("--args", text, io);
  if (!isRecord(base)) throw new UsageError("--args must be a JSON object", { hint: HINT });
  return { ...base, ...Object.fromEntries(pairs.map(pairOf)) };
}
