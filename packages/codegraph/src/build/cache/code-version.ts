import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import type { Dirent } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { FORMAT_VERSION } from "../../graph/index.ts";

const MANIFEST = "package.json";
/**
 * The folders with code that determines the content of a graph. A bundle has everything in one
 * file.
 */
const FOLDERS = ["build", "graph", "patterns", "settings"];
const IS_CODE = /(?<!\.d)(?<!\.test)\.[jt]s$/;

let known: string | undefined;

/**
 * Identifies the code that builds graphs. A graph from other code may differ, so it is not reused.
 */
export function codeVersion(): string {
  return (known ??= `${FORMAT_VERSION} ${ownVersion(fileURLToPath(import.meta.url))}`);
}

/** The version of the package that contains this file, in source or in a bundle. */
function ownVersion(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, MANIFEST)) && folder !== dirname(folder))
    folder = dirname(folder);
  const [code = "", ...inside] = relative(folder, file).split(sep);
  return computeCodeVersion(
    join(folder, MANIFEST),
    inside.length > 0 ? join(folder, code) : folder,
  );
}

/**
 * The versions of the package and its parsers. In a work tree also the names, sizes and times of
 * its files. Their content is not read, because that would take longer than opening a graph.
 */
export function computeCodeVersion(manifest: string, code: string): string {
  const texts = [readCodeFile(manifest), ...stampsIn(code, "", FOLDERS)];
  return hash("sha1", texts.toSorted().join("\n"), "hex");
}

/** The stamps of all code in a folder and below, or only below some of its folders. */
function stampsIn(code: string, folder: string, below?: readonly string[]): string[] {
  return entriesIn(join(code, folder)).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return below?.includes(entry.name) === false ? [] : stampsIn(code, path);
    }
    if (!IS_CODE.test(path)) return [];
    const { size, mtimeMs } = statSync(join(code, path));
    return [`${path} ${size} ${mtimeMs}`];
  });
}

/** Empty if the folder does not exist. Then only the package's version counts. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readCodeFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
