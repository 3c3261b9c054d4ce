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
/** `@modules/*.ts`, `~/modules/*.ts`; one that begins with a slash is from some root too. */
const ALIAS = /^[@~$#/]\/?/u;
const MAX_GLOBS = 200;

/** A path without its ending, and without `index`, as an import may name it. */
function getStem(path: string): string {
  return path
    .replace(ENDING, "")
    .replace(/\.svelte$/u, "")
    .replace(/\/index$/u, "");
}

/** Collects names found in text, and tells for each file whether one matches. */
class Names {
  readonly #stems = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #beside = new Set<string>();
  readonly #endings = new Set<string>();
  readonly #globs = new Map<string, ReturnType<typeof compileScope>>();

  /** The path of a file, from the root. */
  addFile(path: string): void {
    this.#stems.add(getStem(path));
    this.#stems.add(getStem(path.replace(BUILT, "$1src/")));
    this.#stems.add(getStem(path.replace(BUILT, "$1")));
  }

  /** A folder of which files are loaded, with the names of those after the last slash. */
  addFolder(path: string): void {
    this.#folders.add(path);
  }

  /** The files that stand beside the one which reads its own folder. */
  addBeside(file: string): void {
    this.#beside.add(folderName(file));
  }

  /** One that names no folder would name everything. */
  addGlob(glob: string): void {
    if (!/^(?:\*\*\/)?[^*{/]+\//u.test(glob) || this.#globs.size >= MAX_GLOBS) return;
    this.#globs.set(glob, compileScope(glob));
  }

  /** The path behind an unresolved alias: `$lib/utils/date`. */
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

/** Whether the last segments of a path are one of these. */
function endsIn(path: string, endings: ReadonlySet<string>): boolean {
  if (endings.size === 0) return false;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    if (endings.has(path.slice(at + 1))) return true;
  }
  return endings.has(path);
}

/** Named to start from, or for a bundler's alias, rather than to load all that is in them. */
const WIDE = /(?:^|\/)(?:src|lib|libs|app|apps|packages|server|client|dist|build|public)$/u;

const USUAL = /(?:^|\/)(?:index|main|mod|app|cli|server|client|config|types|utils|worker)\.\w+$/u;

function isWide({ info }: CodeGraph, folder: string): boolean {
  return WIDE.test(folder) || info.manifests.some(({ path }) => path.startsWith(`${folder}/`));
}

/** A path in a text is from its own folder, from its package or from the root. */
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
  // Scripts change folders and name what is built; a name that says something is enough.
  if (graph.files.kind(file) === "asset" && !USUAL.test(text))
    names.addEnding(posix.basename(text));
}

/** An alias, of one segment or two, is followed by the rest of the path: `@/web/store/user`. */
function addAlias(names: Names, specifier: string): void {
  if (/^\.{1,2}(?:\/|$)/u.test(specifier)) return;
  const segments = specifier.replace(/\?.*$/u, "").split("/");
  if (segments.length > 1) names.addEnding(segments.slice(1).join("/"));
  if (segments.length > 3) names.addEnding(segments.slice(2).join("/"));
}

/** An import by a name that no package.json lists may be a bundler's alias. */
function addUnlisted(graph: CodeGraph, names: Names): void {
  const { packages, info } = graph;
  const listed = new Set(info.manifests.flatMap(listedPackages));
  for (let row = 0; row < packages.count; row++) {
    if (packages.kind(row) !== "package" || listed.has(packages.text(row))) continue;
    addAlias(names, packages.detail(row));
  }
}

/** 1 for each file that some text names which is no import, or an import nobody could resolve. */
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
