import { fail } from "../envelope/index.ts";
import { wait } from "./backoff.ts";
import { uncounted } from "./counted.ts";
import type { Attempt } from "./route.ts";

/** A limit that an upstream has set for an account. */
export interface AccountLimit {
  /** The limited resource, as the upstream calls it; `*` for everything. */
  readonly resource: string;
  /** In milliseconds since the epoch. */
  readonly until: number;
}

/** Keeps limits, so that processes which use one account share them. */
export interface LimitStore {
  /** The limits of an account that have not ended. */
  read(account: string): Promise<readonly AccountLimit[]>;
  /** Records a limit of an account. */
  add(account: string, limit: AccountLimit): Promise<void>;
}

export interface AccountGateOptions {
  /** Names the account, without its secret. */
  readonly account: () => Promise<string> | string;
  /** The name of the upstream in messages. */
  readonly name: string;
  readonly store?: LimitStore | undefined;
}

/** The gate needs these properties of a request before it sends it. */
export type GatedAttempt = Pick<Attempt, "effect" | "deadline" | "signal"> & {
  readonly waits?: { ms: number } | undefined;
};

/** Without a deadline a call waits no longer than this for a limit to end. */
const LONGEST_WAIT_MS = 30_000;
/** A limit that lasts longer comes from a wrong clock. */
const LONGEST_LIMIT_MS = 6 * 3_600_000;
/** The others wait so long for the answer to the first request. */
const FIRST_ANSWER_MS = 5_000;

/**
 * All requests to one account of an upstream pass here. A limit that one of them met stops the
 * others, writes go one after the other, and nothing else is sent before the first answer, which
 * may say that the account is limited.
 */
export class AccountGate {
  readonly #options: AccountGateOptions;
  readonly #limits = new Map<string, number>();
  #account: Promise<string> | undefined;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #first: Promise<unknown> | undefined;
  #isOpen = false;

  /** Makes the gate of one account. */
  constructor(options: AccountGateOptions) {
    this.#options = options;
  }

  /** Sends a request once it may be sent. Throws RATE_LIMIT, and sends nothing, if that takes too long. */
  async pass<T>(resource: string, attempt: GatedAttempt, send: () => Promise<T>): Promise<T> {
    const start = Date.now();
    const sendNow = async (): Promise<T> => {
      await this.#untilFree(resource, attempt);
      if (attempt.waits !== undefined) attempt.waits.ms += Date.now() - start;
      return send();
    };
    const sendInOrder = (): Promise<T> =>
      attempt.effect === "read" ? sendNow() : this.#inTurn(sendNow);
    // Decided before anything is awaited, so that of several calls at once only one is the first.
    if (!this.#isOpen && this.#first === undefined) return this.#sendFirst(sendInOrder);
    await this.#untilFirstAnswer();
    return sendInOrder();
  }

  /** Remembers a limit, here and for other processes. */
  async note(limit: AccountLimit): Promise<void> {
    const until = Math.min(limit.until, Date.now() + LONGEST_LIMIT_MS);
    this.#limits.set(limit.resource, Math.max(until, this.#limits.get(limit.resource) ?? 0));
    // If the store cannot be written, this process still knows the limit.
    await this.#options.store?.add(await this.#name(), { ...limit, until }).catch(() => {});
  }

  #sendFirst<T>(send: () => Promise<T>): Promise<T> {
    const first = send().finally(() => {
      this.#isOpen = true;
      this.#first = undefined;
    });
    this.#first = first.catch(() => {});
    return first;
  }

  async #inTurn<T>(send: () => Promise<T>): Promise<T> {
    const turn = this.#lastWrite.then(send);
    this.#lastWrite = turn.catch(() => {});
    return turn;
  }

  async #untilFirstAnswer(): Promise<void> {
    const first = this.#first;
    if (this.#isOpen || first === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FIRST_ANSWER_MS);
    });
    await Promise.race([first, late]);
    clearTimeout(timer);
  }

  /** Waits for the end of a limit, where the deadline allows it. */
  async #untilFree(resource: string, { deadline, signal }: GatedAttempt): Promise<void> {
    for (;;) {
      const until = await this.#limitedUntil(resource);
      const left = until - Date.now();
      if (left <= 0) return;
      const mayWait = deadline === undefined ? left <= LONGEST_WAIT_MS : until < deadline;
      if (!mayWait) throw this.#refusal(left, until);
      await wait(left, signal);
    }
  }

  async #limitedUntil(resource: string): Promise<number> {
    const { store } = this.#options;
    const kept = (await store?.read(await this.#name()).catch(() => [])) ?? [];
    for (const { resource: limited, until } of kept) {
      const isSane = until <= Date.now() + LONGEST_LIMIT_MS;
      if (isSane && until > (this.#limits.get(limited) ?? 0)) this.#limits.set(limited, until);
    }
    return Math.max(this.#limits.get("*") ?? 0, this.#limits.get(resource) ?? 0);
  }

  #refusal(left: number, until: number): Error {
    const when = new Date(until).toISOString();
    const message = `${this.#options.name} has limited this account until ${when}; nothing was sent`;
    const details = { outcome: "not_applied", retry_after_ms: left } as const;
    return uncounted(fail("RATE_LIMIT", message, details));
  }

  #name(): Promise<string> {
    return (this.#account ??= Promise.resolve(this.#options.account()));
  }
}
