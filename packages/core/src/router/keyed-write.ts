import { CallError, errorFromUnknown, fail, withWarnings } from "../envelope/index.ts";
import type { Outcome, ResultEnvelope } from "../envelope/index.ts";
import type {
  Journal,
  JournalKey,
  JournalLease,
  JournalProbe,
  JournalVerdict,
  UnknownWrite,
} from "./journal.ts";
import { resultOutcome } from "./judge-record.ts";

/** The events that a keyed write reports to its journal. */
export interface SendHooks {
  /** Receives the data that is needed to check the outcome later, if it stays unknown. */
  readonly beforeSend: (trail?: string) => Promise<void>;
  readonly onAgain: (outcome: Outcome) => Promise<void>;
  /**
   * Whether an earlier call with this key may have been applied. If so, a refusal proves
   * nothing.
   */
  readonly isDoubtful?: boolean;
}

export interface KeyedWrite {
  readonly journal: Journal;
  readonly key: JournalKey;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Runs the call. Never throws. */
  readonly run: (hooks: SendHooks) => Promise<ResultEnvelope>;
  /**
   * Checks whether the write of an earlier call was applied. Undefined if there is no way to check.
   */
  readonly probe?: (trail: string) => Promise<ProbedWrite>;
}

/** The result of checking an earlier write: its answer, not applied, or unknown. */
export type ProbedWrite =
  | ResultEnvelope
  | "not_applied"
  /** The outcome is unknown, but the write is idempotent and may be sent again. */
  | "send_again"
  /** Why the outcome is unknown, in one sentence. */
  | { readonly seen: string | undefined };

/** The hooks that report to a lease. The journal records `sent` once, before the first request. */
function getHooks(lease: JournalLease): SendHooks {
  let isSent = false;
  return {
    async beforeSend(trail) {
      if (isSent) return;
      await lease.sent(trail);
      isSent = true;
    },
    async onAgain(outcome) {
      if (!isSent || outcome !== "not_applied") return;
      await lease.again();
      isSent = false;
    },
  };
}

async function runOwned(write: KeyedWrite, lease: JournalLease): Promise<ResultEnvelope> {
  const result = await write.run(getHooks(lease));
  try {
    await lease.settle(result, resultOutcome(result));
    return result;
  } catch (thrown) {
    const { message } = errorFromUnknown(thrown);
    return withWarnings(result, [`The result of this write could not be recorded: ${message}`]);
  }
}

/** The error for a key that was used for another write. */
export function keyConflict(key: JournalKey): CallError {
  const message = `The idempotency key was used for ${key.capability} with other input or another account`;
  return fail("CONFLICT", message, {
    outcome: "not_applied",
    hint: "Use a new key for a new write",
  });
}

const AGAIN =
  "Call again with the same key in 15 seconds; Waybill then checks again. A new key would send the write again";

function lostCall({ requestId }: UnknownWrite, seen: string | undefined): CallError {
  const message = `An earlier call with this key (${requestId}) was sent, but its outcome is unknown`;
  return new CallError("OUTCOME_UNKNOWN", message, {
    outcome: "unknown",
    hint: AGAIN,
    ...(seen !== undefined && { probe: seen }),
  });
}

function replayed(result: ResultEnvelope): ResultEnvelope {
  return { ...result, meta: { ...result.meta, replayed: true } };
}

/** The recorded answer, with the result of a later check. */
function stillUnknown(write: UnknownWrite, seen: string | undefined): ResultEnvelope {
  const { result } = write;
  if (result === undefined || result.ok) throw lostCall(write, seen);
  if (seen === undefined) return replayed(result);
  const details = { ...result.error.details, probe: seen };
  return replayed({ ...result, error: { ...result.error, details } });
}

/** Nothing to record, because the record already says that the write was sent. */
const DOUBTFUL: SendHooks = {
  beforeSend: async () => {},
  onAgain: async () => {},
  isDoubtful: true,
};

/** Marks the outcome as unknown, because the earlier call may have been applied. */
function inDoubt(result: ResultEnvelope): ResultEnvelope {
  if (result.ok || resultOutcome(result) !== "not_applied") return result;
  const details = { ...result.error.details, outcome: "unknown" as const };
  return { ...result, error: { ...result.error, details, retryable: false } };
}

/**
 * Sends an idempotent write again. The key stays in use, because the first write may still be
 * applied.
 */
async function sendAgain(write: KeyedWrite, probe: JournalProbe): Promise<ResultEnvelope> {
  const result = inDoubt(await write.run(DOUBTFUL));
  if (resultOutcome(result) === "applied") await probe.resolve(result);
  return result;
}

/** Checks again whether a write with an unknown outcome was applied, and records the result. */
async function runAgain(write: KeyedWrite, unknown: UnknownWrite): Promise<ResultEnvelope> {
  const { probe, trail = "" } = unknown;
  if (probe === undefined || write.probe === undefined) return stillUnknown(unknown, undefined);
  const found = await write.probe(trail);
  if (found === "send_again") return sendAgain(write, probe);
  if (found !== "not_applied" && "seen" in found) return stillUnknown(unknown, found.seen);
  await probe.resolve(found);
  return found === "not_applied" ? runKeyed(write) : found;
}

/** If a caller stops waiting, it does not know how the call that holds the key will end. */
function stoppedWaiting(thrown: unknown): CallError {
  const error = errorFromUnknown(thrown);
  const hint = "Call again with the same key to get its result";
  return error.with({ outcome: "unknown", hint, ...error.details });
}

/** Waits until the call that holds the key has ended. */
async function untilFree(write: KeyedWrite): Promise<JournalVerdict> {
  const verdict = await write.journal.begin(write.key, write.requestId);
  if (verdict.state !== "in_flight") return verdict;
  try {
    return await write.journal.join(write.key, write.signal, write.requestId);
  } catch (thrown) {
    throw stoppedWaiting(thrown);
  }
}

/**
 * Runs a write under its key at most once. The first caller sends it, and the others get the
 * recorded result. Throws if the journal refuses; then nothing was sent.
 */
export async function runKeyed(write: KeyedWrite): Promise<ResultEnvelope> {
  const verdict = await untilFree(write);
  switch (verdict.state) {
    case "owned":
      return runOwned(write, verdict.lease);
    case "settled":
      return replayed(verdict.result);
    case "conflict":
      throw keyConflict(write.key);
    case "unknown":
      return runAgain(write, verdict);
    case "in_flight":
      throw lostCall(verdict, undefined);
  }
}
