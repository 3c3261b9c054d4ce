// @ts-check
// npm run codegraph:truth:modules -- --root <folder> [--files 60] [--seed 1] [--list 5]
// [--alias '$lib=src/lib']: names that a framework defines, which TypeScript's resolver cannot know.
// Compares resolved imports, and the tests that a changed file affects, with TypeScript's resolver.
import { realpathSync } from "node:fs";
import { parseArgs } from "node:util";
import { GraphWorkspace, openGraphTools } from "@waybill/codegraph";
import { compareEdges, filePaths, packageFolders } from "../lib/module-edges.mjs";
import { typescriptEdges } from "../lib/typescript-truth.mjs";
import { choose, randomFrom } from "./sample.mjs";

const { values } = parseArgs({
  options: {
    root: { type: "string" },
    files: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    list: { type: "string", default: "0" },
    alias: { type: "string", multiple: true, default: [] },
  },
});
if (values.root === undefined) throw new TypeError("--root <folder> names the tree to compare");
const root = realpathSync(values.root);

const workspace = new GraphWorkspace({ root, patienceMs: 600_000 });
const tools = openGraphTools(workspace);
const { graph } = await workspace.view("waits");
const aliases = new Map(
  values.alias.map((text) => /** @type {[string, string]} */ (text.split("=", 2))),
);
const truth = typescriptEdges(root, filePaths(graph), packageFolders(graph), aliases);
const { found, right, certain, missed, wrong } = compareEdges(graph, truth);
console.log(
  `edges  ${truth.size} · recall ${modulePercent(found, truth.size)} · precision of certain edges ${modulePercent(right, certain)}`,
);
show("missed edge", missed);
show("wrong edge", wrong);

const takers = takersByFile();
const isTest = testFiles();
const sampled = choose(
  filePaths(graph).filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !isTest.has(path)),
  Number(values.files),
  randomFrom(Number(values.seed)),
);
const score = { truths: 0, found: 0, said: 0, right: 0 };
/** @type {string[]} */
const lost = [];
for (const path of sampled) {
  const expected = new Set([...closure(path)].filter((each) => isTest.has(each)));
  const said = await testsFor(path);
  score.truths += expected.size;
  score.said += said.length;
  const known = new Set(said);
  score.found += [...expected].filter((each) => known.has(each)).length;
  score.right += said.filter((each) => expected.has(each)).length;
  lost.push(...[...expected].filter((each) => !known.has(each)).map((each) => `${path}: ${each}`));
}
console.log(
  `tests  ${sampled.length} files · recall ${modulePercent(score.found, score.truths)} of ${score.truths} · precision ${modulePercent(score.right, score.said)}`,
);
show("missed test", lost);
await tools.close();
await workspace.close();

/** @param {number} part @param {number} whole */
function modulePercent(part, whole) {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(2)} %`;
}

/** @param {string} title @param {readonly string[]} list */
function show(title, list) {
  for (const each of list.slice(0, Number(values.list))) console.log(`  ${title}: ${each}`);
}

/** The importers of each file, by TypeScript's resolver. */
function takersByFile() {
  /** @type {Map<string, string[]>} */
  const byFile = new Map();
  for (const edge of truth.keys()) {
    const [from = "", to = ""] = edge.split(" → ");
    byFile.set(to, [...(byFile.get(to) ?? []), from]);
  }
  return byFile;
}

function testFiles() {
  /** @type {Set<string>} */
  const paths = new Set();
  for (let file = 0; file < graph.files.count; file++) {
    const isEntered = [...graph.entrypoints.inFile(file)].some(
      (row) => graph.entrypoints.kind(row) === "test",
    );
    if (isEntered) paths.add(graph.files.path(file));
  }
  return paths;
}

/** A file and everything that depends on it. @param {string} path */
function closure(path) {
  const seen = new Set([path]);
  for (const each of seen) for (const taker of takers.get(each) ?? []) seen.add(taker);
  return seen;
}

/**
 * The tests for a target, from all pages of the answer. `impact` counts imports of types, as the
 * closure does; `tests` leaves them out.
 * @param {string} target @returns {Promise<string[]>}
 */
async function testsFor(target) {
  /** @type {string[]} */
  const tests = [];
  /** @type {string | undefined} */
  let cursor;
  do {
    const args = { target, include: ["affectedTests"], limit: 500, maxTokens: 500_000 };
    const reply = await tools.call("impact", cursor === undefined ? args : { ...args, cursor });
    if (!reply.success) throw new Error(reply.data.result.error.message);
    /** @type {unknown} */
    const result = reply.data.result;
    tests.push(.../** @type {{ affectedTests: string[] }} */ (result).affectedTests);
    cursor = reply.data.meta.page?.cursor;
  } while (cursor !== undefined);
  // Helpers of tests are affected too, but no runner opens them.
  return tests.filter((path) => isTest.has(path));
}
