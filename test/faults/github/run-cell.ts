// One lost write: the call, and its repeat with the same key after the fault has ended.
import type { ResultEnvelope } from "@waybill/core";
import { TOKENS } from "../../../packages/github/src/emulator/world/index.ts";
import { githubKit } from "../../../packages/github/src/pack/kit.ts";
import { cards } from "../../../packages/github/src/pack/cards.ts";
import { packSource } from "../../../packages/github/src/pack/source.ts";
import { startEmbedded } from "../../../packages/github/src/pack/fixtures/embedded.ts";
import type { Embedded } from "../../../packages/github/src/pack/fixtures/embedded.ts";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill, memoryJournal } from "@waybill/core";
import { changesOnce } from "./cells.ts";
import type { Cell, Twin } from "./cells.ts";
import type { Door } from "./doors.ts";
import { FaultProxy } from "./fault-proxy.ts";
import type { OnWrite } from "./fault-proxy.ts";
import { readsWork, wireFault } from "./wire-faults.ts";

/** The results that a caller got for a write and its repeat, and how often the server applied it. */
export interface Told {
  readonly first: ResultEnvelope | undefined;
  readonly appliedFirst: number;
  readonly repeat: ResultEnvelope;
  readonly applied: number;
  /** How often harmful repeats were applied: mutations that must not be applied twice. */
  readonly appliedOnce: number;
  /** The reads of the probe after the last write, and the reads of a repeat that sent no write. */
  readonly probeReads: number;
  /** Whether someone else really made the same write. */
  readonly hasTwin: boolean;
}

/** How often changes were applied: all of a write, and those that must be applied once. */
interface Counts {
  readonly all: number;
  readonly once: number;
}

const NONE: Counts = { all: 0, once: 0 };

function minus(counts: Counts, others: Counts): Counts {
  return { all: counts.all - others.all, once: counts.once - others.once };
}

function hasSteps(id: string): boolean {
  return cards.cardById(id)?.steps !== undefined;
}

/**
 * The deadline of a call. It is enough for a write and a probe, and ends the wait for a lost
 * response.
 */
const DEADLINE_MS = 120_000;
const ENDLESS_DEADLINE_MS = 60_000;

/** The scene of one cell: a GitHub, a proxy before it, and a Waybill that knows only the proxy. */
export class Scene {
  readonly proxy: FaultProxy;
  readonly embedded: Embedded;
  readonly input: Readonly<Record<string, unknown>>;
  /** Called while a broken write is held. */
  onWrite: OnWrite | undefined;
  /** Sets GitHub's clock forward by this many milliseconds. */
  readonly letTimePass: (milliseconds: number) => void;
  readonly #cell: Cell;
  readonly #before: Counts;
  /** How often the duplicate of the other caller was applied. */
  #byTwin: Counts = NONE;
  #hasTwin = false;
  #told: Partial<Told> = {};

  constructor(
    cell: Cell,
    proxy: FaultProxy,
    embedded: Embedded,
    letTimePass: Scene["letTimePass"],
  ) {
    this.#cell = cell;
    this.proxy = proxy;
    this.embedded = embedded;
    this.letTimePass = letTimePass;
    cell.each.prepare?.(embedded.github);
    const { params } = cell.each;
    this.input = typeof params === "function" ? { ...params(embedded.github) } : { ...params };
    this.#before = this.#count();
  }

