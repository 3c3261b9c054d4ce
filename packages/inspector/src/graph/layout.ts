import { hierarchy, pack } from "d3-hierarchy";
import type { HierarchyCircularNode } from "d3-hierarchy";

/** The circle of a folder. */
export interface FolderCircle {
  readonly path: string;
  /** The label at the circle's edge. Nested folders that contain nothing else share one label. */
  readonly label: string;
  readonly depth: number;
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/** The positions of everything. The same files always have the same positions. */
export interface Layout {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly r: Float64Array;
  /** The radius of the smallest file. */
  readonly smallest: number;
  /** Outer folders come before inner ones. */
  readonly folders: readonly FolderCircle[];
}

interface Folder {
  readonly name: string;
  readonly path: string;
  readonly folders: Map<string, Folder>;
  readonly files: number[];
}

interface Placed {
  readonly label: string;
  readonly path: string;
  readonly file?: number;
  readonly children?: readonly Placed[];
}

const SIZE = 1_000;
const BETWEEN_FILES = 1.2;
/** The fraction of a file's radius that is drawn. The gaps between files make the lines visible. */
const DRAWN_PART = 0.8;
const LARGEST = 32;
const BETWEEN_FOLDERS = 4;

function newFolder(name: string, path: string): Folder {
  return { name, path, folders: new Map(), files: [] };
}

function folderTree(files: readonly string[]): Folder {
  const root = newFolder("", "");
  for (const [file, path] of files.entries()) {
    let folder = root;
    const names = path.split("/").slice(0, -1);
    for (const name of names) {
      const inner = folder.path === "" ? name : `${folder.path}/${name}`;
      const next = folder.folders.get(name) ?? newFolder(name, inner);
      folder.folders.set(name, next);
      folder = next;
    }
    folder.files.push(file);
  }
  return root;
}

/** Merges a folder that contains only one folder with that folder. */
function joinedFolder(folder: Folder, label: string): Placed {
  const [only] = folder.folders.values();
  if (only !== undefined && folder.folders.size === 1 && folder.files.length === 0) {
    return joinedFolder(only, label === "" ? only.name : `${label}/${only.name}`);
  }
  const folders = [...folder.folders.values()].map((inner) => joinedFolder(inner, inner.name));
  const files = folder.files.map((file) => ({ label: "", path: "", file }));
  return { label, path: folder.path, children: [...folders, ...files] };
}

/** Places circles inside circles: folders around their files. More important files are larger. */
export function getLayout(files: readonly string[], weightOf: (file: number) => number): Layout {
  const tree = hierarchy<Placed>(joinedFolder(folderTree(files), ""))
    .sum(({ file }) => (file === undefined ? 0 : 1 + Math.log2(1 + weightOf(file))))
    // oxlint-disable-next-line no-array-sort
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const placed = pack<Placed>()
    .size([SIZE, SIZE])
    .padding((node) =>
      node.children?.some((child) => child.children) ? BETWEEN_FOLDERS : BETWEEN_FILES,
    )(tree);
  return filePositions(placed, files.length);
}

function filePositions(root: HierarchyCircularNode<Placed>, count: number): Layout {
  const [x, y, r] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const folders: FolderCircle[] = [];
  root.each((node) => {
    const { label, path, file } = node.data;
    if (file === undefined)
      folders.push({ path, label, depth: node.depth, x: node.x, y: node.y, r: node.r });
    else [x[file], y[file], r[file]] = [node.x, node.y, node.r];
  });
  const largest = r.reduce((most, one) => Math.max(most, one), 0);
  const drawn = r.map((one) => one * Math.min(DRAWN_PART, LARGEST / largest));
  const smallest = drawn.reduce((least, one) => Math.min(least, one), SIZE);
  return { x, y, r: drawn, smallest, folders };
}
