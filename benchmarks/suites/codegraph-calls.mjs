// @ts-check
import { realpathSync } from "node:fs";
import { openCodeGraph } from "@waybill/codegraph";
import { compareCalls } from "../codegraph-truth/compare.mjs";
import { getCalls, createProgram } from "../codegraph-truth/typescript-calls.mjs";
import { namedRepository, OWN } from "../lib/repositories.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */

export const title = "Code graph: calls, compared with TypeScript's checker";

const MIN_PRECISION = 95;
/** @type {Record<string, number>} */
const MIN_RECALL = { nest: 88, hono: 70 };

/** @param {{ quick: boolean, repos: string[] }} options */
export async function run({ repos }) {
  const roots = repos.length > 0 ? repos : [OWN];
  /** @type {Row[]} */
  const rows = [];
  for (const { name, root } of roots.map(namedRepository)) {
    const { calls, found, edges, right } = await compared(realpathSync(root));
    rows.push(
      { name: `${name}: calls of what the tree declares`, value: calls, unit: "calls" },
      callsRow(`${name}: recall`, found, calls, MIN_RECALL[name.split(" ")[0]]),
      callsRow(`${name}: precision`, right, edges, MIN_PRECISION),
    );
  }
  return {
    rows,
    notes: [
      "The truth is TypeScript 5.9's checker over all files of the tree, without node_modules. Recall: the share of calls to a function, method or class of the tree that have an edge to its declaration. Precision: the share of call edges that lead to a declaration which TypeScript names. If TypeScript has no answer, the edge counts as wrong.",
      "`node benchmarks/codegraph-truth/run.mjs --repo <folder> --list 20` lists the missing and the wrong edges.",
    ],
  };
}

/** @param {string} root */
async function compared(root) {
  const opened = await openCodeGraph({ root, cache: false });
  await opened.ready;
  const result = compareCalls(opened.graph, getCalls(root, createProgram(root, "tsconfig.json")));
  await opened.close();
  return result;
}

/** @param {string} name @param {number} part @param {number} whole @param {number} [least] @returns {Row} */
function callsRow(name, part, whole, least) {
  const value = whole === 0 ? 100 : (part / whole) * 100;
  const limit = least === undefined ? {} : { target: `≥ ${least} %`, met: value >= least };
  return { name, value, unit: "%", ...limit };
}
