/** The files that can be targets of edges, by path relative to the root. */
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

  /** The first candidate that exists. */
  firstOf(candidates: Iterable<string>): string | undefined {
    for (const path of candidates) if (this.#ids.has(path)) return path;
    return undefined;
  }
}

/** The root, and every folder that contains a file. */
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

/** A path such as `./a/b.js`, without `.` or `..` segments, which can be appended directly. */
const PLAIN = /^\.(?:\/(?!\.{0,2}(?:\/|$))[^/]+)+$/;

/** Joins `a/b` and `../c` to `a/c`; undefined if the result is outside of the root. */
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
