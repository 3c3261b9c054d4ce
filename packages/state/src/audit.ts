import { fail } from "@waybill/core";
import type { ApprovalStore, CallRecord, Observer } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { CallSurface } from "./history/index.ts";
import { LineFile } from "./line-file.ts";

export interface AuditOptions {
  readonly path: string;
  /** Removes secrets from a value. If it throws, the value is not written. */
  readonly redact: (value: unknown) => unknown;
  /**
   * Called when the file cannot be written, and with `undefined` once it can again (default: none).
   */
  readonly onProblem?: (problem: string | undefined) => void;
}

/** A request that the server refused before any call. */
export interface RefusedCall {
  readonly route: string;
  readonly capability_id: string;
  readonly address: string;
  readonly caller: string | undefined;
  readonly status: number;
  readonly message: string;
}

/** An append-only log of who called what, and how each call ended. */
export interface Audit {
  /** Why the last lines are not in the file. */
  readonly problem: string | undefined;
  /**
   * Records the calls that came in through this surface. A write that cannot be recorded is
   * refused.
   */
  observe(via: CallSurface): Required<Pick<Observer, "onCall" | "refuseWrite">>;
  refused(refusal: RefusedCall): void;
  /** Wraps a store of approvals, so that the answers of people are recorded too. */
  approvals(store: ApprovalStore): ApprovalStore;
  /** Waits until every line is written, or cannot be written. */
  close(): Promise<void>;
}

/** The version of the line format. */
const VERSION = 1;
const MAX_TEXT = 200;
const MAX_INPUT = 2_000;

/**
 * While the disk is slow, refused requests may fill only a part of the queue: anybody can send
 * such requests, and they must not push calls out of the log. Writes are refused long before
 * calls are dropped.
 */
const MAX_WAITING = { refusals: 500, writes: 1_000, calls: 10_000 };

/** The word in the log for each way in which a waiting approval ends. */
const ANSWERS = {
  approved: "allowed by a person",
  claimed: "given by the caller",
  denied: "denied by a person",
  gone: "withdrawn or expired",
} as const;

/** Cuts long strings, because the log shows what was called, not the content of users. */
function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === "string") {
    return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth > 4) return "…";
  if (Array.isArray(value)) return value.slice(0, 20).map((each) => shortened(each, depth + 1));
  if (!isRecord(value)) return "…";
  const entries = Object.entries(value).slice(0, 50);
  return Object.fromEntries(entries.map(([name, each]) => [name, shortened(each, depth + 1)]));
}

function shownInput(params: unknown): unknown {
  const short = shortened(params);
  return (JSON.stringify(short) ?? "").length > MAX_INPUT ? "too long" : short;
}

function callEntry(record: CallRecord, via: CallSurface): Record<string, unknown> {
  const { envelope, journal } = record;
  return {
    event: "call",
    time: new Date(record.started_at).toISOString(),
    request_id: record.request_id,
    parent_id: record.parent_id,
    caller: record.identity?.id ?? null,
    via,
    kind: record.kind,
    capability: record.capability_id,
    source: record.source,
    effect: record.effect,
    input: shownInput(record.params),
    ok: envelope.ok,
    outcome: journal?.outcome,
    keyed: journal?.keyed,
    replayed: envelope.meta.replayed,
    code: envelope.error?.code,
    message: envelope.error?.message.slice(0, MAX_TEXT),
    duration_ms: Math.round(record.duration_ms),
  };
}

function refusalEntry({ capability_id, caller, ...refusal }: RefusedCall): Record<string, unknown> {
  return { event: "refused", caller: caller ?? null, capability: capability_id, ...refusal };
}

/** Opens the audit log. The file grows until another program moves it aside. */
export function openAudit({ path, redact, onProblem }: AuditOptions): Audit {
  const maxWaiting = MAX_WAITING.calls;
  const file = new LineFile({ path, maxWaiting, ...(onProblem !== undefined && { onProblem }) });
  const add = (entry: Record<string, unknown>, limit = maxWaiting): void => {
    const time = new Date().toISOString();
    file.add(JSON.stringify(redact({ version: VERSION, time, ...entry })), limit);
  };
  const problem = (): string | undefined =>
    file.problem ??
    (file.waiting < MAX_WAITING.writes
      ? undefined
      : `the disk is too slow: ${file.waiting} lines are not written yet`);
  return {
    get problem() {
      return file.problem;
    },
    observe: (via) => ({
      onCall: (record) => add(callEntry(record, via)),
      refuseWrite: () => {
        const why = problem();
        if (why === undefined) return undefined;
        return fail("NOT_READY", `The audit log cannot be written: ${why}`, {
          outcome: "not_applied",
          hint: "Make the file writable, or free some space. Until then reads work and writes are refused",
        });
      },
    }),
    refused: (refusal) => add(refusalEntry(refusal), MAX_WAITING.refusals),
    approvals: (store) => ({
      ...store,
      read: (id) => store.read(id),
      list: () => store.list(),
      async replace(id, before, after) {
        const isReplaced = await store.replace(id, before, after);
        const isAnswer = before?.state === "waiting" && after?.state !== "waiting";
        if (isReplaced && before !== undefined && (isAnswer || after?.state === "denied")) {
          const { capability_id: capability, caller = null } = before;
          const answer = ANSWERS[after?.state ?? "gone"];
          add({ event: "approval", approval_id: id, caller, capability, answer });
        }
        return isReplaced;
      },
      close: async () => store.close?.(),
    }),
    close: () => file.flush(),
  };
}
