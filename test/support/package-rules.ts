import { isBuiltin } from "node:module";
import { packageOf } from "./imports.ts";
import { complaints, targetOf } from "./packages.ts";
import type { Manifest, Package } from "./packages.ts";

/** From the bottom up: a package may import those of earlier rows only. */
const layers: readonly (readonly string[])[] = [
  ["core"],
  ["adapters", "mcp", "local"],
  ["github", "codegraph"],
  ["server", "nats"],
  ["cli"],
];

export function layerViolations(packages: readonly Package[]): string[] {
  const folderOf = new Map(packages.map(({ manifest, folder }) => [manifest.name, folder]));
  return packages.flatMap((pack) => {
    const layer = layerOf(pack.folder);
    if (layer < 0) return [`${pack.path} has no place in the layers yet`];
    return complaints(pack, (_file, { specifier }) => {
      const other = folderOf.get(packageOf(specifier) ?? "");
      if (other === undefined || layerOf(other) < layer) return undefined;
      return `${pack.folder} may only import packages below it, and ${other} is not`;
    });
  });
}

function layerOf(folder: string): number {
  return layers.findIndex((row) => row.includes(folder));
}

export function undeclaredViolations(packages: readonly Package[]): string[] {
  return packages.flatMap((pack) => {
    const declared = declaredBy(pack.manifest);
    return complaints(pack, (_file, { specifier }) => {
      const name = packageOf(specifier);
      if (name === undefined || isBuiltin(specifier) || declared.has(name)) return undefined;
      return `${name} is not a dependency in ${pack.path}/package.json`;
    });
  });
}

function declaredBy(manifest: Manifest): ReadonlySet<string> {
  return new Set(
    Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    }),
  );
}

/** A relative path into another package would pass both rules above unseen. */
export function escapeViolations(packages: readonly Package[]): string[] {
  return packages.flatMap((pack) =>
    complaints(pack, (file, imported) => {
      const target = targetOf(file, imported);
      if (target === undefined || target.startsWith(`${pack.path}/`)) return undefined;
      return "other packages are imported by name, not by path";
    }),
  );
}
