import type { Words } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";
import { isAboutCode } from "../waybill/index.ts";
import { codeBaseOptions } from "./graph-root.ts";

/** The code base that these capability ids are about; undefined if none of them is about code. */
export function codeFor(
  ids: readonly string[],
  words: Words,
  io: Io,
): { code?: ReturnType<typeof codeBaseOptions> } {
  if (ids.some(isAboutCode)) return { code: codeBaseOptions(words, io) };
  if (!words.values.has("root")) return {};
  throw new UsageError(
    '--root works only for capabilities whose ids begin with "graph."; leave it out here',
  );
}
