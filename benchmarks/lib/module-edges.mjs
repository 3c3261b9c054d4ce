// @ts-check
// Compares the imports of a graph with those of another program.

/** @typedef {import("@waybill/codegraph").CodeGraph} CodeGraph */

const FROM = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
const TO = /\.(?:[cm]?[jt]sx?|json|vue|svelte)$/;

/** @param {CodeGraph} graph @param {ReadonlyMap<string, unknown>} truth by `from → to` */
export function compareEdges(graph, truth) {
  const ours = readEdges(graph);
  const certain = [...ours].filter(([, isCertain]) => isCertain).map(([edge]) => edge);
  const missed = [...truth.keys()].filter((edge) => !ours.has(edge));
  const wrong = certain.filter((edge) => !truth.has(edge));
  const guessed = [...ours].filter(([edge, isCertain]) => !isCertain && !truth.has(edge)).length;
  return {
    found: truth.size - missed.length,
    right: certain.length - wrong.length,
    certain: certain.length,
    guessed,
    missed,
    wrong,
  };
}

/** @param {CodeGraph} graph */
export function filePaths({ files }) {
  return Array.from({ length: files.count }, (_, file) => files.path(file));
}

/**
 * Package names with their folders. If two share a name, the deeper one counts.
 * @param {CodeGraph} graph
 */
export function packageFolders({ info }) {
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

/**
 * The edges that TypeScript could find, and whether the graph is certain about each.
 * @param {CodeGraph} graph
 */
function readEdges({ imports, files }) {
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
