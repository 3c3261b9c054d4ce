import { errorFromUnknown, fail } from "../../envelope/index.ts";
import type { Catalogue, MissingReason } from "../../registry/index.ts";
import { attachSource, getRank } from "../../source/index.ts";
import type { Collision, IdRules, IdStep, SourceProblem } from "../../source/index.ts";
import { SourceSlot } from "./source-slot.ts";
import type { SourceState } from "./source-slot.ts";

/** Called with each problem of a source or its operations. */
type Report = (problem: SourceProblem) => void;

/**
 * If two sources have the same id, the first one gets it, even if it answers up to this much
 * later.
 */
const ORDERED_MS = 3_000;

const MAX_REASONS = 3;
/** The longest delay of a timer. With a longer delay, a timer fires immediately. */
const MAX_DELAY = 2_147_483_647;

interface Waiter {
  readonly isDone: () => boolean;
  readonly resolve: () => void;
}

/** Whether `done` resolved within the time limit. */
async function isDoneWithin(ms: number, done: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isDone = await Promise.race([done.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}

/** Whether the source failed recently and is not retried yet. */
function isLeft(slot: SourceSlot): boolean {
  return slot.stage === "down" && !slot.isToBeAsked;
}

/** Whether the source has not listed its operations yet. */
function isSourceOpen({ stage }: SourceSlot): boolean {
  return stage !== "in" && stage !== "down";
}

/** Whether the source reads only files of this machine: a pack or cards. */
function readsFiles({ source }: SourceSlot): boolean {
  return source.origin === "pack" || source.anyIds === true;
}

/** Whether the source may have any id, but a policy or missing trust keeps it closed. */
function isWaiting({ source, code }: SourceSlot): boolean {
  return source.anyIds === true && code === "POLICY";
}

/** The sources of a Waybill. They are loaded together when the first of them may be needed. */
export class Sources {
  readonly #registry: Catalogue;
  readonly #slots: readonly SourceSlot[];
  readonly #rules: IdRules;
  readonly #report: Report;
  readonly #waiters = new Set<Waiter>();
  #taking: Promise<void> = Promise.resolve();
  #loading: Promise<void> | undefined;
  #isInOrder = true;
  #isClosed = false;

  constructor(registry: Catalogue, given: Partial<IdRules>, report: Report) {
    const { sources = [], replace = [] } = given;
    const inOrder = sources.toSorted((a, b) => getRank(a) - getRank(b));
    this.#registry = registry;
    this.#rules = { sources: inOrder, replace };
    this.#slots = inOrder.map((source) => new SourceSlot(source));
    this.#report = report;
  }

  /**
   * Returns a function that loads the sources of these ids. Undefined if nothing has to be loaded.
   * After `allWithin` milliseconds, it stops waiting as soon as one of the ids is known.
   */
  toLoad(ids: readonly string[], allWithin?: number): (() => Promise<void>) | undefined {
    const isKnown = !this.#isLoading || ids.every((id) => this.#isSettled(id));
    if (!isKnown) return () => this.#load(ids, allWithin).then(() => this.#loadHolders(ids));
    return this.#holders(ids).length === 0 ? undefined : () => this.#loadHolders(ids);
  }

  /** The sources that have listed these ids, but have not loaded them. */
  #holders(ids: readonly string[]): SourceSlot[] {
    const open = this.#slots.filter(({ isToBeLoaded }) => isToBeLoaded);
    if (open.length === 0) return [];
    const own = ids.map((id) => this.#registry.findMeant(id)?.id ?? id);
    return open.filter(({ attached }) => own.some((id) => attached?.has(id)));
  }

  async #loadHolders(ids: readonly string[]): Promise<void> {
    await Promise.all(this.#holders(ids).map((slot) => slot.load()));
  }

  /**
   * Waits for the sources, at most for the given time, and reports those that are still missing.
   * The limit is only for sources outside of this process. Packs and cards are files that this
   * process reads, so a busy machine does not hide them.
   */
  async waitFor(given: number): Promise<void> {
    const ms = Math.min(given, MAX_DELAY);
    if (!this.#isLoading) return;
    this.#assertOpen();
    if (await isDoneWithin(ms, this.#begin())) return;
    await Promise.all(this.#slots.filter(readsFiles).map(({ answered }) => answered));
    await this.#hurry();
    for (const { source } of this.#slots.filter(({ stage }) => stage === "asked")) {
      const message = `has not answered within ${ms} ms, so its operations are missing here`;
      this.#report({ source: source.name, operationId: "", message, isMissing: true });
    }
  }

  /** Why an id is not known, if that is because of a source that may have it. */
  whyMissing(id: string, near: readonly string[]): MissingReason {
    const missing = this.#slots.filter(({ stage }) => stage === "down" || stage === "asked");
    const own = missing.find((slot) => slot.mayHave(id));
    const error = own?.failure() ?? missing.find(isWaiting)?.failure(near);
    if (error !== undefined) return { error };
    const step = this.#stepForId(id);
    if (step !== undefined) return { hint: step.hint, near: step.ids, isNotGuessed: true };
    const reasons = missing.slice(0, MAX_REASONS).map(({ reason }) => reason);
    return reasons.length === 0
      ? {}
      : { hint: `Not all sources could be read. ${reasons.join(" ")}`, isNotGuessed: true };
  }

  #stepForId(id: string): IdStep | undefined {
    for (const { source } of this.#slots) {
      const step = source.stepForId?.(id);
      if (step !== undefined) return step;
    }
    return undefined;
  }

  /**
   * Waits a short time for sources that may have any id, because two of them may have the same
   * id.
   */
  async waitForAnyIds(): Promise<void> {
    const isOpenCards = (): boolean =>
      this.#slots.some((slot) => slot.source.anyIds === true && isSourceOpen(slot));
    if (this.#isLoading && isOpenCards()) await this.#until(() => !isOpenCards(), ORDERED_MS);
  }

  /** Operations whose id differs from the one that their source uses. */
  collisions(): readonly Collision[] {
    return this.#slots.flatMap(({ attached }) => attached?.collisions ?? []);
  }

  /** The current state of each source. Sends no request. */
  states(): SourceState[] {
    return this.#slots.map((slot) => slot.state);
  }

  /** Closes every source, loaded or not. Does not wait for sources that are still loading. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // Unregisters all operations at once, because there may be thousands of them and a command
    // must end quickly.
    this.#registry.unregisterSources();
    for (const { attached } of this.#slots) attached?.release();
    await Promise.allSettled(this.#slots.map(({ source }) => source.close()));
  }

  get #isLoading(): boolean {
    return this.#loading !== undefined || this.#slots.some((slot) => slot.isToBeAsked);
  }

  /**
   * Any source may have an id, but only some are waited for without a limit: packs, cards and
   * the source whose name the id starts with.
   */
  async #load(ids: readonly string[], allWithin: number | undefined): Promise<void> {
    this.#assertOpen();
    const ordered = Math.min(ORDERED_MS, allWithin ?? ORDERED_MS);
    if (await this.#until(() => ids.every((id) => this.#isSettled(id)), ordered)) return;
    await this.#hurry();
    const isAnyKnown = (): boolean => ids.some((id) => this.#registry.find(id) !== undefined);
    const areThere = (): boolean => ids.every((id) => this.#isSettled(id) || !this.#isAwaited(id));
    // With a short limit, waits until at least one id is known, because the caller cannot
    // continue before.
    if (ordered < ORDERED_MS) await this.#until(isAnyKnown, ORDERED_MS - ordered);
    if (await this.#until(areThere, allWithin && allWithin - ordered)) return;
    await this.#until(() => areThere() || isAnyKnown());
  }

  #assertOpen(): void {
    if (this.#isClosed) throw fail("NOT_READY", "This Waybill is closed; create a new one");
  }

  /** Waits until `isDone` is true or no more sources can answer. Returns false on a timeout. */
  async #until(isDone: () => boolean, ms?: number): Promise<boolean> {
    const whole = this.#begin();
    if (isDone()) return true;
    let waiter: Waiter | undefined;
    const done = new Promise<void>((resolve) => {
      waiter = { isDone, resolve };
      this.#waiters.add(waiter);
    });
    const either = Promise.race([whole, done]);
    const isInTime =
      ms === undefined ? await either.then(() => true) : await isDoneWithin(ms, either);
    this.#waiters.delete(waiter!);
    return isInTime;
  }

  /** Requests the sources that are new or failed a while ago. Resolves when all have answered. */
  #begin(): Promise<void> {
    const arrivals = this.#slots.filter((slot) => slot.isToBeAsked).map((slot) => slot.ask());
    if (arrivals.length === 0) return this.#loading ?? Promise.resolve();
    const taken = arrivals.map((arrived) => arrived.then(() => this.#takeIn()));
    const loading: Promise<void> = Promise.all([this.#loading, ...taken]).then(() =>
      this.#loaded(loading),
    );
    this.#loading = loading;
    return loading;
  }

  #loaded(loading: Promise<void>): void {
    if (this.#loading !== loading) return;
    this.#loading = undefined;
    this.#waiters.clear();
  }

  /** After a long wait, continues without the sources that have not answered. */
  #hurry(): Promise<void> {
    this.#isInOrder = false;
    return this.#takeIn();
  }

  #takeIn(): Promise<void> {
    this.#taking = this.#taking.then(() => this.#takeReady());
    return this.#taking;
  }

  /**
   * Registers sources in order, so that the first of two sources with the same id gets it. A
   * source of a later origin always waits for earlier sources that may have any id.
   */
  async #takeReady(): Promise<void> {
    let last = Infinity;
    for (const slot of this.#slots) {
      const rank = getRank(slot.source);
      if (rank > last) return;
      if (slot.stage === "answered") await this.#takeOne(slot);
      else if (slot.stage === "asked" && this.#isInOrder) return;
      else if (slot.stage === "asked" && slot.source.anyIds === true) last = rank;
    }
  }

  /** A source that fails is reported and skipped; the other sources are not affected. */
  async #takeOne(slot: SourceSlot): Promise<void> {
    const { source } = slot;
    try {
      const attached = await slot.enter((listed) =>
        attachSource(this.#registry, source, listed, this.#rules),
      );
      if (this.#isClosed) attached.forget();
      attached.problems.forEach(this.#report);
    } catch (thrown) {
      // Failures after closing are ignored.
      if (this.#isClosed) return;
      const { message } = errorFromUnknown(thrown);
      this.#report({ source: source.name, operationId: "", message, isMissing: true });
    }
    for (const waiter of this.#waiters) {
      if (!waiter.isDone()) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  /**
   * Whether waiting for an id can end: the id is known, or the source that would have it is
   * down.
   */
  #isSettled(id: string): boolean {
    if (this.#registry.find(id) !== undefined) return true;
    return this.#slots.some((slot) => isLeft(slot) && slot.mayHave(id));
  }

  /** Whether a pack, cards or the source whose name the id starts with have not answered yet. */
  #isAwaited(id: string): boolean {
    return this.#slots.some((slot) => isSourceOpen(slot) && (readsFiles(slot) || slot.mayHave(id)));
  }
}
