/** The files that may be the target of an edge, by path relative to the root. */
export class FileTree {
  readonly #ids: ReadonlyMap<string, number>;
  #folders: Set<string> | undefined;

  constructor(paths: readonly string[]) {
    this.#ids = new Map(paths.map((path, id) => [path, id]));
  }

  has(path: string): boolean {
    return this.#ids.has(path);
  }

  idOf(path: string): number | undefined {
    return this.#ids.get(path);
  }

  hasFolder(path: string): boolean {
    return (this.#folders ??= getFolders(this.#ids.keys())).has(path);
  }

  /** The first of the candidates that exists. */
  firstOf(candidates: Iterable<string>): string | undefined {
    for (const path of candidates) if (this.#ids.has(path)) return path;
    return undefined;
  }
}

/** The root, and every folder on the way to a file. */
export function getFolders(paths: Iterable<string>): Set<string> {
  const folders = new Set([""]);
  for (const path of paths) {
    let folder = parentFolder(path);
    while (!folders.has(folder)) {
      folders.add(folder);
      folder = parentFolder(folder);
    }
  }
  return folders;
}

/** `./a/b.js`: nothing in it leads up or stays in place, so that it can be appended as it is. */
const PLAIN = /^\.(?:\/(?!\.{0,2}(?:\/|$))[^/]+)+$/;

/** `a/b` and `../c` make `a/c`; undefined where that leads out of the root. */
export function joinPath(folder: string, relative: string): string | undefined {
  if (PLAIN.test(relative)) return folder === "" ? relative.slice(2) : folder + relative.slice(1);
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

export function parentFolder(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}
