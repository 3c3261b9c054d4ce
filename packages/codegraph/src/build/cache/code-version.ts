import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { Dirent } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FORMAT_VERSION } from "../../graph/index.ts";

const PACKAGE = fileURLToPath(new URL("../../../package.json", import.meta.url));
const CODE = fileURLToPath(new URL("../../", import.meta.url));
/** What decides what a graph says; how it is asked does not. */
const FOLDERS = ["build", "graph", "patterns"];
const IS_CODE = /(?<!\.d)(?<!\.test)\.[jt]s$/;

let known: string | undefined;

/** Names the code that makes graphs: one that other code has made may say something else. */
export function codeVersion(): string {
  return (known ??= `${FORMAT_VERSION} ${versionOf(PACKAGE, CODE)}`);
}

/**
 * The package with the versions of its parsers, and for whoever works on it the names, sizes and
 * times of its files: reading them all would take longer than opening a graph.
 */
export function versionOf(manifest: string, code: string): string {
  const texts = [textOf(manifest), ...FOLDERS.flatMap((folder) => stampsIn(code, folder))];
  return hash("sha1", texts.toSorted().join("\n"), "hex");
}

function stampsIn(code: string, folder: string): string[] {
  return entriesIn(join(code, folder)).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return stampsIn(code, path);
    if (!IS_CODE.test(path)) return [];
    const { size, mtimeMs } = statSync(join(code, path));
    return [`${path} ${size} ${mtimeMs}`];
  });
}

/** In a bundle there are none, and the package's version has to do. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
