import { fail } from "@waybill/core";
import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { compilePattern } from "../../patterns/index.ts";
import type { Answer } from "../answer/answer.ts";
import { confinedPath } from "../names/confined-path.ts";
import { nearPaths } from "../names/near-names.ts";
import { baseName, folderName } from "../names/names.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import type { GraphView } from "../answer/view.ts";

export interface TreeInput {
  readonly path?: string;
  readonly depth?: number;
  readonly includeFiles?: boolean;
  readonly pattern?: string;
  readonly scope?: string;
}

const MAX_CHILDREN = 200;
/** A lower bound of the tokens for one node. */
const TOKENS_A_NODE = 10;
/** More than any token limit allows. */
const MOST_NODES = 100_000;
const MAX_KEPT = 16;

interface Stats {
  files: number;
  folders: number;
  lines: number;
}

interface Folder {
  readonly path: string;
  readonly folders: string[];
  readonly files: number[];
  readonly stats: Stats;
}

type Folders = ReadonlyMap<string, Folder>;

function newFolder(path: string): Folder {
  return { path, folders: [], files: [], stats: { files: 0, folders: 0, lines: 0 } };
}

/** Every folder with its own files and the counts of everything below it. */
function getFolders(graph: CodeGraph, keep: (file: number) => boolean): Folders {
  const folders = new Map([["", newFolder("")]]);
  const folderAt = (path: string): Folder => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const made = newFolder(path);
    folders.set(path, made);
    folderAt(folderName(path)).folders.push(path);
    return made;
  };
  for (let file = 0; file < graph.files.count; file++) {
    if (!keep(file)) continue;
    const folder = folderAt(folderName(graph.files.path(file)));
    folder.files.push(file);
    folder.stats.files += 1;
    folder.stats.lines += graph.files.lines(file);
  }
  addUpwards(folders);
  return folders;
}

/** Adds the counts of each folder to its parents. Longer paths are deeper. */
function addUpwards(folders: Folders): void {
  const deepestFirst = [...folders.values()].toSorted((a, b) => b.path.length - a.path.length);
  for (const { path, stats } of deepestFirst) {
    if (path === "") continue;
    const above = folders.get(folderName(path))!.stats;
    above.files += stats.files;
    above.lines += stats.lines;
    above.folders += stats.folders + 1;
  }
}

const allFolders: (graph: CodeGraph) => Folders = perGraph((graph) =>
  getFolders(graph, () => true),
);

interface Shape {
  readonly folders: Folders;
  readonly graph: CodeGraph;
  readonly includeFiles: boolean;
}

/** A node. Its counts include everything below, shown or not. */
function getNode({ folders, graph, includeFiles }: Shape, path: string, depth: number): object {
  const root: { path: string; node: Record<string, unknown>; left: number } = {
    path,
    node: {},
    left: depth,
  };
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folders: below, files, stats } = folders.get(next.path)!;
    const left = next.left - 1;
    Object.assign(next.node, {
      name: baseName(next.path) || ".",
      path: next.path,
      type: "directory",
      stats,
    });
    if (next.left <= 0) continue;
    const children: Record<string, unknown>[] = [];
    for (const folder of below) {
      const node = {};
      children.push(node);
      open.push({ path: folder, node, left });
    }
    if (includeFiles) children.push(...files.map((file) => fileNode(graph, file)));
    if (children.length > 0) next.node["children"] = children;
  }
  return root.node;
}

function fileNode(graph: CodeGraph, file: number): Record<string, unknown> {
  const path = graph.files.path(file);
  return { name: baseName(path), path, type: "file", stats: { lines: graph.files.lines(file) } };
}

/** The number of nodes that are shown for a folder. Counting stops when they cannot fit. */
function nodesIn({ folders, includeFiles }: Shape, path: string, depth: number): number {
  let count = 1;
  let level = [path];
  for (let left = depth; left > 0 && level.length > 0 && count < MOST_NODES; left--) {
    const inside = level.map((each) => folders.get(each)!);
    level = inside.flatMap((folder) => folder.folders);
    count += level.length;
    if (includeFiles) for (const { files } of inside) count += files.length;
  }
  return count;
}

const keptFolders = perGraph(() => new Map<string, Folders>());

function filtered(view: GraphView, input: TreeInput): Folders {
  const { pattern, scope } = input;
  if (pattern === undefined && scopeMask(view, scope) === undefined) return allFolders(view.graph);
  const kept = keptFolders(view.graph);
  const key = JSON.stringify([pattern, scope]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const folders = foldersLike(view, input);
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(key, folders);
  return folders;
}

function foldersLike(view: GraphView, { pattern, scope }: TreeInput): Folders {
  const mask = scopeMask(view, scope);
  const { files } = view.graph;
  const matcher = pattern === undefined ? undefined : compilePattern(pattern);
  const hasFolder = pattern?.includes("/") === true;
  return getFolders(view.graph, (file) => {
    if (!isIn(mask, file)) return false;
    const path = files.path(file);
    return matcher === undefined || matcher.matches(hasFolder ? path : baseName(path));
  });
}

function missingFolder(graph: CodeGraph, path: string): Error {
  const near = nearPaths(graph, path);
  const isFile = graph.files.find(path) !== undefined;
  const why = isFile ? "is a file, not a folder" : "is not a folder of this tree";
  return fail("NOT_FOUND", `${JSON.stringify(path.slice(0, 200))} ${why}`, {
    ...(near.length > 0 && !isFile && { did_you_mean: near }),
    hint: isFile ? "graph_module describes a file" : "graph_tree without a path shows the top",
  });
}

type Child = { readonly folder: string } | { readonly file: number };

/** The folders of the tree, a few levels deep. Pages contain the direct children of `path`. */
export function tree(view: GraphView, input: TreeInput): Answer<Child> {
  const { depth = 2, includeFiles = false } = input;
  const path = confinedPath(view.root, input.path ?? "");
  const folders = filtered(view, input);
  const folder =
    folders.get(path) ?? (allFolders(view.graph).has(path) ? newFolder(path) : undefined);
  if (folder === undefined) throw missingFolder(view.graph, path);
  const shape: Shape = { folders, graph: view.graph, includeFiles };
  const children: Child[] = [
    ...folder.folders.map((each) => ({ folder: each })),
    ...(includeFiles ? folder.files.map((file) => ({ file })) : []),
  ];
  return {
    items: children,
    limit: MAX_CHILDREN,
    levels: depth - 1,
    limits: { maxItems: MAX_CHILDREN, maxDepth: depth },
    weigh: (child, level) => {
      const nodes = "file" in child ? 1 : nodesIn(shape, child.folder, depth - 1 - level);
      return nodes * TOKENS_A_NODE;
    },
    render: (shown, level) => ({
      tree: {
        name: baseName(path) || ".",
        path,
        type: "directory",
        stats: folder.stats,
        children: shown.map((child) =>
          "file" in child
            ? fileNode(view.graph, child.file)
            : getNode(shape, child.folder, depth - 1 - level),
        ),
      },
    }),
  };
}
