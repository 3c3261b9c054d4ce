import { briefText } from "@waybill/core";
import { failureResult, successResult } from "@waybill/core/protocol";
import { isRecord } from "@waybill/core/schema";
import type { ResultEnvelope, ResultError } from "@waybill/core";
import { countText } from "./answer.ts";
import type { WaitingSummary } from "./approvals.ts";

type Members = Readonly<Record<string, unknown>>;

/** Details of a failure that are shown in brief text. */
const TOLD = ["outcome", "retry_after_ms", "hint", "writes", "key", "approve", "logs"];

/** This sentence is removed from the message, because brief text shows the outcome separately. */
const SAID = /(?<![\s.])[\s.]*Nothing was applied\.$/u;

/** Inputs that name a repository, as programs write them: `octo/hello`. */
function withReference({ owner, name, ...others }: Members): Members {
  const isRepository = typeof owner === "string" && typeof name === "string";
  if (isRepository) return { "": `${owner}/${name}`, ...others };
  return { ...(owner !== undefined && { owner }), ...(name !== undefined && { name }), ...others };
}

/**
 * The number of waiting writes and examples, as in `41 × branch.delete (octo/hello branch=a, b, c,
 * …)`. Inputs that are the same in all examples are written once.
 */
function waitingText({ capability_id, count, examples }: WaitingSummary): string {
  const rows = examples.filter(isRecord).map(withReference);
  const members = Object.keys(rows[0] ?? {}).map((name) => {
    const values = new Set(rows.map((row) => cellText(row[name])));
    return `${name}${name === "" ? "" : "="}${[...values].join(", ")}`;
  });
  const more = count > rows.length ? ", …" : "";
  return `${count} × ${capability_id} (${members.join(" ")}${more})`;
}

function cellText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** Whether all writes were refused. If so, the outcome after the message already says it. */
function areAllRefused(writes: unknown): boolean {
  return isRecord(writes) && Object.keys(writes).every((outcome) => outcome === "not_applied");
}

/** The message with examples of the writes that wait. */
function messageText({ message, details = {} }: ResultError): string {
  const short = message.replace(SAID, "");
  const waiting = Array.isArray(details["waiting"]) ? (details["waiting"] as WaitingSummary[]) : [];
  const counted = countText(waiting);
  const isCounted = waiting.length > 0 && short.startsWith(counted);
  return isCounted ? waiting.map(waitingText).join(", ") + short.slice(counted.length) : short;
}

function shortError(error: ResultError): ResultError {
  const { code, retryable, details = {} } = error;
  const told = Object.entries(details).filter(
    ([name, value]) => TOLD.includes(name) && !(name === "writes" && areAllRefused(value)),
  );
  return { code, message: messageText(error), retryable, details: Object.fromEntries(told) };
}

/**
 * The answer of a run as brief text: the returned value, then the log and remaining steps.
 * `parseBrief` reads it.
 */
export function codeText(result: ResultEnvelope): string {
  if (!result.ok) return briefText(failureResult(shortError(result.error), result.meta));
  const { value, ...facts } = (isRecord(result.data) ? result.data : {}) as Members;
  return briefText(successResult(value ?? null, result.meta), { facts });
}
