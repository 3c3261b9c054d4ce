import { briefText } from "@waybill/core";
import { failureResult, successResult } from "@waybill/core/protocol";
import { isRecord } from "@waybill/core/schema";
import type { ResultEnvelope, ResultError } from "@waybill/core";
import type { WaitingSummary } from "./approvals.ts";

type Members = Readonly<Record<string, unknown>>;

/** Details of a failure that are shown in brief text. */
const TOLD = ["outcome", "retry_after_ms", "hint", "writes", "key", "approve", "logs"];

/** This sentence is removed from the message, because brief text shows the outcome after it. */
const SAID = /[\s.]*Nothing was applied\.$/u;

/**
 * Examples of waiting writes, as in `branch.delete name=hello branch=a, b, c`. Inputs that are the
 * same in all examples are written once.
 */
function waitingText({ capability_id, examples }: WaitingSummary): string {
  const rows = examples.filter(isRecord);
  const members = Object.keys(rows[0] ?? {}).map((name) => {
    const values = new Set(rows.map((row) => cellText(row[name])));
    return `${name}=${[...values].join(", ")}`;
  });
  return [capability_id, ...members].join(" ");
}

function cellText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** Whether all writes were refused. Then the outcome after the message already says so. */
function areAllRefused(writes: unknown): boolean {
  return isRecord(writes) && Object.keys(writes).every((outcome) => outcome === "not_applied");
}

function shortError({ code, message, retryable, details = {} }: ResultError): ResultError {
  const { waiting } = details;
  const told = Object.entries(details).filter(
    ([name, value]) => TOLD.includes(name) && !(name === "writes" && areAllRefused(value)),
  );
  const short = {
    ...Object.fromEntries(told),
    ...(Array.isArray(waiting) && { waiting: (waiting as WaitingSummary[]).map(waitingText) }),
  };
  return { code, message: message.replace(SAID, ""), retryable, details: short };
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
