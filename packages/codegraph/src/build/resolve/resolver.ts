import { isBuiltin } from "node:module";
import { relative, sep } from "node:path";
import { ResolverFactory } from "oxc-resolver";
import type { Confidence, Resolution } from "../../graph/index.ts";
import { BundlerNames } from "./bundler-names.ts";
import { allTargets, exportTargets } from "./exports-field.ts";
import type { ConditionalTargets, Importer } from "./exports-field.ts";
import type { PackageFile } from "./manifests.ts";
import { resolveNuxt } from "./nuxt-paths.ts";
import { OwnPaths } from "./own-paths.ts";
import { resolveRelative } from "./relative.ts";
import { KitNames } from "./svelte-kit.ts";
import { parentFolder } from "./tree.ts";
import type { FileTree } from "./tree.ts";
import { lacksPath, resolveInPackage, resolveTargets } from "./workspace.ts";
import type { WorkspaceTarget } from "./workspace.ts";

/** The result of resolving a specifier. */
export type Target =
  | FileTarget
  | { readonly to: "package" | "builtin"; readonly name: string }
  | { readonly to: "outside" | "nowhere" | "folder" };

export interface FileTarget {
  readonly to: "file";
  readonly path: string;
  /** The other files of the target: a Go package consists of all files of a folder. */
  readonly others?: readonly string[];
  readonly how: Resolution;
  readonly confidence: Confidence;
  /** Whether `import { type A }` stays at run time, by the settings of the importer. */
  readonly keepsTypes?: boolean;
}

const OPTIONS = {
  tsconfig: "auto",
  extensions: [
    ".ts",
    ".tsx",
    ".d.ts",
    ".js",
    ".jsx",
    ".mts",
    ".cts",
    ".mjs",
    ".cjs",
    ".json",
    ".vue",
    ".svelte",
  ],
  extensionAlias: {
    ".js": [".ts", ".tsx", ".d.ts", ".js", ".jsx"],
    ".jsx": [".tsx", ".d.ts", ".jsx"],
    ".mjs": [".mts", ".d.mts", ".mjs"],
    ".cjs": [".cts", ".d.cts", ".cjs"],
  },
  mainFields: ["types", "typings", "module", "main"],
  nodePath: false,
} as const;

const VARIANT = /(?:\.(?:test|spec|e2e|cy|bench|stories|config|d))?\.[^./]+$/;
const NOWHERE = "../";
/** The error for every specifier if a configuration, or one that it extends, cannot be read. */
const NO_CONFIGURATION = /^(?:Tsconfig|JSON)|tsconfig/i;
const SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]+:/;
const PACKAGE = /^(?:@[a-z0-9~_-][a-z0-9._~-]*\/)?[a-zA-Z0-9~_-][a-zA-Z0-9._~-]*(?=\/|$)/;

/**
 * Matches names that start with `~`, such as `~/x`. They have the form of a package name, but a
 * framework defines them.
 */
const FRAMEWORK_NAME = /^~/;

/** Resolves specifiers. It reads configuration files but never runs them. */
export class ModuleResolver {
  readonly #root: string;
  readonly #tree: FileTree;
  readonly #packages: ReadonlyMap<string, PackageFile>;
  readonly #byName: ReadonlyMap<string, readonly PackageFile[]>;
  readonly #import: ResolverFactory;
  readonly #require: ResolverFactory;
  /** Used where TypeScript configurations cannot be read. */
  readonly #plain: ResolverFactory;
  readonly #ownPaths: OwnPaths;
  readonly #kitNames: KitNames;
  readonly #bundlerNames: BundlerNames;
  readonly #known = new Map<string, string | undefined>();
  readonly #knownInPackages = new Map<string, WorkspaceTarget | undefined>();

