import { SEPARATOR, readCell } from "./cell.ts";
import { readErrorLine } from "./error-line.ts";
import type { ShownError } from "./error-line.ts";
import { readMetaLines } from "./meta-lines.ts";
import { readTable } from "./table.ts";

/** The result of `parseBrief`. */
export interface ParsedBrief {
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** The data of a success, otherwise null. */
  readonly data: unknown;
  /** The error of a failure, otherwise null. */
  readonly error: ShownError | null;
  /** The part of the envelope's meta that the text has. `left_out` names omitted columns. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The result of `parseBriefChain`. */
export interface ParsedBriefChain {
  /** Whether all steps succeeded. */
  readonly ok: boolean;
  /** Why the chain failed, or its first failed step. */
  readonly error: ShownError | null;
  /** The answers of the steps, in order. */
  readonly results: readonly ParsedBrief[];
}

function parseSuccess(text: string): ParsedBrief {
  const end = text.indexOf("\n\n");
  const body = end < 0 ? text : text.slice(0, end);
  const meta = end < 0 ? {} : readMetaLines(text.slice(end + 2).split("\n"));
  const lines = body.split("\n");
  if (lines.length === 1) return { ok: true, data: readCell(body), error: null, meta };
  const { data, leftOut } = readTable(lines);
  const all = leftOut.length > 0 ? { ...meta, left_out: leftOut } : meta;
  return { ok: true, data, error: null, meta: all };
}

/**
 * Reads a brief text: whether the call succeeded, the data or the error, and the part of the meta
 * that it has.
 *
 * @example
 * ```ts
 * import { parseBrief } from "@waybill/core";
 *
 * console.log(parseBrief("!NOT_FOUND No issue 9").error);
 * ```
 *
 * ```text
 * { code: 'NOT_FOUND', message: 'No issue 9' }
 * ```
 */
export function parseBrief(text: string): ParsedBrief {
  const trimmed = text.replace(/\r?\n$/u, "");
  if (!trimmed.startsWith("!")) return parseSuccess(trimmed);
  const { error, meta } = readErrorLine(trimmed);
  return { ok: false, data: null, error, meta: { ...meta } };
}

/** Reads the brief text of a chain: one result per step, in their order. */
export function parseBriefChain(text: string): ParsedBriefChain {
  const [first = "", ...others] = text.split(`\n${SEPARATOR}\n`);
  if (!first.startsWith("!"))
    return { ok: true, error: null, results: [first, ...others].map(parseBrief) };
  return { ok: false, error: parseBrief(first).error, results: others.map(parseBrief) };
}
