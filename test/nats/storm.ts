import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PendingRequestMap, createWaybill, memoryJournal } from "@waybill/core";
import { connectNats, natsSource } from "@waybill/nats";
import { bundleProgram, makeBundleFolder } from "../support/bundle.ts";
import { startServer } from "../support/nats-server.ts";
import type { CleanUp, NatsServer } from "../support/nats-server.ts";
import { WAYS } from "./ways.ts";
import type { Callers, Ended } from "./ways.ts";

const WORKER = new URL("worker.ts", import.meta.url);
const SERVICE = "storm";
const AT_ONCE = 64;
const HUNG_MS = 90_000;

/** The result of a storm. */
export interface Aftermath {
  readonly ended: readonly Ended[];
  /** Contradictions between a write's answer and the ledger, and writes that are listed twice. */
  readonly violations: readonly string[];
}

async function startWorker(
  worker: string,
  server: NatsServer,
  ledger: string,
): Promise<ChildProcess> {
  const child = fork(worker, [server.url, SERVICE, ledger], { execArgv: [], stdio: "inherit" });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("A worker has ended")));
  await Promise.race([once(child, "message"), ended]);
  ended.catch(() => {});
  return child;
}

export function countLedgerLines(ledger: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const lines = existsSync(ledger) ? readFileSync(ledger, "utf8").split("\n") : [];
  for (const id of lines.filter((line) => line !== "")) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function getViolations(ended: readonly Ended[], ledger: string): string[] {
  const counts = countLedgerLines(ledger);
  const doubles = [...counts].filter(([, count]) => count > 1);
  return [
    ...doubles.map(([id, count]) => `${id} was applied ${count} times`),
    ...ended.flatMap(({ id, way, end, outcome }) => {
      const count = counts.get(id) ?? 0;
      if (end === "hung") return [`${id} (${way}) never ended`];
      if (outcome === "applied" && count === 0) return [`${id} (${way}) was said to be applied`];
      if (outcome === "not_applied" && count > 0) return [`${id} (${way}) was said not to be`];
      return end.includes("'") || end.includes(":") ? [`${id} (${way}): ${end}`] : [];
    }),
  ];
}

async function callOnce(callers: Callers, index: number): Promise<Ended> {
  const [way, run] = WAYS[index % WAYS.length]!;
  const id = `call-${index}`;
  const hung = new Promise<"hung">((resolve) => {
    setTimeout(() => resolve("hung"), HUNG_MS).unref();
  });
  const end = await Promise.race([run(callers, id), hung]);
  return end === "hung" ? { id, way, end, outcome: "none" } : { id, way, ...end };
}

/**
 * Many calls of all kinds to two workers. One worker is killed on the way, later also the NATS
 * server, which restarts with its stored data.
 */
export async function storm(calls: number, cleanUp: CleanUp): Promise<Aftermath> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-storm-"));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  const ledger = join(folder, "ledger");
  const server = await startServer(cleanUp);
  const bundles = makeBundleFolder();
  cleanUp(() => rm(bundles, { recursive: true, force: true }));
  const program = await bundleProgram(WORKER, bundles);
  const start = (): Promise<ChildProcess> => startWorker(program, server, ledger);
  const workers = [await start(), await start()];
  cleanUp(async () => workers.forEach((worker) => worker.kill("SIGKILL")));
  const link = await connectNats({ servers: server.url, service: SERVICE, probeAfterMs: 500 });
  cleanUp(() => link.close());
  const sources = [natsSource("far", link, { sharedJournal: true })];
  const waybill = createWaybill({ sources, journal: memoryJournal() });
  await waybill.list_capabilities();
  const callers = { calls: new PendingRequestMap({ transport: link.transport }), waybill };

  const restartAt = Math.floor(calls * 0.6);
  const events = new Map([
    [Math.floor(calls * 0.3), async () => void workers[0]!.kill("SIGKILL")],
    [Math.floor(calls * 0.4), async () => void workers.push(await start())],
    [
      restartAt,
      async () => {
        await server.stop();
        await server.start();
      },
    ],
  ]);
  const ended: Ended[] = [];
  let happening: Promise<unknown> = Promise.resolve();
  const happen = async (index: number): Promise<void> => {
    // The new worker finds the server, and the server is killed during calls.
    if (index === restartAt) await happening;
    const event = events.get(index);
    if (event !== undefined) happening = Promise.all([happening, event()]);
  };
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < calls; index = next++) {
      await happen(index);
      ended.push(await callOnce(callers, index));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await happening;
  return { ended, violations: getViolations(ended, ledger) };
}

/** Counts the results of each way to call. */
export function getTable(ended: readonly Ended[]): string {
  const counts = new Map<string, number>();
  for (const { way, end } of ended) {
    const key = `${way.padEnd(24)}${end}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, count]) => `${String(count).padStart(7)}  ${key}`)
    .join("\n");
}
