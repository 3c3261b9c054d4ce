import { isRecord } from "@waybill/core/schema";
import type { ResultEnvelope, ResultError } from "@waybill/core";

interface WaitingSummary {
  readonly capability_id: string;
  readonly examples: readonly unknown[];
}

type Row = Readonly<Record<string, unknown>>;

function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** A text is written as it is unless it could be taken for something else. */
function cell(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const isPlain = value !== "" && !/[\t\n\r"]/u.test(value) && !isJson(value);
  return isPlain ? value : JSON.stringify(value);
}

function isJson(text: string): boolean {
  return /^(?:-?\d|true$|false$|null$|[[{"])/u.test(text);
}

/** Rows that have the same members, none of them nested. */
function isTable(value: unknown): value is readonly Row[] {
  if (!Array.isArray(value) || value.length < 2 || !value.every(isRecord)) return false;
  const [first] = value as Row[];
  const names = Object.keys(first!).join("\t");
  return (
    names !== "" &&
    (value as Row[]).every(
      (row) => Object.keys(row).join("\t") === names && Object.values(row).every(isScalar),
    )
  );
}

function tableText(rows: readonly Row[]): string {
  const lines = rows.map((row) => Object.values(row).map(cell).join("\t"));
  return [Object.keys(rows[0]!).join("\t"), ...lines].join("\n");
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "ok";
  if (isTable(value)) return tableText(value);
  return typeof value === "string" && !value.startsWith("!") ? value : JSON.stringify(value);
}

/** `branch.delete name=hello branch=a, b, c`: what is the same in all examples is said once. */
function waitingText({ capability_id, examples }: WaitingSummary): string {
  const rows = examples.filter(isRecord);
  const names = Object.keys(rows[0] ?? {});
  const members = names.map((name) => {
    const values = [...new Set(rows.map((row) => cell(row[name] ?? null)))];
    return `${name}=${values.join(", ")}`;
  });
  return [capability_id, ...members].join(" ");
}

/** Details of a failure that are worth their tokens. */
const TOLD = ["writes", "key", "approve", "logs"];

function failureText({ code, message, details }: ResultError): string {
  const own = isRecord(details) ? details : {};
  const waiting = Array.isArray(own["waiting"]) ? (own["waiting"] as WaitingSummary[]) : [];
  const more = TOLD.filter((name) => own[name] !== undefined).map((name) => {
    const value = own[name];
    return `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
  });
  return [`!${code} ${message}`, ...waiting.map(waitingText), ...more].join("\n");
}

/**
 * The answer of a run for a reader who pays per token: what the program logged and returned, a list
 * of flat rows as a table. A failure starts with `!` and its code.
 */
export function codeText(result: ResultEnvelope): string {
  if (!result.ok) return failureText(result.error);
  const { value, logs, writes, waiting } = (isRecord(result.data) ? result.data : {}) as Row;
  const { truncated, handle, warnings = [] } = result.meta;
  const rest = {
    ...(writes !== undefined && { writes }),
    ...(waiting !== undefined && { waiting }),
    ...(truncated === true && { truncated, handle, next: result.meta.next }),
  };
  return [
    ...(Array.isArray(logs) ? (logs as string[]) : []),
    valueText(value),
    ...warnings.map((text) => `note: ${text}`),
    ...(Object.keys(rest).length > 0 ? [JSON.stringify(rest)] : []),
  ].join("\n");
}