  constructor(
    root: string,
    tree: FileTree,
    packages: readonly PackageFile[],
    members: readonly PackageFile[],
  ) {
    this.#root = root;
    this.#tree = tree;
    this.#packages = new Map(packages.map((manifest) => [manifest.folder, manifest]));
    this.#byName = getByName(members);
    const { extensions, mainFields, extensionAlias, ...rest } = OPTIONS;
    const options = {
      ...rest,
      extensions: [...extensions],
      mainFields: [...mainFields],
      extensionAlias: Object.fromEntries(
        Object.entries(extensionAlias).map(([key, value]) => [key, [...value]]),
      ),
    };
    this.#import = new ResolverFactory({ ...options, conditionNames: ["types", "import", "node"] });
    this.#require = this.#import.cloneWithOptions({
      ...options,
      conditionNames: ["types", "require", "node"],
    });
    const { tsconfig: _, ...plain } = options;
    this.#plain = new ResolverFactory({ ...plain, conditionNames: ["types", "import", "node"] });
    const named = (name: string): PackageFile | undefined => this.#byName.get(name)?.[0];
    this.#ownPaths = new OwnPaths(root, tree, this.#packages, named);
    this.#kitNames = new KitNames(root, tree, this.#packages);
    this.#bundlerNames = new BundlerNames(root, tree, this.#packages);
  }

  resolve(from: string, specifier: string, isRequire: boolean): Target {
    const target = this.#resolve(from, specifier, isRequire);
    if (target.to !== "nowhere" && target.to !== "package") return target;
    const aliased = this.#byBundler(from, specifier);
    if (aliased) return aliased;
    if (target.to === "package" && !FRAMEWORK_NAME.test(specifier)) return target;
    return this.#byFramework(from, specifier) ?? target;
  }

  /** Whether `import { type A }` loads the file, by the importer's TypeScript settings. */
  keepsTypes(from: string): boolean {
    return this.#ownPaths.keepsTypes(from);
  }

  /** TypeScript's aliases come first, because it is unknown which bundler a project uses. */
  #byBundler(from: string, specifier: string): Target | undefined {
    if (!this.#bundlerNames.areThere) return undefined;
    const path = this.#bundlerNames.resolve(this.#ownerOf(from)?.folder ?? "", specifier);
    const found = { to: "file", how: "alias", confidence: "likely" } as const;
    return path === undefined ? undefined : { ...found, path };
  }

  #resolve(from: string, specifier: string, isRequire: boolean): Target {
    if (specifier.startsWith(".")) return this.#relative(from, specifier, isRequire);
    if (isBuiltin(specifier)) return { to: "builtin", name: specifier.replace(/^node:/, "") };
    if (SCHEME.test(specifier)) return schemeTarget(specifier);
    if (specifier.startsWith("#")) return this.#internal(from, specifier, isRequire);
    const path = this.#onDisk(from, specifier, isRequire);
    const name = PACKAGE.exec(specifier)?.[0];
    const candidates = name === undefined ? [] : this.#packagesNamed(name, from);
    if (path !== undefined && this.#tree.has(path)) {
      const how = candidates.length > 0 ? "workspace" : "alias";
      return { to: "file", path, how, confidence: "exact" };
    }
    const subpath = specifier.slice((name?.length ?? 0) + 1);
    for (const manifest of candidates) {
      const inside = this.#inPackage(from, manifest, subpath, isRequire);
      if (inside) return inside;
    }
    if (path === undefined && this.#areWithout(candidates, subpath)) return { to: "nowhere" };
    if (name !== undefined && !isInside(path)) return { to: "package", name };
    return { to: path === undefined ? "nowhere" : "outside" };
  }

  #byFramework(from: string, specifier: string): Target | undefined {
    const owner = this.#ownerOf(from);
    const found =
      (specifier.includes("$") ? this.#kitNames.resolve(owner, specifier) : undefined) ??
      resolveNuxt(this.#tree, this.#packages, owner, specifier);
    if (!found) return undefined;
    if ("name" in found) return { to: "package", name: found.name };
    return { to: "file", path: found.path, how: "alias", confidence: "exact" };
  }

  #relative(from: string, specifier: string, isRequire: boolean): Target {
    const folder = parentFolder(from);
    const path = resolveRelative(this.#tree, folder, specifier, this.#packages);
    if (path !== undefined) return { to: "file", path, how: "relative", confidence: "exact" };
    const found = this.#onDisk(from, specifier, isRequire);
    if (found === undefined) return { to: "nowhere" };
    if (!this.#tree.has(found)) return { to: "outside" };
    return { to: "file", path: found, how: "relative", confidence: "exact" };
  }

  /** The packages with this name: workspace members, linked packages and the file's own package. */
  #packagesNamed(name: string, from: string): readonly PackageFile[] {
    const owner = this.#ownerOf(from);
    const members = this.#byName.get(name) ?? [];
    const linked = owner?.links.get(name);
    const near = owner?.name === name ? owner : this.#packages.get(linked ?? NOWHERE);
    return near ? [near, ...members] : members;
  }

  #inPackage(
    from: string,
    manifest: PackageFile,
    subpath: string,
    isRequire: boolean,
  ): Target | undefined {
    const importer = { isRequire, conditions: this.#ownPaths.conditions(from) };
    const found = this.#knownInPackage(manifest, subpath, importer);
    if (!found) return undefined;
    const confidence = found.isNamed ? "exact" : "likely";
    return { to: "file", path: found.path, how: "workspace", confidence };
  }

  /** Cached, because a package that is not built has hundreds of places to look at. */
  #knownInPackage(
    manifest: PackageFile,
    subpath: string,
    importer: Importer,
  ): WorkspaceTarget | undefined {
    const { isRequire, conditions = [] } = importer;
    const key = [manifest.folder, subpath, isRequire, ...conditions].join("\0");
    if (this.#knownInPackages.has(key)) return this.#knownInPackages.get(key);
    const found = resolveInPackage(this.#tree, manifest, subpath, importer);
    this.#knownInPackages.set(key, found);
    return found;
  }

  #areWithout(packages: readonly PackageFile[], subpath: string): boolean {
    if (packages.length === 0 || subpath === "") return false;
    return packages.every((manifest) => lacksPath(this.#tree, manifest, subpath));
  }

  /** Resolves `#name` in the file's package: to one of its files, or to another package. */
  #internal(from: string, specifier: string, isRequire: boolean): Target {
    const manifest = this.#ownerOf(from);
    const importer = { isRequire, conditions: this.#ownPaths.conditions(from) };
    const targets = exportTargets(manifest?.imports, specifier, importer);
    const isOwn = allTargets(targets).some((target) => target.startsWith("./"));
    const other = allTargets(targets).find((target) => !/^[.#]/.test(target));
    if (!isOwn && other !== undefined) return this.#resolve(from, other, isRequire);
    const path = this.#onDisk(from, specifier, isRequire);
    if (path !== undefined && this.#tree.has(path)) {
      return { to: "file", path, how: "alias", confidence: "exact" };
    }
    // The target may be a build output, which is replaced by its source.
    const found = resolveTargets(this.#tree, manifest?.folder ?? "", ownTargets(targets));
    if (found) return { to: "file", path: found.path, how: "alias", confidence: "likely" };
    if (other !== undefined) return this.#resolve(from, other, isRequire);
    return { to: path === undefined ? "nowhere" : "outside" };
  }

  #ownerOf(file: string): PackageFile | undefined {
    for (let folder = parentFolder(file); ; folder = parentFolder(folder)) {
      const manifest = this.#packages.get(folder);
      if (manifest || folder === "") return manifest;
    }
  }

  /**
   * Resolves on disk, cached by folder and kind of file: a configuration may treat tests and
   * sources differently, but not two sources.
   */
  #onDisk(from: string, specifier: string, isRequire: boolean): string | undefined {
    const key = `${parentFolder(from)}\0${VARIANT.exec(from)?.[0]}\0${specifier}\0${isRequire}`;
    if (this.#known.has(key)) return this.#known.get(key);
    const path = this.#lookUp(from, specifier, isRequire);
    this.#known.set(key, path);
    return path;
  }

  #lookUp(from: string, specifier: string, isRequire: boolean): string | undefined {
    const resolver = isRequire ? this.#require : this.#import;
    const file = `${this.#root}${sep}${from}`;
    let { path, error } = resolver.resolveFileSync(file, specifier);
    if (error !== undefined && NO_CONFIGURATION.test(error)) {
      const own = this.#ownPaths.resolve(from, specifier);
      if (own !== undefined) return own;
      ({ path } = this.#plain.resolveFileSync(file, specifier));
    }
    if (path === undefined) return undefined;
    const isBelow = path.startsWith(this.#root) && path[this.#root.length] === sep;
    const local = isBelow ? path.slice(this.#root.length + 1) : relative(this.#root, path);
    const plain = local.replace(/[?#].*$/, "");
    return sep === "/" ? plain : plain.replaceAll(sep, "/");
  }
}

function getByName(members: readonly PackageFile[]): Map<string, PackageFile[]> {
  const byName = new Map<string, PackageFile[]>();
  for (const manifest of members) {
    if (manifest.name === undefined) continue;
    const known = byName.get(manifest.name);
    if (known) known.push(manifest);
    else byName.set(manifest.name, [manifest]);
  }
  return byName;
}

const own = (targets: readonly string[]): string[] =>
  targets.filter((target) => target.startsWith("./"));

/** Targets that are files of the package itself. */
function ownTargets({ held, custom, elsewhere }: ConditionalTargets): ConditionalTargets {
  return { held: own(held), custom: own(custom), elsewhere: own(elsewhere) };
}

/**
 * Whether a path is below the root and not in an installed package. The tree may still not list it.
 */
function isInside(path: string | undefined): boolean {
  return path !== undefined && !path.startsWith("../") && !path.includes("node_modules/");
}

function schemeTarget(specifier: string): Target {
  const [scheme = "", rest = ""] = specifier.split(/:(.*)/s);
  const name = PACKAGE.exec(rest)?.[0];
  if ((scheme === "npm" || scheme === "jsr") && name !== undefined) return { to: "package", name };
  return { to: "builtin", name: specifier };
}
