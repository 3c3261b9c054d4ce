import { fail, successResult, thrownMessage, toJson, withWarnings } from "../../envelope/index.ts";
import { uncheckedIn } from "../../registry/index.ts";
import { keyConflict } from "../../router/index.ts";
import type { JournalPeek } from "../../router/index.ts";
import type { Settings } from "../settings.ts";
import type { Call } from "./call.ts";
import { runFor } from "./run-for.ts";
import { isKeyed, journalKey } from "./run-once.ts";
import { routedRequest } from "./run-routes.ts";

function withAccount({ account }: Call, requests: readonly object[]): readonly object[] {
  return account === undefined ? requests : requests.map((each) => ({ account, ...each }));
}

async function plannedRequests(settings: Settings, call: Call): Promise<readonly object[]> {
  const run = await runFor(call);
  if (run.kind === "routed") return withAccount(call, await run.dryRun(routedRequest(call)));
  if (run.kind === "steps") return settings.steps.describe(settings, call, run);
  if (run.kind === "code") return settings.programs.describe(settings, call, run);
  return [{ route: "local", operation: call.operationId, input: jsonInput(call) }];
}

/** A local function accepts any value, but a dry run can only show JSON. */
function jsonInput({ input, operationId }: Call): unknown {
  try {
    return toJson(input).value;
  } catch (cause) {
    const why = thrownMessage(cause);
    const message = `A dry run cannot show the input of ${operationId}: ${why}. Pass plain JSON`;
    throw fail("VALIDATION", message, { outcome: "not_applied" }, { cause });
  }
}

/**
 * Warnings for a dry run with a key that was used before. They say what a real call would do
 * instead of sending.
 */
const KEY_NOTES: Readonly<Record<JournalPeek, string | undefined>> = {
  free: undefined,
  // The input of a step that refers to other steps is incomplete, so it cannot be compared.
  conflict: "This key was used before. A call with it sends nothing new if its input is the same",
  settled: "This key was used before. A call with it sends nothing and returns the recorded result",
  in_flight: "A call with this key is running. Another one waits for its result",
  unknown:
    "The outcome of an earlier call with this key is unknown. A call with it first checks whether the write was applied",
};

async function peekKey({ journal }: Settings, call: Call): Promise<JournalPeek> {
  if (journal?.peek === undefined || !isKeyed(call)) return "free";
  const key = await journalKey(call);
  const state = await journal.peek(key);
  if (state === "conflict" && call.request.isPending !== true) throw keyConflict(key);
  return state;
}

/** Shows what would be sent, and sends nothing. */
export async function describeDryRun(settings: Settings, call: Call): Promise<void> {
  const planned = await plannedRequests(settings, call);
  const keyed = await peekKey(settings, call);
  const requests = keyed === "settled" ? [] : planned;
  const note = KEY_NOTES[keyed];
  const data = { requests: requests.map((request) => settings.redactor.value(request)) };
  const reason = call.entry?.run?.kind === "routed" ? ({ reason: "DEFAULT_POLICY" } as const) : {};
  const result = successResult(data, { capability_id: call.operationId, ...reason });
  const unchecked = call.schemas === undefined ? [] : uncheckedIn(call.schemas);
  const notes = note === undefined ? [] : [note];
  call.result = withWarnings(result, [...notes, ...(call.warnings ?? []), ...unchecked]);
}
