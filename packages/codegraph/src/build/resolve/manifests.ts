import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../../graph/index.ts";
import { folderOf } from "./tree.ts";

/** A package.json of the tree with the fields that say where a package is entered. */
export interface PackageFile extends Manifest {
  /** Its folder, relative to the root. */
  readonly folder: string;
  readonly exports: unknown;
  readonly imports: unknown;
  readonly bin: unknown;
  readonly browser: unknown;
  readonly main?: string;
  readonly module?: string;
  readonly types?: string;
}

/** Undefined when the file is gone or is no JSON object; nothing can be said of it then. */
export function readPackageFile(root: string, path: string): PackageFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(root, path), "utf8").replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
  return isRecord(value) ? packageFileOf(path, value) : undefined;
}

function packageFileOf(path: string, value: Record<string, unknown>): PackageFile {
  const { name, main, module } = value;
  const types = value["types"] ?? value["typings"];
  return {
    path,
    folder: folderOf(path),
    ...(typeof name === "string" && { name }),
    ...(typeof main === "string" && { main }),
    ...(typeof module === "string" && { module }),
    ...(typeof types === "string" && { types }),
    exports: value["exports"],
    imports: value["imports"],
    bin: value["bin"],
    browser: value["browser"],
    dependencies: [...namesIn(value["dependencies"]), ...namesIn(value["optionalDependencies"])],
    devDependencies: namesIn(value["devDependencies"]),
    peerDependencies: namesIn(value["peerDependencies"]),
  };
}

const namesIn = (value: unknown): string[] =>
  isRecord(value) ? Object.keys(value).toSorted() : [];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
