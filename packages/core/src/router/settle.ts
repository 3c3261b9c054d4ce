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
import { judgeProbe } from "./judge-probe.ts";
import { knownFrom } from "./match-probe.ts";
import type { Known } from "./match-probe.ts";
import { readTrail, writeTrail } from "./journal-trail.ts";
import type { Trail } from "./journal-trail.ts";

/**
 * The maximum time of the read before a write, in milliseconds for each API. Without this read,
 * an object with the same content may be older than the write, and the outcome stays unknown.
 * GitHub ends a request after 10 seconds, so a longer wait would only delay the write.
 */
const BEFORE_MS = 10_000;
/**
 * The share of the remaining time that the read before a write may take. Most of the time is for
 * the write.
 */
const BEFORE_PART = 1 / 3;

function beforeDeadline({ deadline }: Looking, { reads }: VerifyProbe): number {
  const left = deadline === undefined ? Infinity : deadline - Date.now();
  const longest = BEFORE_MS * Math.max(1, reads.length);
  return Date.now() + Math.min(longest, left * BEFORE_PART);
}

/**
 * Returns undefined if the check of the outcome cannot be built from the input, because the
 * write itself must not fail for that.
 */
function probeFor(card: PreparedCard, scope: CardScope): VerifyProbe | undefined {
  if (card.effect === "read" || card.verify?.unsettled !== undefined) return undefined;
  try {
    return verifyProbe(card, scope);
  } catch {
    return undefined;
  }
}

/**
 * Whether a match proves the write, although values to compare may be missing. A card with its own
 * read defines which value stands for an input that was not given. The caller's name must be known.
 */
function isComparable({ missing, reads, needsViewer }: VerifyProbe, viewer: unknown): boolean {
  if (missing.length === 0) return true;
  return reads.length > 0 && (!needsViewer || viewer !== undefined);
}

/** The data that is needed to find out whether a write was applied. */
interface Settling {
  readonly card: PreparedCard;
  readonly scope: CardScope;
  readonly context: Looking;
  readonly kit?: CardKit | undefined;
}

/**
 * Finds out by reading whether a write was applied. If the read fails, the outcome stays
 * unknown.
 */
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
    // Starts the read now and awaits it before the write is sent, so that lookups run at the
    // same time.
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
      return {
        outcome: "unknown",
        seen: `The probe, which checks this write, failed: ${errorFromUnknown(thrown).message}`,
      };
    }
  }

  async #look(error?: CallError, began?: Moment, route?: Route): Promise<Settled> {
    const { card, scope } = this.#settling;
    const trail = await this.#before;
    const looked = await this.#prober.look(this.#probe, undefined, route);
    const viewer = await this.#viewer(looked.own?.viewer ?? trail.viewer);
    const probe = this.#withViewer(viewer);
    const ruling = judgeProbe({
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
      const until = beforeDeadline(this.#settling.context, this.#probe);
      const looked = await this.#prober.look(this.#probe, until);
      const known: Known | undefined = knownFrom(looked, before);
      return { known, viewer: looked.own?.viewer };
    } catch {
      // Ignored: the write is still sent, and a later check can prove less.
      return {};
    }
  }

  /**
   * The caller's name at the upstream. Requested only if a write must be found and no answer
   * contained the name.
   */
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
 * Creates the object that finds out whether a write was applied. Undefined if the card cannot do
 * that for this input. `trail` is what an earlier call left in the journal.
 */
export function settlerFor(settling: Settling, trail?: string): Settler | undefined {
  const probe = probeFor(settling.card, settling.scope);
  if (probe === undefined) return undefined;
  return new CardSettler(settling, probe, trail === undefined ? undefined : readTrail(trail));
}
