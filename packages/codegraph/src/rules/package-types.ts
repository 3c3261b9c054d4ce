import type { CodeGraph, Manifest } from "../graph/index.ts";
import { perGraph } from "../analysis/index.ts";
import type { DependencyType } from "./rule.ts";

function manifestFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

const manifestsByFolder: (graph: CodeGraph) => ReadonlyMap<string, Manifest> = perGraph(
  (graph) =>
    new Map(graph.info.manifests.map((manifest) => [manifestFolder(manifest.path), manifest])),
);

/** The package.json files above a file, the nearest first. */
export function manifestsAbove(graph: CodeGraph, path: string): Manifest[] {
  const known = manifestsByFolder(graph);
  const found: Manifest[] = [];
  for (let folder = manifestFolder(path); ; folder = manifestFolder(folder)) {
    const manifest = known.get(folder);
    if (manifest !== undefined) found.push(manifest);
    if (folder === "") return found;
  }
}

const LISTS = [
  ["dependencies", "npm"],
  ["devDependencies", "npm-dev"],
  ["peerDependencies", "npm-peer"],
  ["optionalDependencies", "npm-optional"],
  ["bundledDependencies", "npm-bundled"],
] as const;

/** How the nearest package.json, or one above it, lists a package. */
export function packageTypes(graph: CodeGraph, file: number, name: string): DependencyType[] {
  const above = manifestsAbove(graph, graph.files.path(file));
  for (const manifest of above) {
    const types = LISTS.filter(([list]) => manifest[list].includes(name)).map(([, type]) => type);
    if (types.length > 0) return types[0] === "npm-bundled" ? ["npm-no-pkg", ...types] : types;
  }
  return [above.length === 0 ? "npm-unknown" : "npm-no-pkg"];
}
