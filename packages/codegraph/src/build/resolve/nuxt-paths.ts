import { listedPackages } from "../../graph/index.ts";
import type { PackageFile } from "./manifests.ts";
import { resolveRelative } from "./relative.ts";
import type { FileTree } from "./tree.ts";

const NUXT = "nuxt";
/** Modules that Nuxt generates. */
const MADE = /^#(?:imports|components|app|build|head|internal|nitro|vue-router)(?:\/|$)/;
const NAME = /^(~~|@@|~|@|#shared)\/(.*)$/;

/** The folders for the first part of a name, relative to the application. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  "~~": ["."],
  "@@": ["."],
  "~": ["app", "src", "."],
  "@": ["app", "src", "."],
  "#shared": ["shared"],
};

/** Resolves a name in a Nuxt application: to the package for generated modules, or to a file. */
export function resolveNuxt(
  tree: FileTree,
  packages: ReadonlyMap<string, PackageFile>,
  owner: PackageFile | undefined,
  specifier: string,
): { readonly name: string } | { readonly path: string } | undefined {
  if (!owner || !listedPackages(owner).includes(NUXT)) return undefined;
  if (MADE.test(specifier)) return { name: NUXT };
  const [, start = "", rest = ""] = NAME.exec(specifier) ?? [];
  for (const place of PLACES[start] ?? []) {
    const path = resolveRelative(tree, owner.folder, `./${place}/${rest}`, packages);
    if (path !== undefined) return { path };
  }
  return undefined;
}
