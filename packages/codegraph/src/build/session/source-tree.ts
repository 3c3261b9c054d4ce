import { namedHandlers } from "../entrypoints/handlers.ts";
import { missingEntries } from "../entrypoints/missing.ts";
import { packageEntrypoints } from "../entrypoints/packages.ts";
import type { ServedFile } from "../entrypoints/packages.ts";
import type { Stamp } from "../files/walk.ts";
import { linkModules, readManifests, resolveFile } from "../link/build-graph.ts";
import type { LinkedModules } from "../link/build-graph.ts";
import type { SourceFile } from "../link/source-file.ts";
import type { GapFact } from "../modules/facts.ts";
import { readFile } from "../modules/read-file.ts";
import type { ReadFile, ReadJob } from "../modules/read-file.ts";
import type { PackageFile } from "../resolve/manifests.ts";
import { FileTree } from "../resolve/tree.ts";
import { TreeResolver } from "../resolve/tree-resolver.ts";
import { runJobs } from "../workers/run-jobs.ts";
import type { WorkOptions } from "../workers/run-jobs.ts";

/** Files that can change how specifiers resolve when their content changes. */
const CONFIGURATION =
  /\.(?:json|ya?ml)$|(?:^|\/)(?:jest|svelte|vite|vitest|webpack)\.config\.[^/]+$/;

/** The files of a tree with their facts. An update reads only changed files. */
export class SourceTree {
  readonly root: string;
  /** Functions that are used like `require`. */
  readonly exotic: readonly string[];
  #files: readonly SourceFile[];
  #packages: readonly PackageFile[] | undefined;
  #resolver: TreeResolver | undefined;
  /** The numbers of the files. An edit does not change them. */
  #ids: Map<string, number> | undefined;

  constructor(root: string, exotic: readonly string[], files: readonly SourceFile[] = []) {
    this.root = root;
    this.exotic = exotic;
    this.#files = files;
  }

  get files(): readonly SourceFile[] {
    return this.#files;
  }

  find(path: string): number | undefined {
    return (this.#ids ??= new Map(this.#files.map((file, id) => [file.path, id]))).get(path);
  }

  get packages(): readonly PackageFile[] {
    const paths = (): string[] => this.#files.map(({ path }) => path);
    return (this.#packages ??= readManifests(this.root, paths()));
  }

  /** Files that are entry points because a manifest names them, by path. */
  get served(): Map<string, ServedFile[]> {
    const paths = this.#files.map(({ path }) => path);
    const tree = new FileTree(paths);
    const served = packageEntrypoints(this.packages, paths, tree);
    for (const { file, text } of namedHandlers(this.root, paths, tree)) {
      if (file === undefined) continue;
      const one = { kind: "route", name: text, framework: "serverless" } as const;
      served.set(file, [...(served.get(file) ?? []), one]);
    }
    return served;
  }

  /**
   * Updates to the current state of the disk. Returns the paths that were added, removed or
   * changed.
   */
  async update(stamps: readonly Stamp[], options: WorkOptions = {}): Promise<Set<string>> {
    const known = new Map(this.#files.map((file) => [file.path, file]));
    const stale = stamps.filter((stamp) => !isUnchanged(known.get(stamp.path), stamp));
    const read = new Map<string, ReadFile>();
    const jobs = stale.map((stamp) => this.#job(stamp));
    const files = await runJobs("modules", this.root, jobs, options);
    for (const file of files) read.set(file.path, file);
    const changed = new Set<string>();
    for (const [path, file] of read) if (!hasSameContent(known.get(path), file)) changed.add(path);
    const paths = new Set(stamps.map(({ path }) => path));
    for (const path of known.keys()) if (!paths.has(path)) changed.add(path);
    const isMoved = paths.size !== known.size || stamps.some(({ path }) => !known.has(path));
    const resolveAll = isMoved || [...changed].some((path) => CONFIGURATION.test(path));
    this.#take(stamps, known, read, resolveAll);
    return changed;
  }

  /**
   * Applies edits to files, given by file number, and returns the numbers of the changed files.
   * Returns undefined and changes nothing if an edit may affect how other files resolve.
   */
  async edit(stamps: ReadonlyMap<number, Stamp>): Promise<number[] | undefined> {
    if ([...stamps.values()].some(({ path }) => CONFIGURATION.test(path))) return undefined;
    const files = this.#files.slice();
    const changed: number[] = [];
    for (const [id, stamp] of [...stamps].toSorted(([a], [b]) => a - b)) {
      const before = files[id]!;
      if (isUnchanged(before, stamp)) continue;
      const now = await readFile(this.root, this.#job(stamp));
      if (!hasSameContent(before, now)) changed.push(id);
      files[id] = resolveFile(now, this.#ownResolver());
    }
    this.#files = files;
    return changed;
  }

  link(rev: string | undefined): LinkedModules {
    const { exotic } = this;
    const info = { indexedAt: Date.now(), exotic, ...(rev !== undefined && { rev }) };
    return linkModules(this.#files, info, this.packages);
  }

  #job(stamp: Stamp): ReadJob {
    return this.exotic.length === 0 ? stamp : { ...stamp, exotic: this.exotic };
  }

  #ownResolver(): TreeResolver {
    const paths = (): string[] => this.#files.map(({ path }) => path);
    return (this.#resolver ??= new TreeResolver(this.root, paths(), this.packages));
  }

  #take(
    stamps: readonly Stamp[],
    known: ReadonlyMap<string, SourceFile>,
    read: ReadonlyMap<string, ReadFile>,
    resolveAll: boolean,
  ): void {
    const paths = stamps.map(({ path }) => path);
    if (resolveAll || !this.#resolver) {
      const packages = readManifests(this.root, paths);
      this.#packages = packages;
      this.#resolver = new TreeResolver(this.root, paths, packages);
    }
    this.#ids = undefined;
    const resolver = this.#resolver;
    const missing = resolveAll ? this.#missing(paths) : undefined;
    this.#files = paths.flatMap((path) => {
      const before = known.get(path);
      const now = read.get(path) ?? before;
      if (!now) return [];
      const isKept = before !== undefined && now === before && !resolveAll;
      const file = isKept ? before : resolveFile(now, resolver);
      return [missing ? withMissing(file, missing.get(path)) : file];
    });
  }

  #missing(paths: readonly string[]): ReadonlyMap<string, readonly GapFact[]> {
    return missingEntries(this.root, this.packages, paths, new FileTree(paths));
  }
}

/** Replaces the gaps of missing files, which depend on the whole tree and not only on this file. */
function withMissing(file: SourceFile, missing: readonly GapFact[] = []): SourceFile {
  if (file.language !== "other") return file;
  const { gaps } = file.facts;
  const own = gaps.filter(({ kind }) => kind !== "unresolved");
  if (missing.length === 0 && own.length === gaps.length) return file;
  return { ...file, facts: { ...file.facts, gaps: [...own, ...missing] } };
}

function isUnchanged(file: SourceFile | undefined, stamp: Stamp): boolean {
  return file?.mtimeMs === stamp.mtimeMs && file.bytes === stamp.size;
}

function hasSameContent(before: SourceFile | undefined, now: ReadFile): boolean {
  if (!before || before.bytes !== now.bytes || now.language === "other") return false;
  return before.hashLow === now.hashLow && before.hashHigh === now.hashHigh;
}
