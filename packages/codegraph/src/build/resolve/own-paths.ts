import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageFile } from "./manifests.ts";
import { matchPattern } from "./exports-field.ts";
import { plainJson } from "./plain-json.ts";
import { resolveRelative } from "./relative.ts";
import { parentFolder, joinPath } from "./tree.ts";
import type { FileTree } from "./tree.ts";

const NAMES = ["tsconfig.json", "jsconfig.json"];
const MAX_DEPTH = 8;
const MAX_REFERENCES = 100;
const PACKAGE = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/;

/**
 * Stands for settings that cannot be read. They count as keeping imports of types, because running
 * one test too many costs less than missing one.
 */
const UNREAD: Paths = { keepsTypes: true };

/** The path settings of a configuration, own or inherited. */
interface Paths {
  readonly baseUrl?: string;
  readonly paths?: ReadonlyMap<string, readonly string[]>;
  readonly conditions?: readonly string[];
  /** Whether an import stays at run time if all of its names are types. */
  readonly keepsTypes?: boolean;
}

/**
 * Aliases from TypeScript configurations that extend a missing file, such as one of a package that
 * is not installed. The readable parts still apply.
 */
export class OwnPaths {
  readonly #root: string;
  readonly #tree: FileTree;
  readonly #packages: ReadonlyMap<string, PackageFile>;
  readonly #named: (name: string) => PackageFile | undefined;
  readonly #byFolder = new Map<string, readonly Paths[]>();

  constructor(
    root: string,
    tree: FileTree,
    packages: ReadonlyMap<string, PackageFile>,
    named: (name: string) => PackageFile | undefined,
  ) {
    this.#root = root;
    this.#tree = tree;
    this.#packages = packages;
    this.#named = named;
  }

