// @ts-check
// npm run codegraph:truth -- --root <folder> [--language typescript,python,go] [--symbols 150]
// [--seed 1] [--list 10] [--json]
// Compares the references of random symbols in the code graph with an oracle: TypeScript's language
// service, pyright, or go/types.
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { GraphWorkspace, openGraphTools } from "@waybill/codegraph";
import { askOracle } from "./ask-oracle.mjs";
import { ORACLE_OF, sampleSymbols } from "./sample.mjs";
import { addTo, newScore } from "./score.mjs";

/** @typedef {import("./sample.mjs").Sampled} Sampled */
/** @typedef {import("./score.mjs").Score} Score */
/** @typedef {import("./score.mjs").Reply} Reply */

const { values } = parseArgs({
  options: {
    root: { type: "string" },
    language: { type: "string", default: "typescript,python,go" },
    symbols: { type: "string", default: "150" },
    seed: { type: "string", default: "1" },
    list: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
  },
});
if (values.root === undefined) throw new TypeError("--root <folder> names the tree to compare");
const root = realpathSync(values.root);
const textOf = (/** @type {string} */ path) => readFileSync(join(root, path), "utf8");

const workspace = new GraphWorkspace({ root, patienceMs: 600_000 });
const tools = openGraphTools(workspace);
const { graph } = await workspace.view("waits");

/** @type {Record<string, object>} */
const report = {};
for (const language of values.language.split(",")) {
  const paths = Array.from({ length: graph.files.count }, (_, file) => file)
    .filter((file) => ORACLE_OF[graph.files.language(file)] === language)
    .map((file) => graph.files.path(file));
  if (paths.length === 0) continue;
  const symbols = sampleSymbols(
    graph,
    language,
    Number(values.symbols),
    Number(values.seed),
    textOf,
  );
  const oracle = await askOracle(root, language, paths, symbols);
  const scores = { top: newScore(), member: newScore() };
  for (const [place, symbol] of symbols.entries()) {
    const reply = await replyTo(symbol);
    const truth = oracle.truths[place] ?? { error: "no answer" };
    addTo(scores[symbol.group], symbol, truth, reply, oracle);
  }
  report[language] = print(language, paths.length, oracle.errors, scores);
}
await tools.close();
await workspace.close();
if (values.json) console.log(JSON.stringify(report));

/**
 * The references of a symbol, from all pages of the answer.
 * @param {Sampled} symbol @returns {Promise<Reply>}
 */
async function replyTo({ path, line, column }) {
  const places = [];
  /** @type {string | undefined} */
  let cursor;
  /** @type {{ completeness?: string, why?: string[] }} */
  let known = {};
  do {
    const args = { path, line, column, includeDeclaration: false, limit: 500, maxTokens: 500_000 };
    const reply = await tools.call("references", cursor === undefined ? args : { ...args, cursor });
    if (!reply.success) return { error: reply.data.result.error.message };
    /** @type {unknown} */
    const result = reply.data.result;
    const page =
      /** @type {{ references: { path: string, line: number, column: number, kind?: string, via?: string }[] }} */ (
        result
      );
    // A decorator passes the value without its name there.
    places.push(...page.references.filter(({ kind }) => kind !== "register"));
    known = /** @type {typeof known} */ (result);
    cursor = reply.data.meta.page?.cursor;
  } while (cursor !== undefined);
  return { places, isExact: known.completeness === "exact", why: known.why ?? [] };
}

/**
 * @param {string} language @param {number} files @param {number} errors
 * @param {Record<"top" | "member", Score>} scores
 */
function print(language, files, errors, scores) {
  console.log(`\n${language}: ${files} files, ${errors} errors of the oracle`);
  for (const [group, score] of Object.entries(scores)) {
    if (score.sampled === 0) continue;
    console.log(
      `  ${group.padEnd(6)} ${score.sampled} symbols (${score.unknown} unknown to the oracle, ${score.unanswered.length} unanswered)` +
        ` · recall ${referencePercent(score.found, score.truths)} of ${score.truths} · precision ${referencePercent(score.right, score.said)}` +
        ` · exact said ${referencePercent(score.exact, score.sampled)}, of complete answers ${referencePercent(score.exactOfComplete, score.complete)}` +
        ` · false exact ${score.falseExact.length}`,
    );
    for (const list of /** @type {const} */ (["falseExact", "unanswered", "missed", "wrong"])) {
      for (const text of score[list].slice(0, Number(values.list)))
        console.log(`    ${list}: ${text}`);
    }
    if (Number(values.list) > 0) {
      const most = [...score.why].toSorted((a, b) => b[1] - a[1]).slice(0, 8);
      for (const [why, times] of most) console.log(`    why: ${times} × ${why}`);
    }
  }
  return { files, errors, ...scores };
}

/** @param {number} part @param {number} whole */
function referencePercent(part, whole) {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
