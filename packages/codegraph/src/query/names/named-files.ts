import { posix } from "node:path";
import { listedPackages } from "../../graph/index.ts";
import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { compileScope } from "../../patterns/index.ts";
import { manifestsAbove } from "../../rules/index.ts";
import { folderName } from "./names.ts";

const ENDING = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/u;
const BUILT = /(^|\/)(?:dist|build|lib|out)\/(?:esm\/|cjs\/|types\/)?/u;
const WILD = /[*{]/u;
/**
 * The prefix of an alias, as in `@modules/*.ts` or `~/modules/*.ts`. A leading slash counts as one,
 * because it stands for a root.
 */
const ALIAS = /^[@~$#/]\/?/u;
const MAX_GLOBS = 200;

/** A path without extension and without `index`, as an import may write it. */
function getStem(path: string): string {
  return path
    .replace(ENDING, "")
    .replace(/\.svelte$/u, "")
    .replace(/\/index$/u, "");
}

/** Collects names found in text, and checks whether a file matches one. */
class Names {
  readonly #stems = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #beside = new Set<string>();
  readonly #endings = new Set<string>();
  readonly #globs = new Map<string, ReturnType<typeof compileScope>>();

  /** Adds the path of a file, from the root. */
  addFile(path: string): void {
    this.#stems.add(getStem(path));
    this.#stems.add(getStem(path.replace(BUILT, "$1src/")));
    this.#stems.add(getStem(path.replace(BUILT, "$1")));
  }

  /**
   * Adds a folder whose files are loaded. The part after the last slash is the start of their
   * names.
   */
  addFolder(path: string): void {
    this.#folders.add(path);
  }

  /** Adds the files in the folder of a file that reads its own folder. */
  addBeside(file: string): void {
    this.#beside.add(folderName(file));
  }

  /** A glob without a folder is skipped, because it would match everything. */
  addGlob(glob: string): void {
    if (!/^(?:\*\*\/)?[^*{/]+\//u.test(glob) || this.#globs.size >= MAX_GLOBS) return;
    this.#globs.set(glob, compileScope(glob));
  }

  /** Adds the path after an unresolved alias: `$lib/utils/date`. */
  addEnding(path: string): void {
    this.#endings.add(getStem(path));
  }

  fits(path: string): boolean {
    const stem = getStem(path);
    if (this.#stems.has(stem) || this.#stems.has(path.replace(ENDING, ""))) return true;
    if (this.#beside.has(folderName(path))) return true;
    for (let folder = folderName(path); folder !== ""; folder = folderName(folder)) {
      if (this.#folders.has(folder)) return true;
    }
    return (
      endsIn(stem, this.#endings) || [...this.#globs.values()].some((glob) => glob.matches(path))
    );
  }
}

/** Whether a path ends with one of these. */
function endsIn(path: string, endings: ReadonlySet<string>): boolean {
  if (endings.size === 0) return false;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    if (endings.has(path.slice(at + 1))) return true;
  }
  return endings.has(path);
}

/**
 * Folders that are usually named as a base path or alias. Naming one does not load all of its
 * files.
 */
const WIDE = /(?:^|\/)(?:src|lib|libs|app|apps|packages|server|client|dist|build|public)$/u;

const USUAL = /(?:^|\/)(?:index|main|mod|app|cli|server|client|config|types|utils|worker)\.\w+$/u;

function isWide({ info }: CodeGraph, folder: string): boolean {
  return WIDE.test(folder) || info.manifests.some(({ path }) => path.startsWith(`${folder}/`));
}

/** A path in a text is relative to its own folder, its package or the root. */
function addText(graph: CodeGraph, names: Names, file: number, text: string): void {
  const path = graph.files.path(file);
  const own = posix.join(folderName(path), text).replace(/\/$/u, "");
  if (text === "./") return names.addBeside(path);
  if (text.startsWith("**/")) return names.addGlob(text);
  if (WILD.test(text)) return names.addGlob(ALIAS.test(text) ? text.replace(ALIAS, "**/") : own);
  if (ALIAS.test(text)) addAlias(names, text);
  const isFolder = !ENDING.test(text) && graph.files.kind(file) === "module";
  if (isFolder && !path.startsWith(`${own}/`) && !isWide(graph, own)) names.addFolder(own);
  const [owner] = manifestsAbove(graph, path);
  const inPackage = posix.join(folderName(owner?.path ?? ""), text);
  for (const one of [own, inPackage, posix.join(text.replace(/^\/+/u, ""))]) names.addFile(one);
  // The path in a script may be relative to another folder, so a distinctive file name is enough.
  if (graph.files.kind(file) === "asset" && !USUAL.test(text))
    names.addEnding(posix.basename(text));
}

/** An alias of one or two segments is followed by the rest of the path: `@/web/store/user`. */
function addAlias(names: Names, specifier: string): void {
  if (/^\.{1,2}(?:\/|$)/u.test(specifier)) return;
  const segments = specifier.replace(/\?.*$/u, "").split("/");
  if (segments.length > 1) names.addEnding(segments.slice(1).join("/"));
  if (segments.length > 3) names.addEnding(segments.slice(2).join("/"));
}

/** An import that no package.json lists may be a bundler's alias. */
function addUnlisted(graph: CodeGraph, names: Names): void {
  const { packages, info } = graph;
  const listed = new Set(info.manifests.flatMap(listedPackages));
  for (let row = 0; row < packages.count; row++) {
    if (packages.kind(row) !== "package" || listed.has(packages.text(row))) continue;
    addAlias(names, packages.detail(row));
  }
}

/**
 * An array with a 1 for each file that a text other than an import names, or an unresolved import.
 */
export const namedFiles: (graph: CodeGraph) => Uint8Array = perGraph((graph) => {
  const names = new Names();
  const { gaps, files } = graph;
  for (let row = 0; row < gaps.count; row++) {
    const kind = gaps.kind(row);
    if (kind === "unsupported") addText(graph, names, gaps.file(row), gaps.text(row));
    else if (kind === "unresolved") addAlias(names, gaps.text(row));
  }
  addUnlisted(graph, names);
  return Uint8Array.from({ length: files.count }, (_, file) =>
    names.fits(files.path(file)) ? 1 : 0,
  );
});
