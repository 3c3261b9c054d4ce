import { fail } from "@waybill/core";
import { recordResult } from "@waybill/core/protocol";
import type { Outcome, ResultEnvelope } from "@waybill/core";
import type { JournalLease } from "@waybill/core/protocol";
import { withChecksum } from "./checksum.ts";
import type { Content } from "./checksum.ts";
import type { Claim } from "./claim.ts";
import { leaseLost } from "./failure.ts";
import type { Store } from "./store.ts";

/** The parts of a journal that a lease uses. */
export interface LeaseKeeper {
  /** Runs a step in a transaction. If the store fails, the error has this outcome. */
  write<T>(outcome: Outcome, step: (store: Store) => T): Promise<T>;
  leaseTimes(): { leaseUntil: number; expires: number };
  keepUntil(): number;
  /** Stops renewing a lease that has ended. */
  drop(lease: SqliteLease): void;
}

export class SqliteLease implements JournalLease {
  readonly requestId: string;
  readonly #keeper: LeaseKeeper;
  readonly #scope: string;
  readonly #owner: string;
  readonly #digest: string;
  #trail: string | null = null;
  #attempt: number;

  constructor(keeper: LeaseKeeper, claim: Claim, attempt: number) {
    this.#keeper = keeper;
    this.#scope = claim.scope;
    this.#owner = claim.owner;
    this.#digest = claim.key.digest;
    this.requestId = claim.requestId;
    this.#attempt = attempt;
  }

  get attempt(): number {
    return this.#attempt;
  }

  async sent(trail: string | null = null): Promise<void> {
    await this.#move("sent", withChecksum({ digest: this.#digest, result: null, trail }));
    this.#trail = trail;
  }

  async again(): Promise<void> {
    await this.#move("again");
    this.#attempt += 1;
  }

  async settle(result: ResultEnvelope, outcome: Outcome): Promise<void> {
    try {
      await this.#end(result, outcome);
    } finally {
      this.#keeper.drop(this);
    }
  }

  renew(store: Store): void {
    store.change("renew", { ...this.#mine(), ...this.#keeper.leaseTimes() });
  }

  /** Frees the key if nothing was sent with it. */
  release(store: Store): void {
    store.change("release", this.#mine());
  }

  async #move(step: "sent" | "again", more: Partial<Content> = {}): Promise<void> {
    const moved = await this.#keeper.write("not_applied", (store) =>
      store.change(step, { ...this.#mine(), ...this.#keeper.leaseTimes(), ...more }),
    );
    if (!moved) throw leaseLost();
  }

  async #end(result: ResultEnvelope, outcome: Outcome): Promise<void> {
    if (outcome === "not_applied") {
      await this.#keeper.write(outcome, (store) => store.change("free", this.#mine()));
      return;
    }
    const state = outcome === "unknown" ? "unknown" : "settled";
    const content = { digest: this.#digest, result: recordResult(result), trail: this.#trail };
    const record = { state, expires: this.#keeper.keepUntil(), ...withChecksum(content) };
    const recorded = await this.#keeper.write(outcome, (store) =>
      store.change("settle", { ...this.#mine(), ...record }),
    );
    if (!recorded)
      throw fail(
        "NOT_READY",
        "The journal no longer has this call. Check whether the write was applied before you repeat it",
        { outcome },
      );
  }

  #mine(): { scope: string; owner: string; attempt: number } {
    return { scope: this.#scope, owner: this.#owner, attempt: this.#attempt };
  }
}
