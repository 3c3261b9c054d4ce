import { isRecord } from "@waybill/core/schema";
import type { ResultEnvelope } from "@waybill/core";
import type { ListApproval } from "@waybill/core/protocol";
import { hashJson } from "./hash-json.ts";
import { randomDigits } from "./random-digits.ts";
import type { PreparedCall } from "./prepared-call.ts";

/** Writes that wait: how many of each capability, and a few of them. */
export interface WaitingSummary {
  readonly capability_id: string;
  readonly count: number;
  readonly examples: readonly unknown[];
}

/** A write that was not sent because the run waits for an approval, or is a dry run. */
export interface WaitingWrite {
  readonly id: string;
  readonly input: unknown;
  /** Digest and summary of the list of a saved program. */
  readonly list?: string;
  readonly writes?: readonly WaitingSummary[];
}

function writeDigest({ id, input }: Pick<WaitingWrite, "id" | "input">): string {
  return hashJson([id, input]);
}

/** A write as the log keeps it: its digest, and that of a saved program's own list. */
function keptWrite({ list, ...write }: WaitingWrite): string {
  return list === undefined ? writeDigest(write) : `${writeDigest(write)}:${list}`;
}

/** A list without the writes that were made, each taken off once. */
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

/** The write of a call that has to wait for the list; undefined for any other result. */
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
 * The approvals of one run. A call that needs one is refused unless it is on a list that a person has
 * seen; then it is put on the list of the run, and no write is sent any more.
 */
export class RunApprovals {
  readonly #isCollecting: boolean;
  /** Digest → the lists of approved writes that are not made yet; undefined for plain writes. */
  readonly #approved = new Map<string, (string | undefined)[]>();
  readonly #waiting: WaitingWrite[] = [];

  constructor(isCollecting: boolean, approved: readonly string[]) {
    this.#isCollecting = isCollecting;
    for (const kept of approved) {
      const [digest = "", list] = kept.split(":");
      this.#approved.set(digest, [...(this.#approved.get(digest) ?? []), list]);
    }
  }

  /** No write is sent after the first one that waits. */
  get isCollecting(): boolean {
    return this.#isCollecting || this.#waiting.length > 0;
  }

  get waiting(): readonly WaitingWrite[] {
    return this.#waiting;
  }

  wait(write: WaitingWrite): void {
    this.#waiting.push(write);
  }

  /** Takes the approval of a write off the approved list, if it is there. */
  take({ spec: { id }, input }: PreparedCall): ListApproval {
    const lists = this.#approved.get(writeDigest({ id, input })) ?? [];
    return lists.length === 0 ? { state: "asks" } : { state: "approved", list: lists.shift() };
  }

  /** The waiting writes as the log keeps them. */
  get kept(): readonly string[] {
    return this.#waiting.map(keptWrite);
  }
}

/**
 * The text that approves a list: the key of the run and a secret. Only the same caller can try to
 * guess it, with a run for each guess, and it is valid for 24 hours.
 */
export function newApproval(key: string): string {
  return `${key}.${randomDigits()}`;
}

/** The key of the run that an approval belongs to. */
export function keyInApproval(approval: string): string {
  return approval.slice(0, Math.max(0, approval.lastIndexOf(".")));
}
