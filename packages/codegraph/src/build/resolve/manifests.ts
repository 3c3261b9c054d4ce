import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../../graph/index.ts";
import { parentFolder, joinPath } from "./tree.ts";

/** A package.json of the tree, with the fields for entry points. */
export interface PackageFile extends Manifest {
  /** The folder relative to the root. */
  readonly folder: string;
  readonly exports: unknown;
  readonly imports: unknown;
  readonly bin: unknown;
  readonly browser: unknown;
  /** Jest's settings, if they are in this file. */
  readonly jest?: unknown;
  /** Dependencies that are folders of the tree: `"x": "file:../x"`. */
  readonly links: ReadonlyMap<string, string>;
  /** Patterns for the folders of workspace packages. */
  readonly workspaces: readonly string[];
  /** Whether the published package has other paths than the source. */
  readonly isMadeToPublish: boolean;
  readonly main?: string;
  readonly module?: string;
  readonly types?: string;
}

/** Undefined if the file is missing or not a JSON object. */
export function readPackageFile(root: string, path: string): PackageFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(root, path), "utf8").replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
  return isRecord(value) ? getPackageFile(path, value) : undefined;
}

function getPackageFile(path: string, value: Record<string, unknown>): PackageFile {
  const { name, main, module } = value;
  const types = value["types"] ?? value["typings"];
  const workspaces = isRecord(value["workspaces"])
    ? value["workspaces"]["packages"]
    : value["workspaces"];
  return {
    path,
    folder: parentFolder(path),
    ...(typeof name === "string" && { name }),
    ...(typeof main === "string" && { main }),
    ...(typeof module === "string" && { module }),
    ...(typeof types === "string" && { types }),
    exports: value["exports"],
    imports: value["imports"],
    bin: value["bin"],
    browser: value["browser"],
    ...(value["jest"] !== undefined && { jest: value["jest"] }),
    links: linksIn(parentFolder(path), value),
    workspaces: textsIn(workspaces),
    isMadeToPublish: namesIn(value["publishConfig"]).some((setting) => OTHER_PATHS.has(setting)),
    dependencies: namesIn(value["dependencies"]),
    devDependencies: namesIn(value["devDependencies"]),
    peerDependencies: namesIn(value["peerDependencies"]),
    optionalDependencies: namesIn(value["optionalDependencies"]),
    bundledDependencies: textsIn(value["bundledDependencies"] ?? value["bundleDependencies"]),
  };
}

/** Settings of `publishConfig` that replace entry points. */
const OTHER_PATHS = new Set(["directory", "linkDirectory", "exports", "main", "module"]);

const namesIn = (value: unknown): string[] =>
  isRecord(value) ? Object.keys(value).toSorted() : [];

const LINK = /^(?:file|link|portal):(.+)$/;

function linksIn(folder: string, value: Record<string, unknown>): Map<string, string> {
  const links = new Map<string, string>();
  for (const field of ["devDependencies", "dependencies"]) {
    const dependencies = value[field];
    for (const [name, version] of isRecord(dependencies) ? Object.entries(dependencies) : []) {
      const relative = typeof version === "string" ? LINK.exec(version)?.[1] : undefined;
      const path = relative === undefined ? undefined : joinPath(folder, relative);
      if (path !== undefined) links.set(name, path);
    }
  }
  return links;
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
