import { CallError } from "../envelope/index.ts";
import { SEPARATOR, readCell } from "./cell.ts";
import { readErrorLine } from "./error-line.ts";
import type { ShownError } from "./error-line.ts";
import { readLeftOut } from "./header.ts";
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
  /**
   * The metadata in the text, as members of the envelope's `meta`. `left_out` names omitted
   * fields.
   */
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

const BRIEF_VERSION = 1;
/**
 * A later version of brief text will start with a line such as `!brief 2`. Version 1 has no such
 * line, to save tokens in every answer. The line cannot be an error, because error codes are in
 * capitals.
 */
const VERSION_LINE = /^!brief (\d+)(?:\r?\n|$)/u;

function assertKnownVersion(text: string): void {
  const found = VERSION_LINE.exec(text)?.[1];
  if (found === undefined) return;
  const known = `this Waybill reads version ${BRIEF_VERSION}`;
  const message = `This text has version ${found} of the brief format, but ${known}. Update Waybill to read it`;
  throw new CallError("VALIDATION_ERROR", message);
}

/** Reads one value, which may be followed by a tab and the names of omitted fields. */
function readLine(line: string): ReturnType<typeof readTable> {
  const [value = "", leftOut] = line.split("\t");
  return { data: readCell(value), leftOut: leftOut === undefined ? [] : readLeftOut(leftOut) };
}

function parseSuccess(text: string): ParsedBrief {
  const end = text.indexOf("\n\n");
  const body = end < 0 ? text : text.slice(0, end);
  const meta = end < 0 ? {} : readMetaLines(text.slice(end + 2).split("\n"));
  const lines = body.split("\n");
  const { data, leftOut } = lines.length === 1 ? readLine(body) : readTable(lines);
  const all = leftOut.length > 0 ? { ...meta, left_out: leftOut } : meta;
  return { ok: true, data, error: null, meta: all };
}

/**
 * Reads a brief text: whether the call succeeded, the data or the error, and the part of the meta
 * that it has. Throws a CallError for text of a version that is newer than this Waybill.
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
  assertKnownVersion(text);
  const trimmed = text.replace(/\r?\n$/u, "");
  if (!trimmed.startsWith("!")) return parseSuccess(trimmed);
  const { error, meta } = readErrorLine(trimmed);
  return { ok: false, data: null, error, meta: { ...meta } };
}

/** Reads the brief text of a chain: one result per step, in their order. */
export function parseBriefChain(text: string): ParsedBriefChain {
  assertKnownVersion(text);
  const [first = "", ...others] = text.split(`\n${SEPARATOR}\n`);
  if (!first.startsWith("!"))
    return { ok: true, error: null, results: [first, ...others].map(parseBrief) };
  return { ok: false, error: parseBrief(first).error, results: others.map(parseBrief) };
}
