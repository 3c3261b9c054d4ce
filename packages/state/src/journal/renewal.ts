import type { SqliteLease } from "./lease.ts";
import type { FileDoor } from "../sqlite/index.ts";
import type { Store } from "./store.ts";

/** Renews the leases of this process. Its timer does not keep the process running. */
export class Renewal {
  readonly #door: FileDoor<Store>;
  readonly #everyMs: number;
  readonly #leases = new Set<SqliteLease>();
  #timer: NodeJS.Timeout | undefined;
  #isRenewing = false;

  constructor(door: FileDoor<Store>, everyMs: number) {
    this.#door = door;
    this.#everyMs = everyMs;
  }

  add(lease: SqliteLease): void {
    this.#leases.add(lease);
    this.#timer ??= setInterval(() => void this.#renew(), this.#everyMs).unref();
  }

  remove(lease: SqliteLease): void {
    this.#leases.delete(lease);
    if (this.#leases.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Frees the keys of calls that were never sent. The leases of sent calls expire on their own. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const leases = [...this.#leases];
    this.#leases.clear();
    if (leases.length > 0) await this.#each(leases, "release");
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    await this.#each([...this.#leases], "renew");
    this.#isRenewing = false;
  }

  /** Ignores errors, because each lease detects a failed renewal before anything is sent. */
  async #each(leases: readonly SqliteLease[], step: "renew" | "release"): Promise<void> {
    try {
      await this.#door.use((store) =>
        store.transaction(() => {
          for (const lease of leases) lease[step](store);
        }),
      );
    } catch {
      // Ignored, because each lease detects a failed renewal itself.
    }
  }
}
