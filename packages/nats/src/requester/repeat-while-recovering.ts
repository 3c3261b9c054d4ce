import { setTimeout as delay } from "node:timers/promises";
import { errorFromUnknown } from "@waybill/core";
import type { CallError } from "@waybill/core";

const PAUSE_MS = 250;
/** The time that a cluster needs to elect new leaders, and a lease of the journal to expire. */
const SETTLE_MS = 30_000;

interface Reconnecting {
  whenConnected(until: number): Promise<void>;
}

export interface PatienceOptions {
  /** Until when to wait for lost connections, in milliseconds since the epoch. */
  readonly until: number;
  readonly deadline: number | undefined;
  /** Whether the request has a key that the workers' journal records. */
  readonly isKept: boolean;
}

/**
 * Repeats a request while a cluster recovers from a lost server. A request that no worker received
 * was not applied. A request whose answer was lost is repeated only if the workers' journal records
 * its key, so that it is applied once.
 */
export class Patience {
  readonly #transport: Reconnecting;
  readonly #options: PatienceOptions;
  readonly #begun = Date.now();
  #repeats = 0;
  /** Whether the answer to one of the attempts was lost. */
  #isDoubtful = false;

  constructor(transport: Reconnecting, options: PatienceOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    const isPatient = this.#options.until > this.#begun;
    for (;;) {
      try {
        return await call();
      } catch (thrown) {
        const error = this.#judged(errorFromUnknown(thrown));
        const end = isPatient ? this.#end(error) : 0;
        if (Date.now() + PAUSE_MS > end) throw error;
        this.#repeats += 1;
        await delay(PAUSE_MS);
        await this.#transport.whenConnected(end);
      }
    }
  }

  /**
   * If the answer to an attempt was lost, a later refusal does not say whether that attempt was
   * applied.
   */
  #judged(error: CallError): CallError {
    const { outcome } = error.details;
    this.#isDoubtful ||= outcome === "unknown" || error.code === "OUTCOME_UNKNOWN";
    return this.#isDoubtful && outcome === "not_applied"
      ? error.with({ outcome: "unknown" })
      : error;
  }

  /** Until when a request that failed with this error is repeated. */
  #end({ code, details }: CallError): number {
    if (details["preflight"] === "SOURCE_DOWN") return this.#options.until;
    const isLost = code === "OUTCOME_UNKNOWN" || details["code"] === "NOT_READY";
    // A repeat may meet its own first attempt, whose end is not recorded yet.
    const isOwn = this.#repeats > 0 && details["outcome"] === "unknown";
    const { isKept, deadline = Infinity } = this.#options;
    return isKept && (isLost || isOwn) ? Math.min(this.#begun + SETTLE_MS, deadline) : 0;
  }
}
