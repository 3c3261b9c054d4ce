import { readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { isRecord } from "@waybill/core/schema";

const MAX_KEPT = 10_000;

/** The package.json of an installed package. */
interface InstalledPackage {
  readonly licence?: string;
  readonly isDeprecated: boolean;
}

/** The packages installed in a tree. */
export class InstalledPackages {
  readonly #root: string;
  readonly #known = new Map<string, InstalledPackage | undefined>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The installed package that a file gets if it imports this name; undefined if there is none. */
  find(file: string, name: string): InstalledPackage | undefined {
    for (let folder = packageFolder(file); ; folder = packageFolder(folder)) {
      const found = this.#read(join(folder, "node_modules", name, "package.json"));
      if (found !== undefined || folder === "") return found;
    }
  }

  #read(place: string): InstalledPackage | undefined {
    if (this.#known.has(place)) return this.#known.get(place);
    if (this.#known.size >= MAX_KEPT) this.#known.clear();
    const found = packageAt(this.#root, place);
    this.#known.set(place, found);
    return found;
  }
}

/** A link that leads out of the root is not followed. */
function packageAt(root: string, place: string): InstalledPackage | undefined {
  try {
    const file = realpathSync(join(root, place));
    if (!file.startsWith(realpathSync(root) + sep)) return undefined;
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isRecord(manifest)) return undefined;
    const { license, deprecated } = manifest;
    const isDeprecated = Boolean(deprecated);
    return { isDeprecated, ...(typeof license === "string" && { licence: license }) };
  } catch {
    return undefined;
  }
}

function packageFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
