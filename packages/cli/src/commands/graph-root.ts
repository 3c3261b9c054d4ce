import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Words } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";

/** The root of a graph command (default: current folder). */
export function getRoot({ values }: Words, { cwd }: Io): string {
  const given = values.get("root");
  const root = resolve(cwd, given ?? ".");
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === true) return root;
  throw new UsageError(`${given ?? root} is not a folder`, { hint: "--root DIR" });
}

/** The time limit for a command that asks one question. It may wait longer than a server does. */
const PATIENCE_MS = 30_000;

/** The code base of a command that asks one question. */
export function codeBaseOptions(words: Words, io: Io): { root: string; patienceMs: number } {
  return { root: getRoot(words, io), patienceMs: PATIENCE_MS };
}
