// Two workers, each in its own process, share the calls of one service on a NATS server.
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { PendingRequestMap, createWaybill } from "@waybill/core";
import { executeRemotely } from "@waybill/core/protocol";
import { connectNats, natsSource } from "@waybill/nats";
import { isInstalled, startServer } from "./server.ts";

// Both ends share the key. Without a key, every client of the server could place orders.
const KEY = randomBytes(32).toString("base64url");
const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

async function startWorker(url: string): Promise<ChildProcess> {
  const worker = fork(WORKER, [url], {
    execArgv: process.execArgv,
    env: { ...process.env, KITCHEN_KEY: KEY },
  });
  await once(worker, "message");
  return worker;
}

async function play(url: string): Promise<void> {
  const workers = [await startWorker(url), await startWorker(url)];
  const identity = { id: "ada", scopes: [] };
  const link = await connectNats({ servers: url, service: "kitchen", key: KEY, identity });

  // The service is a source like any other: you can search, explain and call its operations.
  const waybill = createWaybill({ sources: [natsSource("kitchen", link)] });
  const [found] = await waybill.list_capabilities({ query: "order tea" });
  assert.equal(found?.capability_id, "kitchen.tea.order");

  // Both workers get orders, although neither knows about the other.
  const orders = await Promise.all(
    Array.from({ length: 50 }, (_, cups) => waybill.execute("kitchen.tea.order", { cups })),
  );
  const cooks = new Set(orders.map(({ data }) => (data as { cook: number }).cook));
  console.log(`# ${orders.length} orders, ${cooks.size} cooks`);
  assert.equal(cooks.size, 2);

  // One worker finishes its running orders and stops. The other one gets all later orders.
  workers[0]!.kill("SIGTERM");
  await once(workers[0]!, "exit");
  const after = await waybill.execute("kitchen.tea.order", { cups: 1 });
  assert.deepEqual(after.data, { cups: 1, cook: workers[1]!.pid });

  // Workers share the journal, so a worker that starts later also knows the key and does not order again.
  const calls = new PendingRequestMap({ transport: link.transport });
  const key = { idempotency_key: "monday" };
  const first = await executeRemotely(calls, "tea.order", { cups: 2 }, key);
  workers.push(await startWorker(url));
  workers[1]!.kill("SIGKILL");
  await once(workers[1]!, "exit");
  const again = await executeRemotely(calls, "tea.order", { cups: 2 }, key);
  console.log("# the same key, another worker", JSON.stringify(again.data), again.meta.replayed);
  assert.deepEqual(again.data, first.data);
  assert.equal(again.meta.replayed, true);

  // Without any worker, the call fails immediately, and the error says that nothing was applied.
  workers[2]!.kill("SIGTERM");
  await once(workers[2]!, "exit");
  const nobody = await waybill.execute("kitchen.tea.order", { cups: 1 });
  console.log("# no worker is left", JSON.stringify(nobody.error));
  assert.equal(nobody.error?.code, "NETWORK");
  assert.equal(nobody.error.details?.["outcome"], "not_applied");
  await link.close();
}

if (isInstalled()) {
  const server = await startServer();
  try {
    await play(server.url);
  } finally {
    server.stop();
  }
} else {
  console.log(
    "This example needs nats-server. Install it, for example: apt-get install nats-server",
  );
  process.exitCode = process.env.CI === "true" ? 1 : 0;
}
