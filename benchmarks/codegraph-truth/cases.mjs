// @ts-check
// npm run codegraph:truth:cases [-- <part of a case's name>]
// Checks the small trees in the tests of the code graph with the languages' own tools: both must
// expect the same answers.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openCodeGraph } from "@waybill/codegraph";
import { TRUTH_TREES } from "../../packages/codegraph/src/fixtures/truth-trees.ts";
import { askOracle } from "./ask-oracle.mjs";
import { TypeScriptOracle } from "./oracle-typescript.mjs";
import { ORACLE_OF, placedSymbol } from "./sample.mjs";

let failures = 0;
const wanted = process.argv[2] ?? "";
for (const [name, { files, uses, edges, renames = {} }] of Object.entries(TRUTH_TREES)) {
  if (!name.includes(wanted)) continue;
  const root = realpathSync(mkdtempSync(join(tmpdir(), "waybill-case-")));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const wrong = [
    ...(await compareCase(root, uses, renames)),
    ...(edges ? compareEdges(root, files, edges) : []),
  ];
  failures += wrong.length;
  console.log(`${wrong.length === 0 ? "ok  " : "FAIL"} ${name}`);
  for (const line of wrong) console.log(`     ${line}`);
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

/**
 * @param {string} root @param {Readonly<Record<string, string>>} files
 * @param {readonly string[]} expected
 */
function compareEdges(root, files, expected) {
  const paths = Object.keys(files).filter((path) => !path.endsWith(".json"));
  const found = [...new TypeScriptOracle(root, paths).edges()].flatMap(([from, targets]) =>
    [...targets].map((to) => `${from} -> ${to}`),
  );
  const isSame = found.toSorted().join() === expected.toSorted().join();
  return isSame ? [] : [`imports lead ${found.toSorted().join(", ")}`];
}

/**
 * @param {string} root @param {Readonly<Record<string, readonly string[]>>} uses
 * @param {Readonly<Record<string, readonly string[]>>} renames
 */
async function compareCase(root, uses, renames) {
  const opened = await openCodeGraph({ root, cache: false });
  await opened.ready;
  const { graph } = opened;
  const wrong = [];
  for (const symbol of new Set([...Object.keys(uses), ...Object.keys(renames)])) {
    const expected = uses[symbol];
    const [path = "", name = ""] = symbol.split("#");
    const file = graph.files.find(path) ?? 0;
    const id = [...graph.symbols.inFile(file)].find((each) => qualified(graph, each) === name);
    const place =
      id === undefined
        ? undefined
        : placedSymbol(graph, id, (each) => readFileSync(join(root, each), "utf8"));
    if (!place) {
      wrong.push(`${symbol} is not declared`);
      continue;
    }
    const language = ORACLE_OF[graph.files.language(file)] ?? "";
    const paths = Array.from({ length: graph.files.count }, (_, each) => each)
      .filter((each) => ORACLE_OF[graph.files.language(each)] === language)
      .map((each) => graph.files.path(each));
    if (renames[symbol]) {
      const places = new TypeScriptOracle(root, paths).renames(place).toSorted().join(" ");
      const own = renames[symbol].toSorted().join(" ");
      if (places !== own) wrong.push(`${symbol} is renamed at ${places}`);
    }
    if (!expected) continue;
    const { truths } = await askOracle(root, language, paths, [place]);
    const [truth] = truths;
    const found =
      truth && "places" in truth
        ? truth.places.map((each) => `${each.path}:${each.line}:${each.column}`)
        : [];
    const unexpected = found.filter((each) => !expected.includes(each));
    const unknown = expected.filter((each) => !found.includes(each));
    if (unexpected.length > 0) wrong.push(`${symbol} is also used at ${unexpected.join(" ")}`);
    if (unknown.length > 0) wrong.push(`${symbol} is not used at ${unknown.join(" ")}`);
  }
  await opened.close();
  return wrong;
}

/** @param {import("@waybill/codegraph").CodeGraph} graph @param {number} symbol */
function qualified({ symbols }, symbol) {
  const parent = symbols.parent(symbol);
  const name = symbols.name(symbol);
  const isTop = parent === undefined || symbols.kind(parent) === "module";
  return isTop ? name : `${symbols.name(parent)}.${name}`;
}
