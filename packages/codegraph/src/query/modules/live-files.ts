import type { CodeGraph, EntrypointKind } from "../../graph/index.ts";
import { linkCount, linksIn, linksOut, perGraph, reachFrom } from "../../analysis/index.ts";
import { isDynamicallyNamed } from "../completeness/completeness.ts";
import { namedFiles } from "../names/named-files.ts";
import { folderName } from "../names/names.ts";
import { isPlaced } from "../names/placed-files.ts";
import { publicFiles } from "./public-files.ts";

/**
 * Entry points that are declared in code. Their file must itself be loaded: a router that nobody
 * imports serves nothing. Other entry points are files that a framework finds by location.
 */
const DECLARED_IN_CODE =
  /^(?:express|koa|fastify|hono|nest|@nestjs|@?trpc|(?:type-)?graphql|apollo|commander|yargs|cac|citty|bull|cron|node-cron|node-schedule|agenda|bree)/iu;

/**
 * Files that people or other programs run, or that are only examples. Nothing in the code leads to
 * them.
 */
const OUTSIDE_THE_PROGRAM =
  /(?:^|\/)(?:__\w*(?:mock|test|fixture)\w*__|__fixtures__|fixtures?|mocks?|templates?|examples?|samples?|demos?|playgrounds?|scripts?|tools|bin|benchmarks?|bench|perf|e2e|vendor|third[-_]party|public|static|assets|generated|dist|build|out|migrations?|seeds?|docs?|website|\.[^/]+)\//iu;

const CODE = new Set(["typescript", "javascript", "vue", "svelte", "astro"]);

/** Files that a tool finds by name. */
const NAMED_FOR_A_TOOL =
  /(?:^|\/)(?:[^/]+\.(?:config|workspace)(?:\.[^/]+)?|[^/]*setup[^/]*|stories)\.[cm]?[jt]sx?$/iu;

/** Fixtures and similar files may be broken on purpose. */
export function isOutsideProgram(path: string): boolean {
  return OUTSIDE_THE_PROGRAM.test(path);
}

const judged: (graph: CodeGraph) => Uint8Array = perGraph((graph) =>
  Uint8Array.from({ length: graph.files.count }, (_, file) => (judgeFile(graph, file) ? 1 : 0)),
);

/** Whether a file is part of the program, so that its importers say something about it. */
export function isJudged(graph: CodeGraph, file: number): boolean {
  return judged(graph)[file] === 1;
}

function judgeFile(graph: CodeGraph, file: number): boolean {
  const { files } = graph;
  if (files.kind(file) !== "module" || files.state(file) !== "parsed") return false;
  if (!CODE.has(files.language(file))) return false;
  const path = files.path(file);
  if (isOutsideProgram(path) || NAMED_FOR_A_TOOL.test(path) || isPlaced(graph, path)) return false;
  return namedFiles(graph)[file] === 0 && !isDynamicallyNamed(graph, path);
}

export function isDeclaredInCode(by: string): boolean {
  return DECLARED_IN_CODE.test(by);
}

function isRootKind(kind: EntrypointKind, by: string): boolean {
  if (kind === "package" || kind === "page" || kind === "test") return true;
  return !isDeclaredInCode(by);
}

/** Files that run, or whose exports are used, because of their location or a declaration. */
export const conventionFiles: (graph: CodeGraph) => Uint8Array = perGraph((graph) => {
  const found = new Uint8Array(graph.files.count);
  const { entrypoints, files } = graph;
  for (let row = 0; row < entrypoints.count; row++) {
    if (isRootKind(entrypoints.kind(row), entrypoints.detail(row)))
      found[entrypoints.file(row)] = 1;
  }
  for (let file = 0; file < files.count; file++) {
    const kind = files.kind(file);
    if (kind === "test" || kind === "config" || kind === "story" || kind === "declaration") {
      found[file] = 1;
    }
  }
  return found;
});

/** A file that is run and not imported: it exports nothing, or only assigns to `exports`. */
function isScript(graph: CodeGraph, file: number): boolean {
  if (graph.files.state(file) === "skipped") return false;
  for (const row of graph.exports.inFile(file)) {
    if (graph.exports.kind(row) !== "assigned") return false;
  }
  return linkCount(linksIn(graph), file) === 0;
}

function getRoots(graph: CodeGraph): number[] {
  const doors = publicFiles(graph);
  const conventions = conventionFiles(graph);
  const roots: number[] = [];
  for (let file = 0; file < graph.files.count; file++) {
    const isRoot =
      doors[file] === 1 ||
      conventions[file] === 1 ||
      !isJudged(graph, file) ||
      isScript(graph, file);
    if (isRoot) roots.push(file);
  }
  return roots;
}

/** An array with a 1 for each file that running code leads to. */
export const liveFiles: (graph: CodeGraph) => Uint8Array = perGraph((graph) => {
  const { steps } = reachFrom(linksOut(graph), getRoots(graph));
  return Uint8Array.from(steps, (count) => (count === -1 ? 0 : 1));
});

/**
 * 1 for each file of a package with a known entry point. Without one, everything would look dead.
 */
export const enteredPackages: (graph: CodeGraph) => Uint8Array = perGraph((graph) => {
  const folders = new Set(["", ...graph.info.manifests.map(({ path }) => folderName(path))]);
  const ownerOf = (path: string): string => {
    for (let folder = folderName(path); folder !== ""; folder = folderName(folder)) {
      if (folders.has(folder)) return folder;
    }
    return "";
  };
  const entered = new Set<string>();
  const owners = Array.from({ length: graph.files.count }, (_, file) =>
    ownerOf(graph.files.path(file)),
  );
  const doors = publicFiles(graph);
  for (let file = 0; file < graph.files.count; file++) {
    const isWayIn =
      doors[file] === 1 ||
      (graph.files.kind(file) === "module" && isScript(graph, file)) ||
      [...graph.entrypoints.inFile(file)].some((row) =>
        isRootKind(graph.entrypoints.kind(row), graph.entrypoints.detail(row)),
      );
    if (isWayIn && graph.files.kind(file) !== "test") entered.add(owners[file]!);
  }
  return Uint8Array.from(owners, (owner) => (entered.has(owner) ? 1 : 0));
});
