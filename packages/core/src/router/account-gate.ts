import { fail } from "../envelope/index.ts";
import { wait } from "./backoff.ts";
import { uncounted } from "./request-count.ts";
import type { Attempt } from "./route.ts";

/** A rate limit that an upstream has set for an account. */
export interface AccountLimit {
  /** The limited resource, in the upstream's terms. `*` stands for everything. */
  readonly resource: string;
  /** When the limit ends, in milliseconds since the epoch. */
  readonly until: number;
}

/** Stores limits, so that processes that use the same account share them. */
export interface LimitStore {
  /** The limits of an account that have not ended. */
  read(account: string): Promise<readonly AccountLimit[]>;
  /** Records a limit of an account. */
  add(account: string, limit: AccountLimit): Promise<void>;
}

export interface AccountGateOptions {
  /** The name of the account, without its secret. */
  readonly account: () => Promise<string> | string;
  /** The name of the upstream in messages. */
  readonly name: string;
  readonly store?: LimitStore | undefined;
  /**
   * Sends writes one after the other, and the first of several requests alone, as GitHub advises
   * (default: true).
   */
  readonly isSerial?: boolean;
}

/** The properties of a request that the gate needs before it sends the request. */
export type GatedAttempt = Pick<Attempt, "effect" | "deadline" | "signal" | "ready"> & {
  readonly waits?: { ms: number } | undefined;
};

/** How long a call without a deadline waits for a limit to end. */
const LONGEST_WAIT_MS = 30_000;
/** A limit that is longer than this is shortened, because it comes from a wrong clock. */
const LONGEST_LIMIT_MS = 6 * 3_600_000;
/** The other requests wait at most this long for the response to the first one. */
const FIRST_ANSWER_MS = 5_000;

/** A promise with the function that resolves it. */
function openEnd(): { readonly promise: Promise<void>; readonly end: () => void } {
  let end!: () => void;
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

/**
 * Controls when requests to one account of an upstream are sent. A rate limit that one request
 * meets stops the others, and writes are sent one after the other. The first of several
 * concurrent requests is sent alone, because its answer may say that the account is limited.
 */
export class AccountGate {
  readonly #options: AccountGateOptions;
  readonly #limits = new Map<string, number>();
  #account: Promise<string> | undefined;
  /** Resolves when the last write has ended. Undefined if no write is running. */
  #lastWrite: Promise<unknown> | undefined;
  #underWay = 0;
  /** Resolves when the first request, which is sent alone, has its response. */
  #first: Promise<void> | undefined;

  /** Creates the gate of one account. */
  constructor(options: AccountGateOptions) {
    this.#options = options;
  }

  /**
   * Sends a request as soon as it may be sent. If that takes too long, throws RATE_LIMIT and
   * sends nothing.
   */
  async pass<T>(resource: string, attempt: GatedAttempt, send: () => Promise<T>): Promise<T> {
    const start = Date.now();
    const sendNow = async (): Promise<T> => {
      const turnMs = Date.now() - start;
      // Reads before a write are a part of the call, so their time does not count as waiting.
      await attempt.ready?.();
      const readyAt = Date.now();
      const leave = await this.#enter(resource, attempt);
      try {
        if (attempt.waits !== undefined) attempt.waits.ms += turnMs + Date.now() - readyAt;
        return await send();
      } finally {
        leave();
      }
    };
    const isAlone = this.#isSerial && attempt.effect !== "read";
    return isAlone ? this.#inTurn(sendNow) : sendNow();
  }

  get #isSerial(): boolean {
    return this.#options.isSerial ?? true;
  }

  /** Stores a limit, here and for other processes. */
  async note(limit: AccountLimit): Promise<void> {
    const until = Math.min(limit.until, Date.now() + LONGEST_LIMIT_MS);
    this.#limits.set(limit.resource, Math.max(until, this.#limits.get(limit.resource) ?? 0));
    // Ignored, because this process still knows the limit.
    await this.#options.store?.add(await this.#name(), { ...limit, until }).catch(() => {});
  }

  /** Starts immediately if no write is running, so that requests keep their order. */
  async #inTurn<T>(send: () => Promise<T>): Promise<T> {
    const turn = this.#lastWrite === undefined ? send() : this.#lastWrite.then(send);
    const ended = turn.catch(() => {});
    this.#lastWrite = ended;
    try {
      return await turn;
    } finally {
      if (this.#lastWrite === ended) this.#lastWrite = undefined;
    }
  }

  /** Waits until a request may be sent. Returns a function to call when the request has ended. */
  async #enter(resource: string, attempt: GatedAttempt): Promise<() => void> {
    try {
      for (let hasWaited = false; ; hasWaited = true) {
        // When a limit ends, all waiting requests continue at once. So one of them must go first
        // again.
        if (await this.#untilFree(resource, attempt)) hasWaited = false;
        const first = this.#first;
        if (hasWaited || first === undefined) return this.#begin();
        await this.#untilAnswered(first, attempt.signal);
      }
    } catch (thrown) {
      throw uncounted(thrown, { outcome: "not_applied" });
    }
  }

  /** Does not await anything, so that only one of several concurrent requests becomes the first. */
  #begin(): () => void {
    const isFirst = this.#isSerial && this.#underWay === 0;
    const own = isFirst ? openEnd() : undefined;
    if (own !== undefined) this.#first = own.promise;
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
      if (own === undefined) return;
      if (this.#first === own.promise) this.#first = undefined;
      own.end();
    };
  }

  async #untilAnswered(first: Promise<void>, signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const late = wait(FIRST_ANSWER_MS, AbortSignal.any([signal, ended.signal]));
    try {
      await Promise.race([first, late]);
    } finally {
      ended.abort();
    }
    // After a time, later requests no longer wait for a slow first request.
    if (this.#first === first) this.#first = undefined;
  }

  /** Waits until the limit ends, if the deadline allows that. Returns whether there was a limit. */
  async #untilFree(resource: string, { deadline, signal }: GatedAttempt): Promise<boolean> {
    for (let isLimited = false; ; isLimited = true) {
      const until = await this.#limitedUntil(resource);
      const left = until - Date.now();
      if (left <= 0) return isLimited;
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
    const message = `${this.#options.name} has limited this account until ${when}, so this request was not sent. Call again after that`;
    return fail("RATE_LIMIT", message, { retry_after_ms: left });
  }

  #name(): Promise<string> {
    return (this.#account ??= Promise.resolve(this.#options.account()));
  }
}
