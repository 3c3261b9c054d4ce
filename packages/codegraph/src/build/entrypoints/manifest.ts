import type { EntrypointKind } from "../../graph/index.ts";

/** A file that a package.json names as an entry point. */
export interface ManifestEntrypoint {
  readonly kind: EntrypointKind;
  /** The name of the command, or the package with its subpath. */
  readonly name: string;
  /** The path in the manifest. It may be a build output. */
  readonly path: string;
  /** The field of the manifest. */
  readonly field: string;
}

/** The fields of a package.json that name files. */
export interface EntryFields {
  readonly name?: string;
  readonly bin?: unknown;
  readonly main?: unknown;
  readonly module?: unknown;
  readonly browser?: unknown;
  readonly exports?: unknown;
}

/** The most targets of a field, because a field can be nested in many ways. */
const MAX_TARGETS = 5000;

/** The files in `bin`, `main`, `module`, `browser` and `exports`. */
export function manifestEntrypoints(manifest: EntryFields): ManifestEntrypoint[] {
  const { name = "" } = manifest;
  const found: ManifestEntrypoint[] = [];
  for (const [command, path] of getCommands(manifest.bin, name)) {
    found.push({ kind: "command", name: command, path, field: "bin" });
  }
  for (const field of ["main", "module", "browser"] as const) {
    for (const path of manifestTargets(manifest[field]))
      found.push({ kind: "package", name, path, field });
  }
  for (const [below, target] of subpaths(manifest.exports)) {
    const served = below === "." ? name : `${name}${below.slice(1)}`;
    for (const path of manifestTargets(target))
      found.push({ kind: "package", name: served, path, field: "exports" });
  }
  return found.slice(0, MAX_TARGETS);
}

function getCommands(bin: unknown, name: string): [string, string][] {
  if (typeof bin === "string") return [[name.slice(name.lastIndexOf("/") + 1), bin]];
  if (!isObject(bin)) return [];
  return Object.entries(bin).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
}

/** `exports` is one target, or one for each subpath of the package. */
function subpaths(exports: unknown): [string, unknown][] {
  if (!isObject(exports)) return exports === undefined ? [] : [[".", exports]];
  const entries = Object.entries(exports);
  return entries.every(([key]) => key.startsWith(".")) ? entries : [[".", exports]];
}

/** Collects the files under all conditions, each once. */
function manifestTargets(target: unknown, depth = 0): string[] {
  if (typeof target === "string") return [target];
  if (depth > 8 || typeof target !== "object" || target === null) return [];
  const inner = Array.isArray(target) ? (target as unknown[]) : Object.values(target);
  return [...new Set(inner.flatMap((one) => manifestTargets(one, depth + 1)))];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
