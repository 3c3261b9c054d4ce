import { readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";

const MAX_KEPT = 10_000;

/** The licences that installed packages say they have. */
export class Licences {
  readonly #root: string;
  readonly #known = new Map<string, string | undefined>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Of the package that a file gets by a name; undefined where it is not installed or says none. */
  of(file: string, name: string): string | undefined {
    for (let folder = folderOf(file); ; folder = folderOf(folder)) {
      const place = join(folder, "node_modules", name, "package.json");
      const licence = this.#read(place);
      if (licence !== undefined || folder === "") return licence;
    }
  }

  #read(place: string): string | undefined {
    if (this.#known.has(place)) return this.#known.get(place);
    if (this.#known.size >= MAX_KEPT) this.#known.clear();
    const licence = licenceIn(this.#root, place);
    this.#known.set(place, licence);
    return licence;
  }
}

/** A link that leads out of the root is not followed. */
function licenceIn(root: string, place: string): string | undefined {
  try {
    const file = realpathSync(join(root, place));
    if (!file.startsWith(realpathSync(root) + sep)) return undefined;
    const { license } = JSON.parse(readFileSync(file, "utf8")) as { license?: unknown };
    return typeof license === "string" ? license : undefined;
  } catch {
    return undefined;
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
