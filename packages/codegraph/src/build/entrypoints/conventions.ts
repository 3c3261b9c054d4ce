import { listedPackages } from "../../graph/index.ts";
import type { PackageFile } from "../resolve/manifests.ts";
import { parentFolder } from "../resolve/tree.ts";

/** The packages of each framework that gives a meaning to the location of files. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  next: ["next"],
  remix: ["@remix-run/react", "@remix-run/node", "react-router", "@react-router/dev"],
};

const NONE: ReadonlySet<string> = new Set();

/**
 * Finds the frameworks whose conventions do not apply to a file, because no package.json above it
 * lists them: without Next.js, `src/pages` is an ordinary folder. Without a package.json the
 * conventions apply.
 */
export class Conventions {
  readonly #packages: ReadonlyMap<string, PackageFile>;
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(packages: readonly PackageFile[]) {
    this.#packages = new Map(packages.map((manifest) => [manifest.folder, manifest]));
  }

  strangeTo(path: string): ReadonlySet<string> {
    const folder = parentFolder(path);
    let strange = this.#known.get(folder);
    if (!strange) this.#known.set(folder, (strange = this.#compute(folder)));
    return strange;
  }

  #compute(folder: string): ReadonlySet<string> {
    const used = new Set<string>();
    let isKnown = false;
    for (let above = folder; ; above = parentFolder(above)) {
      const manifest = this.#packages.get(above);
      isKnown ||= manifest !== undefined;
      for (const name of manifest ? listedPackages(manifest) : []) used.add(name);
      if (above === "") break;
    }
    if (!isKnown) return NONE;
    const strange = Object.keys(PACKAGES).filter(
      (framework) => !PACKAGES[framework]!.some((name) => used.has(name)),
    );
    return new Set(strange);
  }
}
