import { randomBytes } from "node:crypto";
import type { Effect, ResultEnvelope } from "@waybill/core";
import { hashJson } from "./hash-json.ts";
import type { PreparedCall } from "./prepared-call.ts";

/** A write that was not sent because the run waits for an approval, or is a dry run. */
export interface WaitingWrite {
  readonly id: string;
  readonly input: unknown;
}

function writeDigest({ id, input }: WaitingWrite): string {
  return hashJson([id, input]);
}

/** A refusal that asks for an approval. */
interface ApprovalRequest {
  /** Id under which a person answers it. */
  readonly id: string | undefined;
  /** The text that approves the call; undefined if only a person may answer. */
  readonly approve: string | undefined;
}

function requestIn(result: ResultEnvelope): ApprovalRequest | undefined {
  if (result.ok || result.error.code !== "POLICY") return undefined;
  const { approval, approve } = result.error.details ?? {};
  const id = typeof approval === "string" ? approval : undefined;
  const text = typeof approve === "string" ? approve : undefined;
  return id === undefined && text === undefined ? undefined : { id, approve: text };
}

/**
 * The approvals of one run. `execute` refuses a call that needs one and hands out the text that
 * approves it. A run passes that text back only for writes on a list that a person has seen.
 */
export class RunApprovals {
  readonly #isDry: boolean;
  /** Digest → how many such writes are approved and not made yet. */
  readonly #approved = new Map<string, number>();
  readonly #waiting: WaitingWrite[] = [];
  readonly #personal: string[] = [];
  /** Effects for which the policy asks. */
  readonly #effects = new Set<Effect>(["destructive"]);

  constructor(isDry: boolean, approved: readonly string[]) {
    this.#isDry = isDry;
    for (const digest of approved)
      this.#approved.set(digest, (this.#approved.get(digest) ?? 0) + 1);
  }

  /** No write is sent after the first one that waits. */
  get isCollecting(): boolean {
    return this.#isDry || this.#waiting.length > 0;
  }

  get waiting(): readonly WaitingWrite[] {
    return this.#waiting;
  }

  /** Ids of the approvals that only a person can give. */
  get personal(): readonly string[] {
    return this.#personal;
  }

  wait(write: WaitingWrite): void {
    this.#waiting.push(write);
  }

  /** Whether a result asks for an approval. */
  isAsked({ spec }: PreparedCall, result: ResultEnvelope): boolean {
    const request = requestIn(result);
    if (request === undefined) return false;
    this.#effects.add(spec.effect);
    if (request.approve === undefined && request.id !== undefined) this.#personal.push(request.id);
    return true;
  }

  /** Whether a call that waits must be refused itself, so that a person finds it among the others. */
  needsRequest({ spec }: PreparedCall): boolean {
    return this.#personal.length > 0 && this.#effects.has(spec.effect);
  }

  /** The text that approves a refused call, if the call is on the approved list. */
  approvalFor({ spec, input }: PreparedCall, result: ResultEnvelope): string | undefined {
    const approve = requestIn(result)?.approve;
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

/** Only the same caller can try to guess it, and it is valid for 24 hours. */
const SECRET_BYTES = 9;

/** The text that approves a list: the key of the run and a secret. */
export function newApproval(key: string): string {
  return `${key}.${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

/** The key of the run that an approval belongs to. */
export function keyInApproval(approval: string): string {
  return approval.slice(0, Math.max(0, approval.lastIndexOf(".")));
}
