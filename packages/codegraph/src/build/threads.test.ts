import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openCodeGraph } from "./index.ts";
import { temporaryTree } from "./testing/temporary-tree.ts";

const INDEX = new URL("./index.ts", import.meta.url).href;
const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Opens the graph in a process whose threads can load TypeScript, which those of a test cannot. */
function countsInProcess(root: string): unknown {
  const program = `
    import { openCodeGraph } from ${JSON.stringify(INDEX)};
    const open = await openCodeGraph({ root: ${JSON.stringify(root)}, cache: false });
    await open.ready;
    console.log(JSON.stringify([open.graph.symbols.count, open.graph.uses.count]));
  `;
  const flags = ["-C", "@waybill/source", "--import", "tsx", "--input-type=module", "-e", program];
  return JSON.parse(execFileSync(process.execPath, flags, { cwd: HERE, encoding: "utf8" }));
}

it("symbols are the same, whether threads read them or not", async () => {
  const files = Array.from({ length: 200 }, (_, at): [string, string] => [
    `f${at}.ts`,
    `import { run as next } from "./f${(at + 1) % 200}";\nexport function run() { next(); }\n`,
  ]);
  const root = temporaryTree(Object.fromEntries(files));
  const open = await openCodeGraph({ root, cache: false });
  await open.ready;
  const counts = [open.graph.symbols.count, open.graph.uses.count];
  expect(counts[0]).toBe(400);
  expect(countsInProcess(root)).toEqual(counts);
});
