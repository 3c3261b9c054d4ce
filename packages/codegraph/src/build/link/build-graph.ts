import { CodeGraph, Interner } from "../../graph/index.ts";
import type { GraphInfo, Manifest } from "../../graph/index.ts";
import type { ReadFile } from "../modules/read-file.ts";
import { readPackageFile } from "../resolve/manifests.ts";
import type { PackageFile } from "../resolve/manifests.ts";
import type { TreeResolver } from "../resolve/tree-resolver.ts";
import { FileTree } from "../resolve/tree.ts";
import { ModuleLinker } from "./modules.ts";
import type { SourceFile } from "./source-file.ts";

const MANIFEST = /(?:^|\/)package\.json$/;

/** The package.json files of the tree that can be read. */
export function readManifests(root: string, paths: readonly string[]): PackageFile[] {
  return paths
    .filter((path) => MANIFEST.test(path))
    .flatMap((path) => readPackageFile(root, path) ?? []);
}

/** Resolves every request of a file. */
export function resolveFile(file: ReadFile, resolver: TreeResolver): SourceFile {
  const targets = file.facts.requests.map((request) => resolver.resolve(file, request));
  return { ...file, targets };
}

/** A module graph with its string table, which later linking uses. */
export interface LinkedModules {
  readonly graph: CodeGraph;
  readonly strings: Interner;
  readonly linker: ModuleLinker;
}

export function linkModules(
  files: readonly SourceFile[],
  info: Omit<GraphInfo, "phase" | "manifests">,
  packages: readonly PackageFile[],
): LinkedModules {
  const strings = new Interner();
  const tree = new FileTree(files.map(({ path }) => path));
  const linker = new ModuleLinker(files, tree, strings, info.exotic);
  const tables = linker.link();
  const manifests = packages.map(getManifest);
  const graph = new CodeGraph({ ...info, phase: "modules", manifests }, tables, strings.finish());
  return { graph, strings, linker };
}

function getManifest(file: PackageFile): Manifest {
  const { path, name, dependencies, devDependencies, peerDependencies } = file;
  const { optionalDependencies, bundledDependencies } = file;
  return {
    path,
    ...(name !== undefined && { name }),
    dependencies,
    devDependencies,
    peerDependencies,
    optionalDependencies,
    bundledDependencies,
  };
}
