import { setTimeout as delay } from "node:timers/promises";
import { errorFromUnknown } from "@waybill/core";
import type { CallError } from "@waybill/core";

const PAUSE_MS = 250;
/**
 * How long a request with a key is repeated after its first failure. A cluster needs up to 15 s to elect new
 * leaders. A lease of the journal expires after 30 s, and another check follows 5 s later.
 */
const SETTLE_MS = 60_000;

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
  readonly #isPatient: boolean;
  #repeats = 0;
  /** When the first attempt failed, in milliseconds since the epoch. */
  #failedAt: number | undefined;
  /** Whether the answer to one of the attempts was lost. */
  #isDoubtful = false;

  constructor(transport: Reconnecting, options: PatienceOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#isPatient = options.until > Date.now();
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (thrown) {
        this.#failedAt ??= Date.now();
        const error = this.#judged(errorFromUnknown(thrown));
        const end = this.#isPatient ? this.#end(error, this.#failedAt) : 0;
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
  #end({ code, details }: CallError, failedAt: number): number {
    const { isKept, until, deadline = Infinity } = this.#options;
    const isLost = code === "OUTCOME_UNKNOWN" || details["code"] === "NOT_READY";
    // A retry may find that its own first attempt is not recorded as ended, or find no worker.
    const isOwn = this.#repeats > 0 && details["outcome"] === "unknown";
    if (isKept && (isLost || isOwn)) return Math.min(failedAt + SETTLE_MS, deadline);
    return details["preflight"] === "SOURCE_DOWN" ? until : 0;
  }
}
