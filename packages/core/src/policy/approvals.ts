import { randomDigits } from "../envelope/index.ts";
import { inputDigest } from "../router/index.ts";
import type { Outcome } from "../envelope/index.ts";

/** A call that needs an approval, identified by capability, params and caller. */
export interface ApprovalSubject {
  readonly capability_id: string;
  readonly params: unknown;
  /** Id of the calling identity; undefined for the program itself. */
  readonly caller: string | undefined;
}

/** A call that waits for a person's answer, or that is approved and was not made yet. */
export interface PendingApproval {
  /** The id of the approval. */
  readonly id: string;
  /** The capability that waits. */
  readonly capability_id: string;
  /** The params as a person sees them: as JSON, without secrets and cut to a limit. */
  readonly params: string;
  /** The identity that called; undefined for the program itself. */
  readonly caller: string | undefined;
  /** Whether a person has agreed. */
  readonly state: "waiting" | "approved";
  /** When the approval was requested, in milliseconds since the epoch. */
  readonly requestedAt: number;
  /** When the approval expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** An approval as it is stored. */
export interface ApprovalRecord extends Omit<PendingApproval, "state"> {
  /** Whether the approval waits, is approved, is used by a call, or was denied. */
  readonly state: "waiting" | "approved" | "claimed" | "denied";
  /** The approval token. New for each record. */
  readonly secret: string;
  /** The idempotency key of the call that uses the approval. Absent if that call has none. */
  readonly key?: string | undefined;
  /**
   * When a person last denied this call, in milliseconds since the epoch. A new request for the
   * same call keeps it (default: never).
   */
  readonly deniedAt?: number | undefined;
}

/** A request for an approval. */
export interface RequestedApproval {
  /** The id with which a person answers the request. */
  readonly id: string;
  /** The token that approves the call. */
  readonly approve: string;
  /** Whether a person has denied the same call in the last 24 hours. */
  readonly isDenied: boolean;
}

/**
 * Stores approvals. Every change states the expected record, so two concurrent changes cannot both
 * succeed.
 */
export interface ApprovalStore {
  /** The approval with this id, if there is one. */
  read(id: string): Promise<ApprovalRecord | undefined>;
  /** Every stored approval. */
  list(): Promise<readonly ApprovalRecord[]>;
  /**
   * Replaces `before` by `after`. Undefined means that there is no record. Returns false if the
   * stored record is not `before`.
   */
  replace(
    id: string,
    before: ApprovalRecord | undefined,
    after: ApprovalRecord | undefined,
  ): Promise<boolean>;
  /** Releases the resources of the store (default: nothing). */
  close?(): Promise<void>;
}

/** The right to make one approved call. */
export interface ApprovalClaim {
  /** Reports how the call ended. The approval is used up unless nothing was applied. */
  settle(outcome: Outcome): Promise<void>;
}

const DAY_MS = 86_400_000;
const MAX_WAITING = 1_000;

async function approvalId({ capability_id, params, caller }: ApprovalSubject): Promise<string> {
  // Hashes JSON, so that the id of a caller cannot be confused with a missing caller.
  const digest = await inputDigest([capability_id, await inputDigest(params), caller ?? null]);
  return `ap_${digest.slice(0, 16)}`;
}

/** Starts a token, so that no JSON takes it for a number. */
const SECRET_START = "ok";
/** The digits of an approval token, about 80 bits. */
const SECRET_DIGITS = 24;

function newSecret(): string {
  return SECRET_START + randomDigits(SECRET_DIGITS);
}

/** Compares in constant time, so that the duration reveals nothing about the token. */
function isSameToken(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at += 1) {
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  }
  return difference === 0;
}

function requested({ id, secret, deniedAt }: ApprovalRecord): RequestedApproval {
  return { id, approve: secret, isDenied: deniedAt !== undefined };
}

function approved({ deniedAt: _deniedAt, ...record }: ApprovalRecord): ApprovalRecord {
  return { ...record, state: "approved" };
}

/** Whether a person can still approve or deny the call. */
function isAnswerable({ state }: ApprovalRecord): boolean {
  return state === "waiting" || state === "approved";
}

/**
 * The approvals of one Waybill. Calls request them, people answer them, and each is used for one
 * call.
 */
export class Approvals {
  readonly #store: ApprovalStore;
  readonly #now: () => number;

