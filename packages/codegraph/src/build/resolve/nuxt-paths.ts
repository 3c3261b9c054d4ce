import { listedPackages } from "../../graph/index.ts";
import type { PackageFile } from "./manifests.ts";
import { resolveRelative } from "./relative.ts";
import type { FileTree } from "./tree.ts";

const NUXT = "nuxt";
/** Made by the framework when it runs. */
const MADE = /^#(?:imports|components|app|build|head|internal|nitro|vue-router)(?:\/|$)/;
const NAME = /^(~~|@@|~|@|#shared)\/(.*)$/;

/** Where the first part of a name leads, from the folder of the application. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  "~~": ["."],
  "@@": ["."],
  "~": ["app", "src", "."],
  "@": ["app", "src", "."],
  "#shared": ["shared"],
};

/** A name of a Nuxt application: the package for what it makes itself, or the path of a file. */
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
