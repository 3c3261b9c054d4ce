import { perGraph } from "../../analysis/index.ts";
import { listedPackages } from "../../graph/index.ts";
import type { CodeGraph } from "../../graph/index.ts";
import { manifestsAbove } from "../../rules/index.ts";
import { folderName } from "../names/names.ts";

/** A test file and its runner. */
interface RunnerOfTest {
  readonly file: number;
  readonly runner: string;
  /** The folder in which the runner starts. */
  readonly folder: string;
}

/** A command that runs tests, as a list of arguments. */
interface TestCommand {
  readonly runner: string;
  /** The folder to run it in, relative to the root. */
  readonly cwd?: string;
  readonly args: readonly string[];
}

const PACKAGES: readonly (readonly [name: string, runner: string])[] = [
  ["vitest", "vitest"],
  ["jest", "jest"],
  ["@playwright/test", "playwright"],
  ["mocha", "mocha"],
  ["ava", "ava"],
];

/** The arguments before the files. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  vitest: ["vitest", "run"],
  jest: ["jest"],
  playwright: ["playwright", "test"],
  mocha: ["mocha"],
  ava: ["ava"],
  bun: ["bun", "test"],
  "node:test": ["node", "--test"],
  pytest: ["pytest"],
  "go test": ["go", "test"],
};

/** The entry points of the files that a test runner opens, without their helpers, by file. */
const testsByFile: (graph: CodeGraph) => ReadonlyMap<number, number> = perGraph(
  ({ entrypoints }) => {
    const rows = new Map<number, number>();
    for (let row = 0; row < entrypoints.count; row++) {
      const file = entrypoints.file(row);
      if (entrypoints.kind(row) === "test" && !rows.has(file)) rows.set(file, row);
    }
    return rows;
  },
);

/** The files among these that a test runner opens. */
export function testsAmong(graph: CodeGraph, files: Iterable<number>): number[] {
  const tests = testsByFile(graph);
  return tests.size === 0 ? [] : [...files].filter((file) => tests.has(file));
}

/** Packages by which a runner checks types, so that a wrong type fails a test. */
const CHECKERS: ReadonlySet<string> = new Set(["ts-jest", "ts-node", "jest-preset-angular"]);

/** Whether a package.json above the test lists a package that checks types when tests run. */
export function checksTypes(graph: CodeGraph, file: number): boolean {
  const manifests = manifestsAbove(graph, graph.files.path(file));
  return manifests.some((each) => listedPackages(each).some((name) => CHECKERS.has(name)));
}

/** Whether Node itself runs a test, and so the files that it imports. */
export function isRunByNode(graph: CodeGraph, file: number): boolean {
  return findRunner(graph, file).runner === "node:test";
}

/** The runner of a test file and the folder in which it starts. */
function findRunner(graph: CodeGraph, file: number): Omit<RunnerOfTest, "file"> {
  const path = graph.files.path(file);
  const known = graph.entrypoints.detail(testsByFile(graph).get(file)!);
  if (known === "go test") return { runner: known, folder: goModule(graph, path) };
  if (known === "pytest") return { runner: known, folder: "" };
  for (const manifest of manifestsAbove(graph, path)) {
    const listed = new Set(listedPackages(manifest));
    const own = PACKAGES.find(([name, runner]) => listed.has(name) && isSameRunner(known, runner));
    if (own) return { runner: own[1], folder: folderName(manifest.path) };
  }
  return { runner: known === "test" ? "unknown" : known, folder: "" };
}

function isSameRunner(known: string, runner: string): boolean {
  return known === "test" || known === runner;
}

/** Go packages are named relative to the folder of their module. */
function goModule({ files }: CodeGraph, path: string): string {
  for (let folder = folderName(path); ; folder = folderName(folder)) {
    if (files.find(folder === "" ? "go.mod" : `${folder}/go.mod`) !== undefined) return folder;
    if (folder === "") return "";
  }
}

/** One command for each runner and folder. Files without a known runner have none. */
export function testCommands(graph: CodeGraph, tests: readonly number[]): TestCommand[] {
  const groups = new Map<string, RunnerOfTest[]>();
  for (const file of tests) {
    const test = { file, ...findRunner(graph, file) };
    if (BEFORE[test.runner] === undefined) continue;
    const key = `${test.runner}\n${test.folder}`;
    const known = groups.get(key);
    if (known) known.push(test);
    else groups.set(key, [test]);
  }
  return Array.from(groups.values(), (group) => buildCommand(graph, group));
}

function buildCommand(graph: CodeGraph, group: readonly RunnerOfTest[]): TestCommand {
  const { runner, folder } = group[0]!;
  const below = folder === "" ? 0 : folder.length + 1;
  const paths = group.map(({ file }) => graph.files.path(file).slice(below));
  const named = runner === "go test" ? goPackages(paths) : paths;
  return {
    runner,
    ...(folder !== "" && { cwd: folder }),
    args: [...BEFORE[runner]!, ...named],
  };
}

/** `go test` takes packages, not files. */
function goPackages(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => `./${folderName(path)}`.replace(/\/$/u, "")))];
}
