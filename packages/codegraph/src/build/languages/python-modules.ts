import { parentFolder, joinPath } from "../resolve/tree.ts";
import type { FileTree } from "../resolve/tree.ts";
import type { Target } from "../resolve/resolver.ts";
import { PYTHON_STANDARD } from "./python-standard.ts";

const ENDINGS = [".py", "/__init__.py", ".pyi", "/__init__.pyi"];
/** The usual folders for packages, besides the root. */
const SOURCE_FOLDERS = ["", "src", "lib", "python"];

/** Finds the files of Python modules. */
export class PythonModules {
  readonly #tree: FileTree;
  readonly #roots: readonly string[];

  constructor(tree: FileTree, paths: readonly string[]) {
    this.#tree = tree;
    const projects = paths
      .filter((path) => /(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg))$/.test(path))
      .map(parentFolder);
    const folders = ["", ...projects].flatMap((project) =>
      SOURCE_FOLDERS.map((folder) => joinPath(project, folder) ?? ""),
    );
    this.#roots = [...new Set(folders)];
  }

  resolve(from: string, specifier: string): Target {
    const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
    const parts = specifier.slice(dots).split(".").filter(Boolean);
    if (dots > 0) return this.#relative(from, dots, parts);
    const path = this.#fileOf([...this.#near(from), ...this.#roots], parts);
    if (path !== undefined) return { to: "file", path, how: "package", confidence: "exact" };
    if (this.#roots.some((root) => this.#isFolder(root, parts))) return { to: "folder" };
    const [name = ""] = parts;
    return { to: PYTHON_STANDARD.has(name) ? "builtin" : "package", name };
  }

  #relative(from: string, dots: number, parts: readonly string[]): Target {
    let folder: string | undefined = parentFolder(from);
    for (let up = 1; up < dots && folder !== undefined; up++) folder = joinPath(folder, "..");
    const path = folder === undefined ? undefined : this.#fileOf([folder], parts);
    if (path !== undefined) return { to: "file", path, how: "relative", confidence: "exact" };
    return { to: folder !== undefined && this.#isFolder(folder, parts) ? "folder" : "nowhere" };
  }

  /** A folder without `__init__.py` is a package too, but has no file. */
  #isFolder(root: string, parts: readonly string[]): boolean {
    return this.#tree.hasFolder([root, ...parts].filter((part) => part !== "").join("/"));
  }

  #fileOf(roots: readonly string[], parts: readonly string[]): string | undefined {
    for (const root of roots) {
      const base = [root, ...parts].filter((part) => part !== "").join("/");
      const endings = parts.length === 0 ? ENDINGS.filter((end) => end.startsWith("/")) : ENDINGS;
      const found = this.#tree.firstOf(
        endings.map((end) => (base === "" ? end.slice(1) : base + end)),
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * The folder that contains the file's outermost package, and the file's own folder for scripts.
   */
  #near(from: string): string[] {
    let folder = parentFolder(from);
    const own = folder;
    while (folder !== "" && this.#tree.has(`${folder}/__init__.py`)) folder = parentFolder(folder);
    return folder === own ? [own] : [folder, own];
  }
}
