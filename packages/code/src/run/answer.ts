import { errorFromUnknown } from "@waybill/core";
import { applyBudget, failureResult, successResult, toResultError } from "@waybill/core/protocol";
import { isRecord } from "@waybill/core/schema";
import type { ErrorCode, HandleStore, ResultEnvelope, ResultError } from "@waybill/core";
import type { WriteRecord } from "../log/index.ts";
import type { WaitingSummary, WaitingWrite } from "./approvals.ts";
import { DEFAULT_MAX_TOKENS } from "./options.ts";

const CODE_ID = "code.run";

const MAX_EXAMPLES = 3;
const MAX_UNKNOWN = 20;

/** Number of calls by capability. */
type Counts = Record<string, number>;

/** Everything that the answer of a run reports. */
export interface RunSummary {
  readonly key: string;
  /** Whether the run can be resumed with its key. */
  readonly isKept: boolean;
  readonly writes: readonly WriteRecord[];
  readonly waiting: readonly WaitingWrite[];
  readonly logs: readonly string[];
  readonly warnings: readonly string[];
  /**
   * Why the list may be incomplete: the program did not reach its end (default: it is complete).
   */
  readonly unfinished?: string | undefined;
  /** Whether a person has denied the list before (default: false). */
  readonly isDenied?: boolean | undefined;
}

function counts(ids: readonly string[]): Counts {
  const found: Counts = {};
  for (const id of ids) found[id] = (found[id] ?? 0) + 1;
  return found;
}

function idsWith(writes: readonly WriteRecord[], outcome: WriteRecord["outcome"]): string[] {
  return writes.filter((write) => write.outcome === outcome).map(({ id }) => id);
}

/** The outcomes of the writes: `{applied: {"issue.create": 2}, unknown: […]}`. */
function writesSummary(writes: readonly WriteRecord[]): Record<string, unknown> {
  const applied = idsWith(writes, "applied");
  const refused = idsWith(writes, "not_applied");
  const unknown = writes.filter(({ outcome }) => outcome === "unknown");
  return {
    ...(applied.length > 0 && { applied: counts(applied) }),
    ...(refused.length > 0 && { not_applied: counts(refused) }),
    ...(unknown.length > 0 && {
      unknown: unknown.slice(0, MAX_UNKNOWN).map(({ id, input }) => ({ capability_id: id, input })),
    }),
  };
}

/** The writes of a saved program that wait together with it. */
function ownSummary({ id, input, writes }: WaitingWrite): readonly WaitingSummary[] {
  return writes ?? [{ capability_id: id, count: 1, examples: [input] }];
}

export function waitingSummary(waiting: readonly WaitingWrite[]): WaitingSummary[] {
  const byId = new Map<string, WaitingSummary>();
  for (const { capability_id, count, examples } of waiting.flatMap(ownSummary)) {
    const known = byId.get(capability_id);
    byId.set(capability_id, {
      capability_id,
      count: count + (known?.count ?? 0),
      examples: [...(known?.examples ?? []), ...examples].slice(0, MAX_EXAMPLES),
    });
  }
  return [...byId.values()];
}

/** The number of waiting writes by capability: `41 × branch.delete`. */
export function countText(waiting: readonly WaitingSummary[]): string {
  return waiting.map(({ capability_id, count }) => `${count} × ${capability_id}`).join(", ");
}

function buildMeta({ warnings }: RunSummary): { capability_id: string; warnings?: string[] } {
  return { capability_id: CODE_ID, ...(warnings.length > 0 && { warnings: [...warnings] }) };
}

/** The answer of a program that finished. It still lists writes that failed and were ignored. */
export function finishedAnswer(value: unknown, facts: RunSummary, isDry: boolean): ResultEnvelope {
  const { logs, writes, waiting } = facts;
  const hasFailed = writes.some(({ outcome }) => outcome !== "applied");
  // A dry run sends nothing, so these writes were made by an earlier run with the same key.
  const isTold = hasFailed || (isDry && writes.length > 0);
  const data = {
    value,
    ...(logs.length > 0 && { logs }),
    ...(isTold && { writes: writesSummary(writes) }),
    ...(isDry && { waiting: waitingSummary(waiting) }),
  };
  return successResult(data, buildMeta(facts));
}

/** Says how many writes were applied before a run ended early. */
function appliedText(writes: readonly WriteRecord[]): string {
  const applied = idsWith(writes, "applied").length;
  const unknown = idsWith(writes, "unknown").length;
  if (applied === 0 && unknown === 0) return "Nothing was applied.";
  const known = `${applied} ${applied === 1 ? "write was" : "writes were"} applied before that.`;
  return unknown === 0 ? known : `${known} The outcome of ${unknown} is unknown.`;
}

function readOutcome(writes: readonly WriteRecord[]): "applied" | "not_applied" | "unknown" {
  if (writes.some(({ outcome }) => outcome === "unknown")) return "unknown";
  return writes.some(({ outcome }) => outcome === "applied") ? "applied" : "not_applied";
}

const RESUME_WORDS = "repeat it with details.key as idempotency_key";
const RESUME = `To continue, ${RESUME_WORDS}. Writes that were applied are not repeated`;

