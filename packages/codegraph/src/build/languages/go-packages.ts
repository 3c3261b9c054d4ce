import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parentFolder } from "../resolve/tree.ts";
import { OUTER_TESTS, OWN_PACKAGE } from "./go-names.ts";
import type { Target } from "../resolve/resolver.ts";

const MODULE = /^module\s+"?([^\s"]+)"?/m;

/** Matches test files, which other packages cannot import. */
export const isGoTest = (path: string): boolean => path.endsWith("_test.go");

/** Finds the files of Go packages: all files of a folder, except tests. */
export class GoPackages {
  readonly #modules: readonly { readonly name: string; readonly folder: string }[];
  readonly #files = new Map<string, string[]>();

  constructor(root: string, paths: readonly string[]) {
    const manifests = paths.filter((path) => /(?:^|\/)go\.mod$/.test(path));
    this.#modules = manifests
      .flatMap((path) => {
        const name = moduleIn(join(root, path));
        return name === undefined ? [] : [{ name, folder: parentFolder(path) }];
      })
      .toSorted((a, b) => b.name.length - a.name.length);
    for (const path of paths) {
      if (!path.endsWith(".go") || isGoTest(path)) continue;
      const folder = parentFolder(path);
      const files = this.#files.get(folder);
      if (files) files.push(path);
      else this.#files.set(folder, [path]);
    }
  }

  /**
   * Resolves a package to its files. A file's own package resolves to that file, which stands for
   * all files of the package.
   */
  resolve(from: string, specifier: string): Target {
    if (specifier === OWN_PACKAGE || specifier === OUTER_TESTS)
      return { to: "file", path: from, how: "scope", confidence: "exact" };
    const owner = this.#modules.find(
      ({ name }) => specifier === name || specifier.startsWith(`${name}/`),
    );
    if (!owner) return outsideTarget(specifier);
    const folder = [owner.folder, specifier.slice(owner.name.length + 1)].filter(Boolean).join("/");
    const [path, ...others] = this.#files.get(folder) ?? [];
    if (path === undefined) return { to: "nowhere" };
    return { to: "file", path, others, how: "package", confidence: "exact" };
  }
}

/** Packages of the standard library have no dot in the first part of their path. */
function outsideTarget(specifier: string): Target {
  const [host = "", owner, name] = specifier.split("/");
  if (!host.includes(".")) return { to: "builtin", name: specifier };
  return { to: "package", name: [host, owner, name].filter(Boolean).join("/") };
}

function moduleIn(file: string): string | undefined {
  try {
    return MODULE.exec(readFileSync(file, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
