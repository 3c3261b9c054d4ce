import type { PackageFile } from "./manifests.ts";
import { resolveRelative } from "./relative.ts";
import { joinPath } from "./tree.ts";
import type { FileTree } from "./tree.ts";

export const KIT = "@sveltejs/kit";

/** Made by the framework: modules of its own, and the types beside a route. */
const MADE = /^(?:\$(?:app|env|service-worker)(?:\/|$)|\.\/\$types(?:\.[jt]s)?$)/;
const LIBRARY = /^\$lib(?=\/|$)/;

export function usesKit(owner: PackageFile | undefined): owner is PackageFile {
  return owner !== undefined && [...owner.dependencies, ...owner.devDependencies].includes(KIT);
}

export function isMadeByKit(specifier: string): boolean {
  return MADE.test(specifier);
}

/** `$lib` is `src/lib`; the configuration that says so is only written by building. */
export function resolveLibrary(
  tree: FileTree,
  { folder }: PackageFile,
  specifier: string,
  packages: ReadonlyMap<string, PackageFile>,
): string | undefined {
  if (!LIBRARY.test(specifier)) return undefined;
  const library = joinPath(folder, "./src/lib") ?? "src/lib";
  return resolveRelative(tree, library, `.${specifier.replace(LIBRARY, "")}`, packages);
}
