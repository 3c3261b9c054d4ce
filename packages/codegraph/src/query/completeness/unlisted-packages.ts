import { listedPackages } from "../../graph/index.ts";
import type { CodeGraph, Manifest } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";

const SCRIPTS = new Set(["typescript", "javascript", "vue", "svelte", "astro"]);

/** `@types/a__b` contains the types of `@a/b`. */
export function typedPackage(name: string): string | undefined {
  if (!name.startsWith("@types/")) return undefined;
  const plain = name.slice("@types/".length);
  return plain.includes("__") ? `@${plain.replace("__", "/")}` : plain;
}

/** The packages that a manifest lists, including itself. */
export function packagesIn(manifest: Manifest): string[] {
  const { name } = manifest;
  const listed = listedPackages(manifest);
  return [
    ...listed,
    ...listed.flatMap((each) => typedPackage(each) ?? []),
    ...(name === undefined ? [] : [name]),
  ];
}

/**
 * Packages that scripts import and no manifest lists. An unread setting may map such a name to a
 * file of the tree.
 */
export const unlistedPackages: (graph: CodeGraph) => readonly string[] = perGraph((graph) => {
  const { packages, files } = graph;
  // Without any manifest, no package counts as unlisted.
  if (graph.info.manifests.length === 0) return [];
  const listed = new Set(graph.info.manifests.flatMap(packagesIn));
  const found = new Set<string>();
  for (let row = 0; row < packages.count; row++) {
    if (packages.kind(row) !== "package") continue;
    const file = packages.file(row);
    if (!SCRIPTS.has(files.language(file)) || files.kind(file) === "declaration") continue;
    if (!listed.has(packages.text(row))) found.add(packages.text(row));
  }
  return [...found];
});
