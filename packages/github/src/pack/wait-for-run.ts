import { setTimeout as sleep } from "node:timers/promises";
import {
  ERROR_CODES,
  defineOperation,
  agentErrorCode,
  errorFromUnknown,
  fail,
} from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type {
  CallError,
  JsonSchema,
  Operation,
  OperationContext,
  OperationSummary,
} from "@waybill/core";
import type { CardKit } from "@waybill/core/cards";

const VIEW = "workflow.run.view";
const FIRST_MS = 2_000;
const LONGEST_MS = 15_000;
/** Time reserved for the last read of the run before the caller's deadline, in milliseconds. */
const MARGIN_MS = 500;
/** Time reserved for the answer before the caller's deadline, in milliseconds. */
const ANSWER_MS = 100;
const SECOND = 1_000;

const INPUT = {
  type: "object",
  required: ["owner", "name", "runId"],
  properties: {
    owner: { type: "string" },
    name: { type: "string" },
    runId: { type: "integer", minimum: 1 },
    timeoutSeconds: { type: "integer", minimum: 1, maximum: 21_600, default: 600 },
  },
} as const;

type Run = Readonly<Record<string, unknown>>;

/** The result of the last read: the run, or the error. */
interface Seen {
  readonly run?: Run;
  readonly error?: CallError;
}

function isCompleted({ run }: Seen): boolean {
  return run?.["status"] === "COMPLETED";
}

/** A temporary failure does not end the wait; any other one does. */
async function lookAt(context: OperationContext, input: Run, before: Seen): Promise<Seen> {
  try {
    const { data } = await context.look(VIEW, input);
    return isRecord(data) ? { run: data } : before;
  } catch (thrown) {
    const error = errorFromUnknown(thrown);
    if (context.signal.aborted || !ERROR_CODES[agentErrorCode(error)].retryable) throw error;
    return { ...before, error };
  }
}

/**
 * A read that would end after the caller's deadline is dropped, and the result of the previous one
 * is returned.
 */
async function lookInTime(context: OperationContext, input: Run, before: Seen): Promise<Seen> {
  const looking = lookAt(context, input, before);
  if (before.run === undefined || context.deadline === undefined) return looking;
  const timer = new AbortController();
  const left = context.deadline - ANSWER_MS - Date.now();
  try {
    return await Promise.race([looking, sleep(left, before, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}

function pauseAfter(delay: number, { error }: Seen): number {
  return Math.max(delay, error?.details.retry_after_ms ?? 0);
}

function notReady({ run, error }: Seen): CallError {
  if (run === undefined && error !== undefined) return error;
  const status = run?.["status"];
  const state = typeof status === "string" ? status.toLowerCase() : "under way";
  const hint = "call workflow.run.wait again to continue waiting";
  return fail("NOT_READY", `The run is still ${state}; ${hint}`, { partial: run, hint });
}

async function waitForRun(
  { timeoutSeconds, ...input }: Run,
  context: OperationContext,
): Promise<Run> {
  const limit = Date.now() + Number(timeoutSeconds) * SECOND;
  const end = Math.min(limit, (context.deadline ?? Infinity) - MARGIN_MS);
  let seen: Seen = {};
  for (let delay = FIRST_MS; ; delay = Math.min(delay * 1.5, LONGEST_MS)) {
    seen = await lookInTime(context, input, seen);
    if (isCompleted(seen)) return seen.run!;
    const left = end - Date.now();
    if (left <= 0) throw notReady(seen);
    await sleep(Math.min(pauseAfter(delay, seen), left), undefined, { signal: context.signal });
  }
}

/**
 * The summary of `workflow.run.wait` in lists. It is separate, so that lists do not load the card
 * that this operation calls.
 */
export const WAIT_SUMMARY = {
  id: "workflow.run.wait",
  description: "Wait until a workflow run is completed, and show it",
  effect: "read",
  idempotent: true,
  kind: "call",
  parameters: Object.keys(INPUT.properties),
} as const satisfies OperationSummary;

/** Waits for a run by calling a card repeatedly, which a card itself cannot do. */
export function waitOperation({ normaliseInput }: CardKit, output: JsonSchema): Operation {
  const { id, description, effect } = WAIT_SUMMARY;
  const { spec, run } = defineOperation({
    id,
    description,
    effect,
    input: INPUT,
    output,
    handler: (input, context) => waitForRun(input, context),
  });
  return {
    run,
    spec: { ...spec, normaliseInput: (params) => normaliseInput?.(params, spec) ?? params },
  };
}
