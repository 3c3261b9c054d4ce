// @ts-check
import { openCodeGraph } from "@waybill/codegraph";
import { repositories } from "../lib/repositories.mjs";
import { typescriptEdges } from "../lib/typescript-truth.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */
/** @typedef {import("@waybill/codegraph").CodeGraph} CodeGraph */

export const title = "Code graph: imports, held against TypeScript's resolver";

const MIN_PERCENT = 99.9;
const FROM = /\.[cm]?[jt]sx?$/;
const TO = /\.(?:[cm]?[jt]sx?|json)$/;

/** @param {{ quick: boolean, repos: string[] }} options */
export async function run({ quick, repos }) {
  /** @type {Row[]} */
  const rows = [];
  for (const { name, root } of repositories(repos, quick ? 500 : 2000)) {
    const { graph } = await openCodeGraph({ root, cache: false });
    const truth = typescriptEdges(root, pathsOf(graph), packagesOf(graph));
    const ours = edgesOf(graph);
    const certain = [...ours].filter(([, isCertain]) => isCertain).map(([edge]) => edge);
    const found = [...truth.keys()].filter((edge) => ours.has(edge)).length;
    const right = certain.filter((edge) => truth.has(edge)).length;
    const guessed = [...ours].filter(([edge, isCertain]) => !isCertain && !truth.has(edge)).length;
    rows.push(
      { name: `${name}: edges that TypeScript finds`, value: truth.size, unit: "edges" },
      percent(`${name}: recall`, found, truth.size),
      percent(`${name}: precision of certain edges`, right, certain.length),
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
      "TypeScript 5.9's `resolveModuleName` with the options of the configuration that includes a file; where its rules forbid a name that bundlers accept, it is asked again by theirs. Workspace packages are seen as an installation would link them. An edge is a pair of files of the tree.",
      "Likely edges lead to the source of a workspace package that is not built, which TypeScript cannot see; they are marked as likely in the graph.",
    ],
  };
}

/** @param {string} name @param {number} part @param {number} whole @returns {Row} */
function percent(name, part, whole) {
  const value = whole === 0 ? 100 : (part / whole) * 100;
  return { name, value, unit: "%", target: `≥ ${MIN_PERCENT} %`, met: value >= MIN_PERCENT };
}

/** @param {CodeGraph} graph */
function pathsOf({ files }) {
  return Array.from({ length: files.count }, (_, file) => files.path(file));
}

/** Names and folders; of two that share a name the deeper one counts. @param {CodeGraph} graph */
function packagesOf({ info }) {
  /** @type {Map<string, string>} */
  const packages = new Map();
  const byDepth = info.manifests.toSorted(
    (a, b) => a.path.split("/").length - b.path.split("/").length,
  );
  for (const { name, path } of byDepth) {
    if (name !== undefined && !packages.get(name))
      packages.set(name, path.replace(/\/?package\.json$/, ""));
  }
  return packages;
}

/** Edges that TypeScript could know of, and whether the graph is certain. @param {CodeGraph} graph */
function edgesOf({ imports, files }) {
  /** @type {Map<string, boolean>} */
  const edges = new Map();
  for (let edge = 0; edge < imports.count; edge++) {
    const [from, to] = [files.path(imports.from(edge)), files.path(imports.to(edge))];
    if (!FROM.test(from) || !TO.test(to)) continue;
    const key = `${from} → ${to}`;
    edges.set(key, edges.get(key) === true || imports.confidence(edge) === "exact");
  }
  return edges;
}
