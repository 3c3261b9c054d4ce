// @ts-check
// node whole-graph.mjs <folder>: builds the complete graph with symbols, references and calls, and
// saves it.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openCodeGraph } from "@waybill/codegraph/build";

const [root = "."] = process.argv.slice(2);
rmSync(join(root, ".waybill/graph/cache"), { recursive: true, force: true });
const session = await openCodeGraph({ root });
await session.ready;
const { files, symbols, uses } = session.graph;
await session.close();
console.log(
  JSON.stringify({
    files: files.count,
    symbols: symbols.count,
    uses: uses.count,
    peakKiB: process.resourceUsage().maxRSS,
  }),
);
