import { agentErrorCode } from "../../envelope/index.ts";
import type { CallError, ErrorCode, Outcome } from "../../envelope/index.ts";
import type { JournalPeek } from "../../router/index.ts";
import type { Settings } from "../settings.ts";
import type { Call } from "./call.ts";
import { isKeyed, isKeyKeptUpstream, journalKey } from "./run-once.ts";

const HINT = "Call again with the same key to get the result of the earlier call";

/** Error codes that mean that no upstream answered. */
const UNANSWERED: ReadonlySet<ErrorCode> = new Set(["NETWORK", "TIMEOUT", "CANCELLED"]);

const OUTCOMES: Readonly<Record<JournalPeek, Outcome | undefined>> = {
  free: undefined,
  // The key belongs to a write with another input.
  conflict: undefined,
  settled: "applied",
  in_flight: "unknown",
  unknown: "unknown",
};

/** A call that ended before its input was read can only be found by its key. */
async function peekAtKey({ journal }: Settings, call: Call): Promise<Outcome | undefined> {
  try {
    const state = await journal!.peek!(await journalKey(call));
    return state === "conflict" && call.input === undefined ? "unknown" : OUTCOMES[state];
  } catch {
    return "unknown";
  }
}

/**
 * If the upstream keeps the keys, only the upstream knows what an earlier call with the key did.
 * If it did not answer, the outcome is unknown.
 */
export function withoutAnswer(error: CallError): CallError {
  const isDenied = error.details.outcome === "not_applied" && UNANSWERED.has(agentErrorCode(error));
  return isDenied ? error.with({ outcome: "unknown", hint: HINT }) : error;
}

/**
 * The outcome of an earlier call with the same key, for a call that sends nothing itself.
 * Undefined if there was none, or if the call has no key.
 */
export async function earlierOutcome(settings: Settings, call: Call): Promise<Outcome | undefined> {
  if (call.spec === undefined || call.request.isDry === true || !isKeyed(call)) return undefined;
  if (settings.journal?.peek !== undefined) return peekAtKey(settings, call);
  return isKeyKeptUpstream(call) ? "unknown" : undefined;
}

/**
 * Adds the outcome of an earlier call with the same key to the error of a call that sends
 * nothing.
 */
export function withEarlier(error: CallError, outcome: Outcome | undefined): CallError {
  return outcome === undefined ? error : error.with({ outcome, hint: HINT });
}

/**
 * A call that failed before it reached the journal must not report `not_applied`, because an
 * earlier call with its key may have been applied.
 */
export async function noteEarlierCall(settings: Settings, call: Call): Promise<void> {
  const { error, result } = call;
  if (error?.details.outcome !== "not_applied" || result !== undefined) return;
  // If the upstream keeps the keys and refuses the call, it knows about earlier calls.
  const isAnswered = settings.journal?.peek === undefined && withoutAnswer(error) === error;
  if (!isAnswered) call.error = withEarlier(error, await earlierOutcome(settings, call));
}
