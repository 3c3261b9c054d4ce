// @ts-check
// node inspector-server.mjs <folder> <calls>: starts an inspector with this many calls in its
// history and prints its port. If the parent sends a number, it makes that many calls per second
// from then on.
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createWaybill, defineOperation } from "@waybill/core";
import { openHistory } from "@waybill/state";
import { startHttpServer } from "@waybill/server";
import { TOKEN } from "./http-load.mjs";

const TICK_MS = 50;
/** The largest number of calls that a history stores at once. */
const BATCH = 500;

const [, , folder = ".", calls = "0"] = process.argv;
const history = openHistory({
  path: join(folder, "history.db"),
  redact: (/** @type {unknown} */ value) => value,
});
const view = defineOperation({
  id: "item.view",
  description: "View an item",
  effect: "read",
  input: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
  output: { type: "object" },
  handler: (/** @type {{ id: number }} */ { id }) => ({ id, title: `Item ${id}` }),
});
const waybill = createWaybill({ operations: [view], observer: history.observe("program") });

/** @param {number} count */
async function make(count) {
  for (let id = 0; id < count; id += 1) await waybill.execute("item.view", { id });
}

for (let left = Number(calls); left > 0; left -= BATCH) {
  await make(Math.min(left, BATCH));
  await history.flush();
}

const { url } = await startHttpServer({
  waybill,
  version: "0.0.0",
  tokens: [{ token: TOKEN }],
  limits: { perSecond: 1e9, burst: 1e9 },
  inspector: {
    history,
    page: fileURLToPath(new URL("../../packages/cli/dist/inspector", import.meta.url)),
  },
});
console.log(new URL(url).port);

let perSecond = 0;
process.on("message", (rate) => {
  perSecond = Number(rate);
});
process.on("disconnect", () => process.exit());

for (let due = 0; ; due %= 1) {
  await wait(TICK_MS);
  due += (perSecond * TICK_MS) / 1_000;
  await make(Math.floor(due));
}
