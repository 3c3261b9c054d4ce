// @ts-check
// node --expose-gc held-memory.mjs <folder>: measures the memory of an open code graph, in bytes.
import { openCodeGraph } from "@waybill/codegraph/build";

const [root = "."] = process.argv.slice(2);
const before = held();
const session = await openCodeGraph({ root, cache: false });
await session.ready;
const after = held();
await session.close();
console.log(after - before);

function held() {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
