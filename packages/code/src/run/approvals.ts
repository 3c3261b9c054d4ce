import { isRecord } from "@waybill/core/schema";
import type { ResultEnvelope } from "@waybill/core";
import { randomDigits } from "@waybill/core/protocol";
import type { ListApproval } from "@waybill/core/protocol";
import { hashJson } from "./hash-json.ts";
import { KEY_DIGITS } from "./key-digits.ts";
import type { PreparedCall } from "./prepared-call.ts";

/** Summary of waiting writes: the number for each capability, and a few examples. */
export interface WaitingSummary {
  readonly capability_id: string;
  readonly count: number;
  readonly examples: readonly unknown[];
}

/** A write that was not sent because the run waits for an approval, or is a dry run. */
export interface WaitingWrite {
  readonly id: string;
  readonly input: unknown;
  /** Digest and summary of a saved program's list. */
  readonly list?: string;
  readonly writes?: readonly WaitingSummary[];
}

function writeDigest({ id, input }: Pick<WaitingWrite, "id" | "input">): string {
  return hashJson([id, input]);
}

/**
 * A write as it is stored in the log: the digest of its input, and the digest of the list that the
 * saved program waits with.
 */
function keptWrite({ list, ...write }: WaitingWrite): string {
  return list === undefined ? writeDigest(write) : `${writeDigest(write)}:${list}`;
}

/** Removes the writes that were already made from a list, each one once. */
export function withoutWrites(
  kept: readonly string[],
  made: readonly Pick<WaitingWrite, "id" | "input">[],
): readonly string[] {
  const left = [...kept];
  for (const write of made) {
    const digest = writeDigest(write);
    const at = left.findIndex((each) => each.split(":", 1)[0] === digest);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** The write of a call that has to wait for approval; undefined for any other result. */
export function waitingWrite(
  { spec: { id }, input }: PreparedCall,
  result: ResultEnvelope,
): WaitingWrite | undefined {
  if (result.ok || result.error.details?.["waits"] !== true) return undefined;
  const { list, waiting } = result.error.details;
  return {
    id,
    input,
    ...(typeof list === "string" && { list }),
    ...(Array.isArray(waiting) && { writes: waiting.filter(isRecord) as never }),
  };
}

/**
 * The approvals of one run. A call that needs approval is sent only if a person has approved it in
 * a list. Otherwise it is added to the run's list, and no further write is sent.
 */
export class RunApprovals {
  readonly #isCollecting: boolean;
  /**
   * Approved writes that are not made yet, by digest. The value is the saved program's list;
   * undefined for plain writes.
   */
  readonly #approved = new Map<string, (string | undefined)[]>();
  readonly #waiting: WaitingWrite[] = [];

  constructor(isCollecting: boolean, approved: readonly string[]) {
    this.#isCollecting = isCollecting;
    for (const kept of approved) {
      const [digest = "", list] = kept.split(":");
      this.#approved.set(digest, [...(this.#approved.get(digest) ?? []), list]);
    }
  }

  /** Whether a write waits. After that no write is sent. */
  get isCollecting(): boolean {
    return this.#isCollecting || this.#waiting.length > 0;
  }

  get waiting(): readonly WaitingWrite[] {
    return this.#waiting;
  }

  wait(write: WaitingWrite): void {
    this.#waiting.push(write);
  }

  /** Uses the approval of a write, if it was approved. */
  take({ spec: { id }, input }: PreparedCall): ListApproval {
    const lists = this.#approved.get(writeDigest({ id, input })) ?? [];
    return lists.length === 0 ? { state: "asks" } : { state: "approved", list: lists.shift() };
  }

  /** The waiting writes in the form of the log. */
  get kept(): readonly string[] {
    return this.#waiting.map(keptWrite);
  }
}

/**
 * The number of random digits in an approval text for a caller that does not know the run's key.
 */
const SHORT_DIGITS = 3;
const SHORT_APPROVAL = new RegExp(`^\\d{${KEY_DIGITS + SHORT_DIGITS}}$`, "u");

/**
 * The text that approves a list: the key of the run and random digits. It is valid for 24 hours.
 * Agents read and repeat the text, so it is short if the caller does not know the key either. If
 * the caller knows the key, the digits alone must be hard to guess, because some agents may not
 * approve by themselves.
 */
export function newApproval(key: string, isKeyKnown: boolean): string {
  return isKeyKnown ? `${key}.${randomDigits(KEY_DIGITS)}` : `${key}${randomDigits(SHORT_DIGITS)}`;
}

/** The key of the run that an approval belongs to. */
export function keyInApproval(approval: string): string {
  if (SHORT_APPROVAL.test(approval)) return approval.slice(0, KEY_DIGITS);
  return approval.slice(0, Math.max(0, approval.lastIndexOf(".")));
}