  resolve(from: string, specifier: string): string | undefined {
    for (const config of this.#configsOf(parentFolder(from))) {
      for (const path of candidatesIn(config, specifier)) {
        const found = resolveRelative(this.#tree, "", `./${path}`, this.#packages);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** The `customConditions` of a file's configuration. */
  conditions(from: string): readonly string[] {
    return this.#configsOf(parentFolder(from)).flatMap(({ conditions }) => conditions ?? []);
  }

  /** Whether `import { type A }` loads the file, by one of the configurations. */
  keepsTypes(from: string): boolean {
    return this.#configsOf(parentFolder(from)).some(({ keepsTypes }) => keepsTypes === true);
  }

  /** The configurations of the nearest folder that has one. The first is in that folder. */
  #configsOf(folder: string): readonly Paths[] {
    let configs = this.#byFolder.get(folder);
    if (configs) return configs;
    const path = this.#tree.firstOf(
      NAMES.map((name) => (folder === "" ? name : `${folder}/${name}`)),
    );
    if (path !== undefined) configs = [this.#read(path), ...this.#referredIn(path)];
    else configs = folder === "" ? [] : this.#configsOf(parentFolder(folder));
    this.#byFolder.set(folder, configs);
    return configs;
  }

  /** `known` has the configurations that were read already, because several can extend the same. */
  #read(
    path: string,
    leaf = parentFolder(path),
    depth = 0,
    known = new Map<string, Paths>(),
  ): Paths {
    const earlier = known.get(path);
    if (earlier) return earlier;
    const config = depth < MAX_DEPTH ? this.#json(path) : {};
    const { extends: above } = config;
    const inherited = (Array.isArray(above) ? (above as unknown[]) : [above]).flatMap((name) => {
      if (typeof name !== "string") return [];
      const base = this.#extended(path, name);
      return base === undefined ? [UNREAD] : [this.#read(base, leaf, depth + 1, known)];
    });
    const own = pathsIn(config["compilerOptions"], parentFolder(path), leaf);
    const paths = Object.assign({}, ...inherited, own) as Paths;
    known.set(path, paths);
    return paths;
  }

  #referredIn(path: string): Paths[] {
    const { references } = this.#json(path);
    const list = Array.isArray(references) ? (references as unknown[]) : [];
    return list.slice(0, MAX_REFERENCES).flatMap((reference) => {
      const named = isSettingsObject(reference) ? reference["path"] : undefined;
      const place = typeof named === "string" ? joinPath(parentFolder(path), named) : undefined;
      const file =
        place === undefined ? undefined : this.#tree.firstOf([place, `${place}/tsconfig.json`]);
      return file === undefined ? [] : [this.#read(file)];
    });
  }

  /** Resolves `extends`: a path, or a file of a package that is in the tree or installed. */
  #extended(path: string, name: string): string | undefined {
    const [, owner = "", below = "tsconfig.json"] = PACKAGE.exec(name) ?? [];
    if (name.startsWith(".")) return this.#configAt(joinPath(parentFolder(path), name));
    const own = this.#named(owner)?.folder;
    if (own !== undefined) return this.#configAt(joinPath(own, below));
    for (let folder = parentFolder(path); ; folder = parentFolder(folder)) {
      const found = this.#configAt(joinPath(folder, `node_modules/${owner}/${below}`));
      if (found !== undefined || folder === "") return found;
    }
  }

  /** Git ignores generated configurations and those of packages, so the tree does not list them. */
  #configAt(place: string | undefined): string | undefined {
    if (place === undefined) return undefined;
    return [place, `${place}.json`].find(
      (path) =>
        this.#tree.has(path) || (path.endsWith(".json") && existsSync(join(this.#root, path))),
    );
  }

  #json(path: string): Readonly<Record<string, unknown>> {
    try {
      const value: unknown = JSON.parse(plainJson(readFileSync(join(this.#root, path), "utf8")));
      return isSettingsObject(value) ? value : {};
    } catch {
      return {};
    }
  }
}

/**
 * The settings with paths relative to the root. Absent settings stay absent, so that inherited ones
 * apply.
 */
function pathsIn(options: unknown, folder: string, leaf: string): Paths {
  if (!isSettingsObject(options)) return {};
  const { baseUrl, paths, customConditions } = options;
  const placed = (base: string, path: string): string | undefined =>
    path.startsWith("${configDir}") ? joinPath(leaf, path.slice(12)) : joinPath(base, path);
  const base = typeof baseUrl === "string" ? placed(folder, baseUrl) : undefined;
  const entries = isSettingsObject(paths) ? Object.entries(paths) : undefined;
  return {
    ...(base !== undefined && { baseUrl: base }),
    ...(Array.isArray(customConditions) && {
      conditions: customConditions.filter((each) => typeof each === "string"),
    }),
    ...keptTypesIn(options),
    ...(entries && {
      paths: new Map(
        entries.map(([name, list]) => [
          name,
          (Array.isArray(list) ? (list as unknown[]) : []).flatMap((target) =>
            typeof target === "string" ? (placed(base ?? folder, target) ?? []) : [],
          ),
        ]),
      ),
    }),
  };
}

/** `preserveValueImports` is not among them: it keeps only imports that name a value. */
function keptTypesIn(options: Readonly<Record<string, unknown>>): Pick<Paths, "keepsTypes"> {
  const { verbatimModuleSyntax, importsNotUsedAsValues } = options;
  if (typeof verbatimModuleSyntax === "boolean") return { keepsTypes: verbatimModuleSyntax };
  if (typeof importsNotUsedAsValues !== "string") return {};
  return { keepsTypes: importsNotUsedAsValues !== "remove" };
}

/** The paths that a name may stand for: by the most specific pattern, then below the base. */
function* candidatesIn({ paths, baseUrl }: Paths, specifier: string): Generator<string> {
  const exact = paths?.get(specifier);
  const patterns = [...(paths?.keys() ?? [])].filter((name) => name.includes("*"));
  const best = patterns
    .filter((pattern) => matchPattern(pattern, specifier) !== undefined)
    .toSorted((a, b) => b.indexOf("*") - a.indexOf("*"))[0];
  if (exact) yield* exact;
  else if (best !== undefined) {
    const star = matchPattern(best, specifier)!;
    for (const target of paths!.get(best)!) yield target.replace("*", () => star);
  }
  const below = baseUrl === undefined ? undefined : joinPath(baseUrl, specifier);
  if (below !== undefined) yield below;
}

function isSettingsObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
