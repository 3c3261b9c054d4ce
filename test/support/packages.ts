import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** Paths are relative to the root of the repository. */
export interface Package {
  readonly root: string;
  readonly folder: string;
  readonly path: string;
  readonly manifest: Manifest;
}

export function readPackages(root: string): Package[] {
  return readdirSync(join(root, "packages"))
    .filter((folder) => existsSync(join(root, "packages", folder, "package.json")))
    .map((folder) => readPackage(root, folder));
}

function readPackage(root: string, folder: string): Package {
  const path = `packages/${folder}`;
  const text = readFileSync(join(root, path, "package.json"), "utf8");
  return { root, folder, path, manifest: JSON.parse(text) as Manifest };
}
