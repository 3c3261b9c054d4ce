// Asks a code graph what a change affects and which code is never reached, and adds an annotation.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { openGraphTools } from "@waybill/codegraph";
import { writeShop } from "./shop.ts";

const root = writeShop();
const graph = openGraphTools({ root });

async function ask(tool: string, args: Record<string, unknown> = {}): Promise<unknown> {
  const envelope = await graph.call(tool, args);
  assert.equal(envelope.success, true, JSON.stringify(envelope.data.result));
  return envelope.data.result;
}

const impact = await ask("impact", { target: "findUser" });
assert.deepEqual(Reflect.get(Object(impact), "affectedTests"), ["src/users.test.ts"]);
console.log("a change of findUser affects", JSON.stringify(impact));

const path = await ask("path", { from: "src/server.ts", to: "src/store/user-store.ts" });
assert.deepEqual(Reflect.get(Object(path), "paths"), [
  {
    nodes: ["src/server.ts", "src/users.ts", "src/store/index.ts", "src/store/user-store.ts"],
    length: 3,
  },
]);
console.log("the server reaches the store in", Reflect.get(Object(path), "shortestPath"), "steps");

const unreachable = async (): Promise<number> => {
  const result = await ask("issues", { kind: "HANDLER_UNREACHABLE" });
  return Number(Reflect.get(Object(Reflect.get(Object(result), "stats")), "total"));
};
assert.equal(await unreachable(), 1);
console.log("one router cannot be reached: src/orders.ts");

await ask("annotations", { action: "addEntrypoint", path: "src/orders.ts", type: "route" });
assert.equal(await unreachable(), 0);
console.log("an annotation says that the router is an entry point, so the issue is gone");

await graph.close();
rmSync(root, { recursive: true });