  constructor(store: ApprovalStore, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Requests an approval. The same call of the same caller has only one request. If the call was
   * denied, it is requested again.
   */
  async request(subject: ApprovalSubject, shown: string): Promise<RequestedApproval> {
    const id = await approvalId(subject);
    const known = await this.#store.read(id);
    if (known !== undefined && isAnswerable(known) && !this.#isOver(known)) return requested(known);
    await this.#makeRoom();
    const requestedAt = this.#now();
    const isDenied = known?.state === "denied" && !this.#isOver(known);
    const record: ApprovalRecord = {
      id,
      capability_id: subject.capability_id,
      params: shown,
      caller: subject.caller,
      state: "waiting",
      secret: newSecret(),
      requestedAt,
      expiresAt: requestedAt + DAY_MS,
      ...(isDenied && { deniedAt: known.deniedAt }),
    };
    if (await this.#store.replace(id, known, record)) return requested(record);
    return requested((await this.#store.read(id)) ?? record);
  }

  /** Whether a person denied this call in the last 24 hours and nothing was requested since. */
  async isDenied(subject: ApprovalSubject): Promise<boolean> {
    const known = await this.#store.read(await approvalId(subject));
    return known?.state === "denied" && !this.#isOver(known);
  }

  /** Removes a request that needs no answer any more. */
  async withdraw(id: string): Promise<void> {
    const known = await this.#store.read(id);
    if (known !== undefined && isAnswerable(known)) await this.#store.replace(id, known, undefined);
  }

  /**
   * Claims the approval of a call, so that no other call can use it. Undefined if there is none.
   */
  async claim(
    subject: ApprovalSubject,
    given: { readonly approve?: string | undefined; readonly key?: string | undefined },
  ): Promise<ApprovalClaim | undefined> {
    const id = await approvalId(subject);
    const known = await this.#store.read(id);
    if (known === undefined || this.#isOver(known) || !isGiven(known, given)) return undefined;
    const claimed: ApprovalRecord = { ...known, state: "claimed", key: given.key };
    if (!(await this.#store.replace(id, known, claimed))) return undefined;
    return {
      settle: async (outcome) => {
        const after = outcome === "not_applied" ? approved(claimed) : undefined;
        await this.#store.replace(id, claimed, after);
      },
    };
  }

  /** The waiting calls, oldest first. */
  async pending(): Promise<readonly PendingApproval[]> {
    const records = await this.#store.list();
    return records
      .filter((record) => isAnswerable(record) && !this.#isOver(record))
      .toSorted((a, b) => a.requestedAt - b.requestedAt)
      .map(({ secret: _secret, key: _key, deniedAt: _at, ...shown }) => shown as PendingApproval);
  }

  /** Stores a person's answer. Returns false if no call waits under this id. */
  async answer(id: string, isAllowed: boolean): Promise<boolean> {
    const known = await this.#store.read(id);
    if (known === undefined || !isAnswerable(known) || this.#isOver(known)) return false;
    return this.#store.replace(id, known, isAllowed ? approved(known) : this.#denied(known));
  }

  /**
   * Stores a denied call for a day, so that a repeat can say that it was denied. Its token is no
   * longer valid.
   */
  #denied(record: ApprovalRecord): ApprovalRecord {
    const deniedAt = this.#now();
    const expiresAt = deniedAt + DAY_MS;
    return { ...record, state: "denied", secret: newSecret(), deniedAt, expiresAt };
  }

  async close(): Promise<void> {
    await this.#store.close?.();
  }

  #isOver({ expiresAt }: ApprovalRecord): boolean {
    return expiresAt <= this.#now();
  }

  /** Removes expired approvals, and the oldest if there are too many. */
  async #makeRoom(): Promise<void> {
    const records = (await this.#store.list()).toSorted((a, b) => a.requestedAt - b.requestedAt);
    const over = records.filter((record) => this.#isOver(record));
    const left = records.filter((record) => !this.#isOver(record));
    const crowded = left.slice(0, Math.max(0, left.length - MAX_WAITING + 1));
    for (const record of [...over, ...crowded]) {
      await this.#store.replace(record.id, record, undefined);
    }
  }
}

/**
 * Whether the call is approved: by the token, by a person, or by the key of the write that used it.
 */
function isGiven(
  record: ApprovalRecord,
  { approve, key }: { readonly approve?: string | undefined; readonly key?: string | undefined },
): boolean {
  if (record.state === "denied") return false;
  if (record.state === "claimed") return key !== undefined && record.key === key;
  return approve === undefined ? record.state === "approved" : isSameToken(approve, record.secret);
}
