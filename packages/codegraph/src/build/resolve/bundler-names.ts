import { readFileSync } from "node:fs";
import { join } from "node:path";
import { aliasesIn } from "./alias-settings.ts";
import type { Alias } from "./alias.ts";
import type { PackageFile } from "./manifests.ts";
import { resolveRelative } from "./relative.ts";
import { joinPath } from "./tree.ts";
import type { FileTree } from "./tree.ts";

const TOOLS = ["vite", "vitest", "webpack", "jest"];
const ENDINGS = ["ts", "mts", "cts", "js", "mjs", "cjs", "json"];
const SETTINGS = TOOLS.flatMap((tool) => ENDINGS.map((ending) => `${tool}.config.${ending}`));
const MAX_CHARS = 1_000_000;

/**
 * Resolves names by the settings of a bundler or test runner. The settings are parsed, never run.
 */
export class BundlerNames {
  readonly #root: string;
  readonly #tree: FileTree;
  readonly #packages: ReadonlyMap<string, PackageFile>;
  readonly #aliases = new Map<string, readonly Alias[]>();
  #areThere: boolean | undefined;

  constructor(root: string, tree: FileTree, packages: ReadonlyMap<string, PackageFile>) {
    this.#root = root;
    this.#tree = tree;
    this.#packages = packages;
  }

  /** Whether there are any settings. Most trees have none, so the resolver need not look for aliases. */
  get areThere(): boolean {
    return (this.#areThere ??= ["", ...this.#packages.keys()].some(
      (folder) => this.#settingsIn(folder).length > 0 || this.#ownSettings(folder) !== undefined,
    ));
  }

  /** The path for a specifier, by the aliases of the importing package. */
  resolve(folder: string, specifier: string): string | undefined {
    for (const { name, place, isExact } of this.#aliasesOf(folder)) {
      const isBelow = name === "" || (specifier.startsWith(`${name}/`) && !isExact);
      if (specifier !== name && !isBelow) continue;
      const rest = name === "" ? `/${specifier}` : specifier.slice(name.length);
      const path = this.#fileAt(place, rest);
      if (path !== undefined) return path;
    }
    return undefined;
  }

  #fileAt(place: string, rest: string): string | undefined {
    const below = resolveRelative(this.#tree, place, `.${rest}`, this.#packages);
    if (below !== undefined || rest !== "") return below;
    return resolveRelative(this.#tree, "", `./${place}`, this.#packages);
  }

  #aliasesOf(folder: string): readonly Alias[] {
    let aliases = this.#aliases.get(folder);
    if (!aliases) this.#aliases.set(folder, (aliases = this.#readAliases(folder)));
    return aliases;
  }

  /** The Jest settings in a package.json, as text. */
  #ownSettings(folder: string): string | undefined {
    const jest = this.#packages.get(folder)?.jest;
    return jest === undefined ? undefined : asModule(JSON.stringify(jest));
  }

  #settingsIn(folder: string): string[] {
    const files = SETTINGS.map((name) => (folder === "" ? name : `${folder}/${name}`));
    return files.filter((file) => this.#tree.has(file));
  }

  /** Longer names come first, so that `@/ui` is not read as a path below `@`. */
  #readAliases(folder: string): Alias[] {
    const own = this.#ownSettings(folder);
    return this.#settingsIn(folder)
      .flatMap((file) => this.#readFile(file))
      .concat(own === undefined ? [] : aliasesIn("jest.js", own))
      .flatMap((alias) => {
        const place = joinPath(folder, alias.place);
        return place === undefined ? [] : [{ ...alias, place }];
      })
      .toSorted((a, b) => b.name.length - a.name.length);
  }

  #readFile(file: string): Alias[] {
    try {
      const text = readFileSync(join(this.#root, file), "utf8");
      if (text.length > MAX_CHARS) return [];
      const isData = file.endsWith(".json");
      return isData ? aliasesIn(`${file}.js`, asModule(text)) : aliasesIn(file, text);
    } catch {
      return [];
    }
  }
}

/** JSON is also a JavaScript expression. */
function asModule(json: string): string {
  return `export default ${json};`;
}
