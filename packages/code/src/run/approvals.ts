import { randomBytes } from "node:crypto";
import type { ResultEnvelope } from "@waybill/core";
import { digestOf } from "./digest.ts";
import type { PreparedCall } from "./prepared-call.ts";

/** A write that was not sent because the run waits for an approval, or is a dry run. */
export interface WaitingWrite {
  readonly id: string;
  readonly input: unknown;
}

function writeDigest({ id, input }: WaitingWrite): string {
  return digestOf([id, input]);
}

/**
 * The approvals of one run. `execute` refuses a call that needs one and hands out what would approve
 * it; a run passes that back only for writes on a list that a person has seen.
 */
export class Approvals {
  readonly #isDry: boolean;
  /** Digest → how many such writes are approved and not made yet. */
  readonly #approved = new Map<string, number>();
  readonly #waiting: WaitingWrite[] = [];

  constructor(isDry: boolean, approved: readonly string[]) {
    this.#isDry = isDry;
    for (const digest of approved)
      this.#approved.set(digest, (this.#approved.get(digest) ?? 0) + 1);
  }

  /** From the first write that waits on, no other write is sent. */
  get isCollecting(): boolean {
    return this.#isDry || this.#waiting.length > 0;
  }

  get waiting(): readonly WaitingWrite[] {
    return this.#waiting;
  }

  wait(write: WaitingWrite): void {
    this.#waiting.push(write);
  }

  /** Whether a result says that an approval is needed. */
  isAsked(result: ResultEnvelope): boolean {
    return approvalIn(result) !== undefined;
  }

  /** What approves a refused call, if the call is on the approved list. */
  approvalFor({ spec, input }: PreparedCall, result: ResultEnvelope): string | undefined {
    const approve = approvalIn(result);
    if (approve === undefined) return undefined;
    const digest = writeDigest({ id: spec.id, input });
    const left = this.#approved.get(digest) ?? 0;
    if (left === 0) return undefined;
    this.#approved.set(digest, left - 1);
    return approve;
  }

  get digests(): readonly string[] {
    return this.#waiting.map(writeDigest);
  }
}

function approvalIn(result: ResultEnvelope): string | undefined {
  if (result.ok || result.error.code !== "POLICY") return undefined;
  const approve = result.error.details?.["approve"];
  return typeof approve === "string" ? approve : undefined;
}

/** It can be tried only by whoever may run programs as the same caller, and holds for a day. */
const SECRET_BYTES = 9;

/** What approves a list: it names the run, and nobody can guess the rest. */
export function newApproval(key: string): string {
  return `${key}.${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

/** The key of the run that an approval belongs to. */
export function keyInApproval(approval: string): string {
  return approval.slice(0, Math.max(0, approval.lastIndexOf(".")));
}
