import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readPlainFile } from "@waybill/state/files";
import type { CardProblem } from "@waybill/core/cards";

/** A file of a card folder. Its path is relative to the folder and has forward slashes. */
export interface CardFile {
  readonly path: string;
  readonly text: string;
}

export interface CardFolder {
  readonly cards: readonly CardFile[];
  readonly documents: readonly CardFile[];
  readonly problems: readonly CardProblem[];
}

const MAX_FILES = 5_000;
const MAX_DEPTH = 8;
const MAX_BYTES = 256 * 1024;

async function pathsIn(folder: string, inside: string, depth: number): Promise<string[]> {
  if (depth > MAX_DEPTH) return [];
  const entries = await readdir(join(folder, inside), { withFileTypes: true });
  const paths: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if (entry.isDirectory()) paths.push(...(await pathsIn(folder, path, depth + 1)));
    else if (entry.isFile() && /\.(?:ya?ml|graphql)$/.test(entry.name)) paths.push(path);
  }
  return paths;
}

async function readOne(folder: string, path: string): Promise<CardFile | CardProblem> {
  try {
    const { size } = await stat(join(folder, path));
    if (size > MAX_BYTES) {
      return { file: path, key: "", message: `is larger than ${MAX_BYTES / 1024} KB` };
    }
    const bytes = await readPlainFile(join(folder, path), MAX_BYTES);
    return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { file: path, key: "", message: `cannot be read: ${reason}` };
  }
}

/** Reads the card files and documents of a folder and its subfolders, in the order of their names. */
export async function readFolder(folder: string): Promise<CardFolder> {
  const paths = await pathsIn(folder, "", 0);
  if (paths.length > MAX_FILES)
    throw new TypeError(
      `${folder} has more than ${MAX_FILES} files; move some to the folder of another source`,
    );
  const read = await Promise.all(paths.map((path) => readOne(folder, path)));
  const files = read.filter((file): file is CardFile => "path" in file);
  return {
    cards: files.filter(({ path }) => !path.endsWith(".graphql")),
    documents: files.filter(({ path }) => path.endsWith(".graphql")),
    problems: read.filter((file): file is CardProblem => "file" in file),
  };
}
