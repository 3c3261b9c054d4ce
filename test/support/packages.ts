import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { packageOf, readImports } from "./imports.ts";
import type { Import } from "./imports.ts";

export interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Paths are relative to the root of the repository. */
export interface SourceFile {
  readonly path: string;
  readonly imports: readonly Import[];
}

export interface Package {
  readonly root: string;
  readonly folder: string;
  readonly path: string;
  readonly manifest: Manifest;
  /** Without tests and their fixtures, which may import what they like. */
  readonly sources: readonly SourceFile[];
}

export function readPackages(root: string): Package[] {
  return readdirSync(join(root, "packages"))
    .filter((folder) => existsSync(join(root, "packages", folder, "package.json")))
    .map((folder) => readPackage(root, folder));
}

function readPackage(root: string, folder: string): Package {
  const path = `packages/${folder}`;
  const text = readFileSync(join(root, path, "package.json"), "utf8");
  const manifest = JSON.parse(text) as Manifest;
  return { root, folder, path, manifest, sources: readSources(root, `${path}/src`) };
}

function readSources(root: string, folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test(-d)?\.tsx?$|\bfixtures\b/.test(name))
    .toSorted()
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .map((path) => ({ path, imports: readImports(join(root, path)) }));
}

/** The file a relative import leads to, or undefined for a package. */
export function targetOf(file: SourceFile, { specifier }: Import): string | undefined {
  if (packageOf(specifier) !== undefined) return undefined;
  return posix.join(posix.dirname(file.path), specifier);
}

/** Names the place and says what is wrong with it, in one line. */
function report(file: SourceFile, { line, specifier }: Import, sentence: string): string {
  return `${file.path}:${line} imports "${specifier}": ${sentence}`;
}

/** Runs one question over every import of a package and keeps the complaints. */
export function complaints(
  { sources }: Package,
  judge: (file: SourceFile, imported: Import) => string | undefined,
): string[] {
  return sources.flatMap((file) =>
    file.imports.flatMap((imported) => {
      const sentence = judge(file, imported);
      return sentence === undefined ? [] : [report(file, imported, sentence)];
    }),
  );
}