  #count(): Counts {
    const counts = this.embedded.github.applied();
    const sum = (names: readonly string[]): number =>
      names.reduce((total, name) => total + (counts[name] ?? 0), 0);
    const { each } = this.#cell;
    return { all: sum(Object.keys(each.applied ?? {})), once: sum(changesOnce(each)) };
  }

  get #byCaller(): Counts {
    return minus(minus(this.#count(), this.#before), this.#byTwin);
  }

  /** How often this caller's write was applied. */
  get applied(): number {
    return this.#byCaller.all;
  }

  /** Injects the faults of the cell into the next writes. */
  arm(): void {
    const { fault, isForGood, twin } = this.#cell;
    this.proxy.fault = wireFault(fault);
    this.proxy.times = isForGood ? Infinity : 1;
    this.proxy.onWrite = async (moment) => {
      if (moment === twin?.when && !this.#hasTwin) await this.#makeTwin(twin);
      await this.onWrite?.(moment);
    };
  }

  /**
   * Makes the duplicate write directly on GitHub, without the proxy, by a caller that shares
   * nothing with the other.
   */
  async #makeTwin({ account }: Twin): Promise<void> {
    const before = this.#count();
    const token = account === "same" ? TOKENS.octocat : TOKENS.monalisa;
    const { place, github } = this.embedded;
    const own = { ...place, token, socketPath: github.socketPath!, ghConfigDir: null };
    const transport = createHttpTransport();
    const kit = githubKit(own, { env: {}, transport, userAgent: "twin" });
    const waybill = createWaybill({ sources: [packSource(kit)], policy: { confirm: "none" } });
    await waybill.execute(this.#cell.each.id, this.input);
    await waybill.close();
    transport.close();
    this.#byTwin = minus(this.#count(), before);
    this.#hasTwin = this.#byTwin.all > 0;
  }

  async call(door: Door): Promise<ResultEnvelope | undefined> {
    const { each, route, fault } = this.#cell;
    const isEndless = wireFault(fault).isEndless === true && this.proxy.fault !== undefined;
    const deadline_ms = isEndless ? ENDLESS_DEADLINE_MS : DEADLINE_MS;
    // A call that makes several other calls has no route itself; each of the others has one.
    const isStepped = Object.keys(each.applied ?? {}).length > 1 && hasSteps(each.id);
    const options = { idempotency_key: "key", ...(!isStepped && { route }), deadline_ms };
    return door(this.embedded.waybill, { id: each.id, params: this.input, options });
  }

  /** If reads fail, lookups fail too, and their requests look like those of a probe. */
  get #canCountProbes(): boolean {
    return readsWork(this.#cell.fault);
  }

  #readsAfterWrite(): number {
    const { log } = this.proxy;
    const last = log.lastIndexOf("write");
    const reads = last === -1 ? 0 : log.length - last - 1;
    // After a redirect, the `gh` route reads the repository once to learn its new name.
    const { answer } = wireFault(this.#cell.fault);
    const isRedirected = typeof answer === "object" && answer.status >= 300 && answer.status < 400;
    return isRedirected ? Math.max(0, reads - 1) : reads;
  }

  async callFirst(door: Door): Promise<void> {
    this.arm();
    const first = await this.call(door);
    await this.proxy.heal();
    this.proxy.onWrite = undefined;
    const probeReads = this.#canCountProbes ? this.#readsAfterWrite() : 0;
    this.#told = { first, appliedFirst: this.applied, probeReads };
    this.proxy.log.length = 0;
  }

  async callAgain(door: Door): Promise<Told> {
    const repeat = await this.call(door);
    if (repeat === undefined) throw new Error(`no answer to the repeat of ${this.#cell.each.id}`);
    const { log } = this.proxy;
    const { first, appliedFirst = 0 } = this.#told;
    const isProbeOnly = this.#canCountProbes && !log.includes("write") && repeat.ok;
    const probeReads = Math.max(this.#told.probeReads ?? 0, isProbeOnly ? log.length : 0);
    return {
      first,
      appliedFirst,
      repeat,
      applied: this.applied,
      appliedOnce: this.#byCaller.once,
      probeReads,
      hasTwin: this.#hasTwin,
    };
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await this.embedded.close();
  }
}

export async function openScene(cell: Cell): Promise<Scene> {
  let proxy: FaultProxy | undefined;
  let passed = 0;
  const embedded = await startEmbedded({
    clock: () => new Date(Date.now() + passed),
    waybill: { journal: memoryJournal() },
    prefer: cell.route,
    front: async (socket, githubSocket) => {
      proxy = new FaultProxy(socket, githubSocket);
      await proxy.start();
    },
  });
  return new Scene(cell, proxy!, embedded, (milliseconds) => {
    passed += milliseconds;
    proxy!.aheadMs += milliseconds;
  });
}
