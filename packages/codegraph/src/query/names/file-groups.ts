import type { CodeGraph } from "../../graph/index.ts";
import { confinedPath } from "./confined-path.ts";
import { folderName, isFolder } from "./names.ts";
import type { GraphView } from "../answer/view.ts";

/** A group of files as one subject. */
export interface FileGroup {
  readonly type: "folder" | "package";
  /** The folder, or the name of the package. */
  readonly path: string;
  readonly files: readonly number[];
}

function filesBelow({ files }: CodeGraph, folder: string): number[] {
  const found: number[] = [];
  for (let file = 0; file < files.count; file++) {
    if (folder === "" || files.path(file).startsWith(`${folder}/`)) found.push(file);
  }
  return found;
}

/** The folder or package of a target; undefined for a file or symbol. */
export function findGroup(
  { graph, root }: Pick<GraphView, "graph" | "root">,
  given: string,
): FileGroup | undefined {
  const manifest = graph.info.manifests.find(({ name }) => name !== undefined && name === given);
  if (manifest) {
    return { type: "package", path: given, files: filesBelow(graph, folderName(manifest.path)) };
  }
  if (given.includes("#") || (!given.includes("/") && graph.symbols.named(given).length > 0)) {
    return undefined;
  }
  const path = confinedPath(root, given).replace(/\/+$/u, "");
  if (graph.files.find(path) !== undefined || !isFolder(graph, path) || path === "")
    return undefined;
  return { type: "folder", path, files: filesBelow(graph, path) };
}
