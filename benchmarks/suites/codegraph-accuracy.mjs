// @ts-check
import { openCodeGraph } from "@waybill/codegraph";
import { compareEdges, filePaths, packageFolders } from "../lib/module-edges.mjs";
import { repositories } from "../lib/repositories.mjs";
import { typescriptEdges } from "../lib/typescript-truth.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */

export const title = "Code graph: imports, compared with TypeScript's resolver";

const MIN_PERCENT = 99.9;

/** @param {{ quick: boolean, repos: string[] }} options */
export async function run({ quick, repos }) {
  /** @type {Row[]} */
  const rows = [];
  for (const { name, root } of repositories(repos, quick ? 500 : 2000)) {
    const { graph } = await openCodeGraph({ root, cache: false });
    const truth = typescriptEdges(root, filePaths(graph), packageFolders(graph));
    const { found, right, certain, guessed } = compareEdges(graph, truth);
    rows.push(
      { name: `${name}: edges that TypeScript finds`, value: truth.size, unit: "edges" },
      accuracyRow(`${name}: recall`, found, truth.size),
      accuracyRow(`${name}: precision of certain edges`, right, certain),
      {
        name: `${name}: likely edges that TypeScript does not find`,
        value: guessed,
        unit: "edges",
      },
    );
  }
  return {
    rows,
    notes: [
      "The truth is TypeScript 5.9's `resolveModuleName` with the options of the configuration that includes a file. If these rules forbid a name that bundlers accept, the rules of bundlers are used. Workspace packages are linked as by an install. An edge is a pair of files of the tree.",
      "Likely edges lead to the source of a workspace package that is not built, so TypeScript cannot find them. The graph marks them as likely.",
    ],
  };
}

/** @param {string} name @param {number} part @param {number} whole @returns {Row} */
function accuracyRow(name, part, whole) {
  const value = whole === 0 ? 100 : (part / whole) * 100;
  return { name, value, unit: "%", target: `≥ ${MIN_PERCENT} %`, met: value >= MIN_PERCENT };
}
