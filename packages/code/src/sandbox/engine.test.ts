import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const ENGINE = new URL("engine.ts", import.meta.url).href;
const PROGRAM = `import { cachedDataVersionTag } from "node:v8";
const before = cachedDataVersionTag();
const { loadEngine } = await import(${JSON.stringify(ENGINE)});
const { module } = loadEngine();
console.log(module instanceof WebAssembly.Module, loadEngine().module === module);
console.log(cachedDataVersionTag() === before);`;

it("the sandbox compiles its engine once, and leaves the V8 flags that other processes' code caches depend on unchanged", async () => {
  const flags = ["-C", "@waybill/source", "--import", "tsx", "--input-type=module", "-e", PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  expect(stdout.trim().split("\n")).toEqual(["true true", "true"]);
});
