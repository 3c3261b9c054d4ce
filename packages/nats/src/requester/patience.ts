import { setTimeout as delay } from "node:timers/promises";
import { errorFromUnknown } from "@waybill/core";
import type { CallError } from "@waybill/core";

const PAUSE_MS = 250;
/** A cluster chooses new leaders, and a lease of the journal ends, in this time. */
const SETTLE_MS = 30_000;

interface Reconnecting {
  whenConnected(until: number): Promise<void>;
}

export interface PatienceOptions {
  /** Until when lost connections are waited for. */
  readonly until: number;
  readonly deadline: number | undefined;
  /** Whether the request has a key that the workers' journal keeps. */
  readonly isKept: boolean;
}

/**
 * Repeats a request while a cluster recovers from a lost server. A request that no worker took was
 * not applied. One whose answer was lost is repeated only under a key that the workers' journal
 * keeps, so that it is applied once.
 */
export class Patience {
  readonly #transport: Reconnecting;
  readonly #options: PatienceOptions;
  readonly #begun = Date.now();
  #repeats = 0;

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
        const end = isPatient ? this.#end(errorFromUnknown(thrown)) : 0;
        if (Date.now() + PAUSE_MS > end) throw thrown;
        this.#repeats += 1;
        await delay(PAUSE_MS);
        await this.#transport.whenConnected(end);
      }
    }
  }

  /** Until when a request that ended so is repeated. */
  #end({ code, details }: CallError): number {
    if (details["preflight"] === "SOURCE_DOWN") return this.#options.until;
    const isLost = code === "OUTCOME_UNKNOWN" || details["code"] === "NOT_READY";
    // A repeat may find its own first try, whose end nobody has recorded yet.
    const isOwn = this.#repeats > 0 && details["outcome"] === "unknown";
    const { isKept, deadline = Infinity } = this.#options;
    return isKept && (isLost || isOwn) ? Math.min(this.#begun + SETTLE_MS, deadline) : 0;
  }
}
