import { verifyProbe } from "../cards/index.ts";
import type { CardScope, PreparedCard, VerifyProbe } from "../cards/index.ts";
import { errorFromUnknown } from "../envelope/index.ts";
import type { CallError, Route } from "../envelope/index.ts";
import { isRepeatable } from "../operation/index.ts";
import type { Settled, Settler } from "./attempt-routes.ts";
import type { CardKit } from "./card-kit.ts";
import { foundAnswer } from "./found-answer.ts";
import type { Moment } from "./moment.ts";
import { Prober } from "./probe.ts";
import type { Looking } from "./probe.ts";
import { ruleOn } from "./rule-on.ts";
import { knownFrom } from "./match-probe.ts";
import type { Known } from "./match-probe.ts";
import { readTrail, writeTrail } from "./trail.ts";
import type { Trail } from "./trail.ts";

/** How long the look before a write may take, and what part of the time that a call has left. */
const BEFORE_MS = 5_000;
const BEFORE_PART = 0.25;

/** Looking before must leave most of the time to the write itself. */
function beforeDeadline({ deadline }: Looking): number {
  const left = deadline === undefined ? Infinity : deadline - Date.now();
  return Date.now() + Math.min(BEFORE_MS, left * BEFORE_PART);
}

/** Input that the probe cannot be made of is no reason not to write. */
function probeFor(card: PreparedCard, scope: CardScope): VerifyProbe | undefined {
  if (card.effect === "read" || card.verify?.unsettled !== undefined) return undefined;
  try {
    return verifyProbe(card, scope);
  } catch {
    return undefined;
  }
}

/** With a read of its own, a card says what stands for an input that was not given. */
function isComparable({ missing, reads, needsViewer }: VerifyProbe, viewer: unknown): boolean {
  if (missing.length === 0) return true;
  return reads.length > 0 && (!needsViewer || viewer !== undefined);
}

/** The parts of a settler. */
interface Settling {
  readonly card: PreparedCard;
  readonly scope: CardScope;
  readonly context: Looking;
  readonly kit?: CardKit | undefined;
}

/** Finds out by reading whether a write took place. A probe that fails leaves it unknown. */
class CardSettler implements Settler {
  readonly #settling: Settling;
  readonly #probe: VerifyProbe;
  readonly #prober: Prober;
  /** Whether an earlier call sent the write. */
  readonly #isLater: boolean;
  readonly #before: Promise<Trail>;

  constructor(settling: Settling, probe: VerifyProbe, earlier?: Trail) {
    this.#settling = settling;
    this.#probe = probe;
    this.#prober = new Prober({ ...settling, kit: settling.kit });
    this.#isLater = earlier !== undefined;
    // Begins at once and is awaited before the write leaves, so lookups run beside it.
    this.#before = earlier === undefined ? this.#lookBefore() : Promise.resolve(earlier);
  }

  get reads(): number {
    return this.#prober.reads;
  }

  async ready(): Promise<string> {
    return writeTrail(await this.#before);
  }

  async settle(error?: CallError, began?: Moment, route?: Route): Promise<Settled> {
    const settled = await this.#lookSafely(error, began, route);
    const mayRepeat = this.#isLater && isRepeatable(this.#settling.card);
    return settled.outcome === "unknown" && mayRepeat ? { outcome: "send_again" } : settled;
  }

  async #lookSafely(...args: Parameters<Settler["settle"]>): Promise<Settled> {
    try {
      return await this.#look(...args);
    } catch (thrown) {
      return { outcome: "unknown", seen: `The probe failed: ${errorFromUnknown(thrown).message}` };
    }
  }

  async #look(error?: CallError, began?: Moment, route?: Route): Promise<Settled> {
    const { card, scope } = this.#settling;
    const trail = await this.#before;
    const looked = await this.#prober.look(this.#probe, undefined, route);
    const viewer = await this.#viewer(looked.own?.viewer ?? trail.viewer);
    const probe = this.#withViewer(viewer);
    const ruling = ruleOn({
      probe,
      looked,
      began,
      trail,
      error,
      isLater: this.#isLater,
      isComparable: isComparable(probe, viewer),
    });
    if (ruling.outcome !== "applied") return ruling;
    return foundAnswer(card, scope, probe, ruling.found, looked.response);
  }

  async #lookBefore(): Promise<Trail> {
    const { before } = this.#probe;
    if (before === undefined) return {};
    try {
      const looked = await this.#prober.look(this.#probe, beforeDeadline(this.#settling.context));
      const known: Known | undefined = knownFrom(looked, before);
      return { known, viewer: looked.own?.viewer };
    } catch {
      // The write continues without: looking afterwards will prove less.
      return {};
    }
  }

  /** Who calls; asked for only when a write must be looked for and no answer told it. */
  async #viewer(known: string | undefined): Promise<unknown> {
    const { needsViewer, missing } = this.#probe;
    if (!needsViewer || missing.length === 0) return undefined;
    return known ?? this.#prober.viewer();
  }

  #withViewer(viewer: unknown): VerifyProbe {
    const { card, scope } = this.#settling;
    if (viewer === undefined) return this.#probe;
    return probeFor(card, { ...scope, env: { ...scope.env, viewer } }) ?? this.#probe;
  }
}

/**
 * The card's way to find out; undefined when it has none for this input. `trail` is what an earlier
 * call left in the journal, for a later one that looks again.
 */
export function settlerFor(settling: Settling, trail?: string): Settler | undefined {
  const probe = probeFor(settling.card, settling.scope);
  if (probe === undefined) return undefined;
  return new CardSettler(settling, probe, trail === undefined ? undefined : readTrail(trail));
}
