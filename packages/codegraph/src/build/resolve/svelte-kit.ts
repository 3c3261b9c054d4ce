import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageFile } from "./manifests.ts";
import { resolveRelative } from "./relative.ts";
import { joinPath } from "./tree.ts";
import type { FileTree } from "./tree.ts";

const KIT = "@sveltejs/kit";
/** Generated modules: SvelteKit's own, and the types beside a route. */
const MADE = /^(?:\$(?:app|env|service-worker)(?:\/|$)|\.\/\$types(?:\.[jt]s)?$)/;
const SETTINGS = ["svelte.config.js", "svelte.config.ts", "svelte.config.mjs"];
const ALIASES = /\balias\s*:\s*\{([^{}]{0,10000})\}/;
const ALIAS = /["']?(\$[\w./-]*?)(?:\/\*)?["']?\s*:\s*["']([^"'\n*]+?)(?:\/\*)?["']/g;

/**
 * Resolves names that start with `$` in SvelteKit. The TypeScript configuration for them exists
 * only after a build, so the settings are parsed instead, without running them.
 */
export class KitNames {
  readonly #root: string;
  readonly #tree: FileTree;
  readonly #packages: ReadonlyMap<string, PackageFile>;
  readonly #aliases = new Map<string, ReadonlyMap<string, string>>();

  constructor(root: string, tree: FileTree, packages: ReadonlyMap<string, PackageFile>) {
    this.#root = root;
    this.#tree = tree;
    this.#packages = packages;
  }

  /** Resolves to the package for generated modules, or to a file. */
  resolve(
    owner: PackageFile | undefined,
    specifier: string,
  ): { readonly name: string } | { readonly path: string } | undefined {
    const isUsed = owner && [...owner.dependencies, ...owner.devDependencies].includes(KIT);
    if (!isUsed) return undefined;
    if (MADE.test(specifier)) return { name: KIT };
    for (const [alias, place] of this.#aliasesOf(owner.folder)) {
      if (specifier !== alias && !specifier.startsWith(`${alias}/`)) continue;
      const rest = `.${specifier.slice(alias.length)}`;
      const path = resolveRelative(this.#tree, place, rest, this.#packages);
      if (path !== undefined) return { path };
      const file = rest === "." && resolveRelative(this.#tree, "", `./${place}`, this.#packages);
      if (file) return { path: file };
    }
    return undefined;
  }

  #aliasesOf(folder: string): ReadonlyMap<string, string> {
    let aliases = this.#aliases.get(folder);
    if (!aliases) this.#aliases.set(folder, (aliases = this.#readAliases(folder)));
    return aliases;
  }

  /** Reads the aliases of an application. Without a setting, `$lib` leads to `src/lib`. */
  #readAliases(folder: string): Map<string, string> {
    const found = new Map([["$lib", "src/lib"]]);
    const file = this.#tree.firstOf(SETTINGS.map((name) => (folder ? `${folder}/${name}` : name)));
    const block =
      file === undefined ? undefined : ALIASES.exec(readSettings(join(this.#root, file)));
    for (const [, name, place] of (block?.[1] ?? "").matchAll(ALIAS)) found.set(name!, place!);
    return new Map(
      [...found].flatMap(([name, place]) => {
        const path = joinPath(folder, place);
        return path === undefined ? [] : [[name, path]];
      }),
    );
  }
}

function readSettings(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
