import { CallError, errorFromUnknown, fail } from "../envelope/index.ts";
import type { Outcome, ResultEnvelope } from "../envelope/index.ts";
import type { Journal, JournalKey, JournalLease, JournalVerdict } from "./journal.ts";

/** What a keyed write must tell its journal on the way. */
export interface SendHooks {
  readonly beforeSend: () => Promise<void>;
  readonly onAgain: (outcome: Outcome) => Promise<void>;
}

export interface KeyedWrite {
  readonly journal: Journal;
  readonly key: JournalKey;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Runs the call; never throws. */
  readonly run: (hooks: SendHooks) => Promise<ResultEnvelope>;
}

/** The hooks of a lease: the journal says `sent` before anything is, and once is enough. */
function hooksOf(lease: JournalLease): SendHooks {
  let isSent = false;
  return {
    async beforeSend() {
      if (isSent) return;
      await lease.sent();
      isSent = true;
    },
    async onAgain(outcome) {
      if (!isSent || outcome !== "not_applied") return;
      await lease.again();
      isSent = false;
    },
  };
}

/** What a result says of the effect of its call. */
export function outcomeOf(result: ResultEnvelope): Outcome {
  if (result.ok) return "applied";
  const outcome = result.error.details?.["outcome"];
  return outcome === "not_applied" || outcome === "applied" ? outcome : "unknown";
}

function withWarning(result: ResultEnvelope, warning: string): ResultEnvelope {
  const warnings = [...(result.meta.warnings ?? []), warning];
  return { ...result, meta: { ...result.meta, warnings } };
}

async function runOwned(write: KeyedWrite, lease: JournalLease): Promise<ResultEnvelope> {
  const result = await write.run(hooksOf(lease));
  try {
    await lease.settle(result, outcomeOf(result));
    return result;
  } catch (thrown) {
    const { message } = errorFromUnknown(thrown);
    return withWarning(result, `The end of this write could not be recorded: ${message}`);
  }
}

function conflict(key: JournalKey): CallError {
  const message = `The idempotency key was used for ${key.capability} with other input`;
  return fail("CONFLICT", message, {
    outcome: "not_applied",
    hint: "Use a new key for a new write",
  });
}

function lostCall(requestId: string): CallError {
  const message = `An earlier call with this key (${requestId}) was sent and its outcome is not known`;
  return new CallError("OUTCOME_UNKNOWN", message, {
    outcome: "unknown",
    hint: "Look whether it was applied; to send it again use a new key",
  });
}

/** What the call that holds the key will have done is not known to one that stops waiting for it. */
function stoppedWaiting(thrown: unknown): CallError {
  const error = errorFromUnknown(thrown);
  const hint = "Call again with the same key to get its result";
  return error.with({ outcome: "unknown", hint, ...error.details });
}

/** Waits for the call that holds the key, for as long as it does. */
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
 * Runs a write under its key: at most once, by whoever comes first; the others get the recorded
 * result. Throws when the journal refuses, and then nothing was sent.
 */
export async function runKeyed(write: KeyedWrite): Promise<ResultEnvelope> {
  const verdict = await untilFree(write);
  switch (verdict.state) {
    case "owned":
      return runOwned(write, verdict.lease);
    case "settled":
      return { ...verdict.result, meta: { ...verdict.result.meta, replayed: true } };
    case "conflict":
      throw conflict(write.key);
    default:
      throw lostCall(verdict.requestId);
  }
}
