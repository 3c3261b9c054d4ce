// Keyed writes to workers on a cluster of three NATS servers, while servers and workers are killed.
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createWaybill } from "@waybill/core";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { connectNats, natsSource } from "@waybill/nats";
import { bundleProgram, makeBundleFolder } from "../support/bundle.ts";
import { startCluster } from "../support/nats-server.ts";
import type { CleanUp, NatsServer } from "../support/nats-server.ts";
import { countLedgerLines } from "./storm.ts";

const WORKER = new URL("worker.ts", import.meta.url);
const SERVICE = "cluster-storm";
const AT_ONCE = 32;
const TRIES = 60;
const PAUSE_MS = 500;
const POLL_MS = 50;
/**
 * How long to wait before the next server is killed. The restarted one must catch up first, because
 * a majority must be running.
 */
const RECOVERY_MS = 4_000;

export interface ClusterAftermath {
  readonly keys: number;
  readonly faults: number;
  readonly calls: number;
  /** Keys whose last answer is unknown. */
  readonly unknown: number;
  readonly violations: readonly string[];
}

type Fault = (index: number) => Promise<void>;

class ClusterStorm {
  readonly violations: string[] = [];
  calls = 0;
  unknown = 0;
  readonly #servers: readonly NatsServer[];
  readonly #workers: ChildProcess[] = [];
  readonly #program: string;
  readonly #ledger: string;
  #isOver = false;
  #broken = 0;

  constructor(servers: readonly NatsServer[], program: string, ledger: string) {
    this.#servers = servers;
    this.#program = program;
    this.#ledger = ledger;
  }

  get urls(): string[] {
    return this.#servers.map(({ url }) => url);
  }

  async startWorker(): Promise<void> {
    const args = [this.urls.join(","), SERVICE, this.#ledger];
    const child = fork(this.#program, args, { execArgv: [], stdio: "inherit" });
    this.#workers.push(child);
    const ended = once(child, "exit").then(() => Promise.reject(new Error("A worker has ended")));
    await Promise.race([once(child, "message"), ended]);
    ended.catch(() => {});
  }

  end(): void {
    this.#isOver = true;
    for (const worker of this.#workers) worker.kill("SIGKILL");
  }

  /** Causes one fault of each kind in turn, on a different server or worker each time. */
  readonly #faults: readonly Fault[] = [
    async (index) => {
      await this.#server(index).stop();
      await delay(PAUSE_MS);
      await this.#server(index).start();
    },
    async (index) => this.#server(index).loseDisk(),
    async (index) => {
      this.#workers[index % this.#workers.length]!.kill("SIGKILL");
      await this.startWorker();
    },
    async (index) => {
      await this.#server(index).stop("SIGTERM");
      await this.#server(index).start();
    },
  ];

  #server(index: number): NatsServer {
    return this.#servers[index % this.#servers.length]!;
  }

  async breakThings(count: number): Promise<number> {
    for (; this.#broken < count && !this.#isOver; this.#broken++) {
      await this.#faults[this.#broken % this.#faults.length]!(this.#broken);
      await delay(RECOVERY_MS);
    }
    return this.#broken;
  }

  async untilBroken(count: number): Promise<void> {
    while (this.#broken < count) await delay(POLL_MS);
  }

  /** Repeats with the same key until the outcome is known, as a careful caller does. */
  async write(waybill: Waybill, id: string): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      this.calls += 1;
      const before = countLedgerLines(this.#ledger).get(id) ?? 0;
      const result = await waybill.execute("far.ledger.write", { id }, { idempotency_key: id });
      if (this.#isTrue(id, result, before)) return;
      await delay(PAUSE_MS);
    }
    this.unknown += 1;
  }

  /** Whether the outcome is known. Also records an answer that is wrong. */
  #isTrue(id: string, { ok, error }: ResultEnvelope, before: number): boolean {
    const now = countLedgerLines(this.#ledger).get(id) ?? 0;
    if (ok && now === 0) this.violations.push(`${id} was said to be applied`);
    const isDenied = error?.details?.["outcome"] === "not_applied";
    if (isDenied && before > 0) this.violations.push(`${id} was said not to be: ${error.message}`);
    return ok;
  }
}

/** Makes this many keyed writes during this many faults. Every fourth fault loses a disk. */
export async function clusterStorm(
  keys: number,
  faults: number,
  cleanUp: CleanUp,
): Promise<ClusterAftermath> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-cluster-"));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  const bundles = makeBundleFolder();
  cleanUp(() => rm(bundles, { recursive: true, force: true }));
  const servers = await startCluster(cleanUp);
  const ledger = join(folder, "ledger");
  const storm = new ClusterStorm(servers, await bundleProgram(WORKER, bundles), ledger);
  cleanUp(async () => storm.end());
  await Promise.all([storm.startWorker(), storm.startWorker()]);
  const link = await connectNats({ servers: storm.urls, service: SERVICE, probeAfterMs: 500 });
  cleanUp(() => link.close());
  // The caller has no journal: the workers share one.
  const waybill = createWaybill({ sources: [natsSource("far", link, { sharedJournal: true })] });
  await waybill.list_capabilities();

  let next = 0;
  const breaking = storm.breakThings(faults);
  const lane = async (): Promise<void> => {
    for (let at = next++; at < keys; at = next++) {
      // The writes are spread over all faults.
      await storm.untilBroken(Math.floor((at / keys) * faults));
      await storm.write(waybill, `key-${at}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const broken = await breaking;
  const doubled = [...countLedgerLines(ledger)].filter(([, count]) => count > 1);
  const lost = Array.from({ length: keys }, (_, at) => `key-${at}`).filter(
    (id) => !countLedgerLines(ledger).has(id),
  );
  const violations = [
    ...storm.violations,
    ...doubled.map(([id, count]) => `${id} was applied ${count} times`),
    ...lost.map((id) => `${id} was lost`),
  ];
  return { keys, faults: broken, calls: storm.calls, unknown: storm.unknown, violations };
}