function factDetails(facts: RunSummary, isResumable: boolean): Record<string, unknown> {
  const { key, isKept, writes, logs } = facts;
  return {
    outcome: readOutcome(writes),
    ...(writes.length > 0 && { writes: writesSummary(writes) }),
    ...(logs.length > 0 && { logs }),
    ...(isKept && isResumable && { key, hint: RESUME }),
  };
}

/** Whether running the same program again can help. */
function mayGoOn(code: ErrorCode, writes: readonly WriteRecord[]): boolean {
  if (writes.some(({ outcome }) => outcome === "unknown")) return true;
  const isPassing = ["TIMEOUT", "NETWORK", "SERVER", "RATE_LIMIT", "NOT_READY", "CANCELLED"];
  return isPassing.includes(code) && writes.length > 0;
}

/**
 * Details that only Waybill sets. They are removed from an error that a program throws, because it
 * could imitate them.
 */
const RUN_DETAILS = new Set(["outcome", "writes", "waiting", "key", "approve", "approval", "logs"]);

function withoutRunDetails(details: unknown): Record<string, unknown> {
  const entries = isRecord(details) ? Object.entries(details) : [];
  return Object.fromEntries(entries.filter(([name]) => !RUN_DETAILS.has(name)));
}

/** The answer of a run that ended early, with the writes that it has made so far. */
export function failedAnswer(error: ResultError, facts: RunSummary): ResultEnvelope {
  const { code, message, details } = error;
  const isSaid = message.endsWith("Nothing was applied.");
  const text = isSaid ? message : `${message}\n${appliedText(facts.writes)}`;
  const more = factDetails(facts, mayGoOn(code, facts.writes));
  const retryable = error.retryable && facts.writes.length === 0;
  return failureResult(
    { code, message: text, retryable, details: { ...withoutRunDetails(details), ...more } },
    buildMeta(facts),
  );
}

function askingAnswer(facts: RunSummary, more: Record<string, unknown>): ResultEnvelope {
  const { waiting, writes, unfinished, isDenied } = facts;
  const listed = waitingSummary(waiting);
  const [first, ...others] = listed;
  const need = first?.count === 1 && others.length === 0 ? "needs" : "need";
  const sentences = [
    `${countText(listed)} ${need} an approval.`,
    ...(isDenied === true ? ["A person denied this list before."] : []),
    ...(unfinished === undefined ? [] : [unfinished]),
    appliedText(writes),
  ];
  const message = sentences.join(" ");
  const details = { ...factDetails(facts, false), waiting: listed, ...more };
  return failureResult({ code: "POLICY", message, retryable: false, details }, buildMeta(facts));
}

/** The answer of a run that waits for an approval. */
export function waitingAnswer(approve: string, id: string, facts: RunSummary): ResultEnvelope {
  const hint = "Once a person agrees, pass approve";
  return askingAnswer(facts, { approve, approval: id, hint });
}

/** The answer of a run that only a person can approve. The agent gets no approval text. */
export function personAnswer(id: string, facts: RunSummary): ResultEnvelope {
  const hint = `A person must approve the list: waybill approvals allow ${id}, or on the page of waybill inspect. Then ${RESUME_WORDS}`;
  return askingAnswer(facts, { key: facts.key, approval: id, hint });
}

/** The answer of a saved program whose list is part of its caller's list. */
export function listedAnswer(list: string, facts: RunSummary): ResultEnvelope {
  return askingAnswer(facts, { waits: true, list });
}

/** Stores the rest of a list that is too long to show. */
export async function withWaitingHandle(
  result: ResultEnvelope,
  waiting: readonly WaitingWrite[],
  handles: HandleStore | undefined,
): Promise<ResultEnvelope> {
  const isLong = waitingSummary(waiting).some(({ count }) => count > MAX_EXAMPLES);
  if (!isLong || handles === undefined) return result;
  const text = JSON.stringify(
    waiting.map(({ id, input, writes }) => ({
      capability_id: id,
      input,
      ...(writes !== undefined && { writes }),
    })),
  );
  const handle = await handles.put(text, { capability_id: CODE_ID }).catch(() => undefined);
  return handle === undefined ? result : { ...result, meta: { ...result.meta, handle } };
}

/** The answer of a run that never started. Nothing is applied. */
export function refusedAnswer(thrown: unknown): ResultEnvelope {
  const options = { requestId: "", isWrite: true, isRepeatable: true };
  const error = toResultError(errorFromUnknown(thrown), options);
  return failureResult(error, { capability_id: CODE_ID });
}

/**
 * Cuts the answer to the requested tokens. Counting tokens takes longer than most runs, so short
 * answers skip it.
 */
export async function fitted(
  result: ResultEnvelope,
  asked: number | undefined,
  handles: HandleStore | undefined,
): Promise<ResultEnvelope> {
  const maxTokens = asked ?? DEFAULT_MAX_TOKENS;
  // A token has at least one byte, so text with fewer bytes than the limit need not be counted.
  const isShort = Buffer.byteLength(JSON.stringify(result)) <= maxTokens;
  if (asked === undefined && isShort) return result;
  return applyBudget(result, maxTokens, { store: handles });
}
