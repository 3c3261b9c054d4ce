import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getCandidates } from "../resolve/relative.ts";
import { parentFolder, joinPath } from "../resolve/tree.ts";
import type { FileTree } from "../resolve/tree.ts";

/** A function that a platform is told to call, by the file that holds it. */
export interface NamedHandler {
  readonly manifest: string;
  readonly line: number;
  /** As written: the path of a file without its ending, a dot, and the name of an export. */
  readonly text: string;
  /** Undefined where there is no such file. */
  readonly file: string | undefined;
}

const MANIFEST = /(?:^|\/)serverless\.ya?ml$/;
const HANDLER = /^\s*handler:\s*["']?([\w@./-]+)\.(\w+)["']?\s*(?:#.*)?$/;
const OTHER_ENDINGS = [".py", ".go"];

/** The handlers that the serverless.yml files of a tree name. */
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

/** Nothing can be said of a file that cannot be read. */
export function readFileLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
