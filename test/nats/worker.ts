// A worker of the storm, in its own process. Arguments: <server> <service> <ledger>
import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createWaybill, defineOperation, defineSubscription } from "@waybill/core";
import { connectNats, natsJournal, serveNats } from "@waybill/nats";

const [servers = "", service = "", ledger = ""] = process.argv.slice(2);
const MAX_PAUSE_MS = 8;

/** Slows writes down, so that kills hit the time before, during and after a write. */
function pause(): Promise<void> {
  return delay(Math.random() * MAX_PAUSE_MS);
}

const read = defineOperation({
  id: "ledger.read",
  description: "Reads nothing.",
  effect: "read",
  input: { type: "object", properties: { id: { type: "string" } } },
  handler: async ({ id }) => {
    await pause();
    return id;
  },
});

const write = defineOperation({
  id: "ledger.write",
  description: "Writes a line; twice is twice.",
  input: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
  handler: async ({ id }) => {
    await pause();
    appendFileSync(ledger, `${id}\n`);
    await pause();
    return id;
  },
});

const count = defineSubscription({
  id: "ledger.count",
  description: "Counts to five.",
  effect: "read",
  async *handler() {
    for (let value = 1; value <= 5; value++) {
      await pause();
      yield value;
    }
  },
});

const link = await connectNats({ servers: servers.split(","), service });
const journal = natsJournal(link, { leaseMs: 3_000, renewMs: 1_000 });
await serveNats(link, createWaybill({ operations: [read, write, count], journal }));
process.send?.("ready");
