import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getCandidates } from "../resolve/relative.ts";
import { parentFolder, joinPath } from "../resolve/tree.ts";
import type { FileTree } from "../resolve/tree.ts";

/** A function that a platform's configuration names as a handler. */
export interface NamedHandler {
  readonly manifest: string;
  readonly line: number;
  /** The text in the configuration: a path without extension, a dot, and an export. */
  readonly text: string;
  /** The file; undefined if it does not exist. */
  readonly file: string | undefined;
}

const MANIFEST = /(?:^|\/)serverless\.ya?ml$/;
const HANDLER = /^\s*handler:\s*["']?([\w@./-]+)\.(\w+)["']?\s*(?:#.*)?$/;
const OTHER_ENDINGS = [".py", ".go"];

/** The handlers in the serverless.yml files of a tree. */
export function namedHandlers(
  root: string,
  paths: readonly string[],
  tree: FileTree,
): NamedHandler[] {
  return paths
    .filter((path) => MANIFEST.test(path))
    .flatMap((path) => handlersIn(root, path, tree));
}

function handlersIn(root: string, manifest: string, tree: FileTree): NamedHandler[] {
  return readFileLines(join(root, manifest)).flatMap((line, at) => {
    const [, path, name] = HANDLER.exec(line) ?? [];
    const whole = path === undefined ? undefined : joinPath(parentFolder(manifest), path);
    if (whole === undefined || path === undefined || name === undefined) return [];
    const others = OTHER_ENDINGS.map((ending) => whole + ending);
    const file = tree.firstOf([...getCandidates(whole), ...others]);
    return [{ manifest, line: at + 1, text: `${path}.${name}`, file }];
  });
}

/** Reads the configuration; empty if the file cannot be read. */
export function readFileLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
