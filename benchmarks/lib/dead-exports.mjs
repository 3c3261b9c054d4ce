// @ts-check
// node dead-exports.mjs <folder>: exports that nothing imports, and imports that do not
// resolve.
import { openCodeGraph } from "@waybill/codegraph/build";

const [root = "."] = process.argv.slice(2);
const controller = new AbortController();
const { graph } = await openCodeGraph({ root, cache: false, signal: controller.signal });
// Symbols are not computed, because the compared programs do not compute them either.
controller.abort();
console.log(
  JSON.stringify({
    unused: unusedExports(graph).length,
    unresolved: unresolved(graph),
    peakKiB: process.resourceUsage().maxRSS,
  }),
);

/** @param {import("@waybill/codegraph").CodeGraph} graph */
function unusedExports({ files, exports, bindings, imports }) {
  const isTakenWhole = new Uint8Array(files.count);
  for (let row = 0; row < bindings.count; row++) {
    const edge = bindings.edge(row);
    if (bindings.name(row) === "*" && imports.kind(edge) !== "reexport")
      isTakenWhole[imports.to(edge)] = 1;
  }
  /** @type {number[]} */
  const unused = [];
  for (let row = 0; row < exports.count; row++) {
    if (exports.kind(row) !== "local" || isTakenWhole[exports.file(row)]) continue;
    const isImported = [...bindings.ofExport(row)].some(
      (binding) => imports.kind(bindings.edge(binding)) !== "reexport",
    );
    if (!isImported) unused.push(row);
  }
  return unused;
}

/** @param {import("@waybill/codegraph").CodeGraph} graph */
function unresolved({ gaps }) {
  let count = 0;
  for (let row = 0; row < gaps.count; row++) if (gaps.kind(row) === "unresolved") count++;
  return count;
}
