import { briefResult, briefToolEnvelope, isRecord } from "../envelope/index.ts";
import type { BriefMeta, ResultEnvelope, ResultMeta, ToolEnvelope } from "../envelope/index.ts";
import { cellText } from "./cell.ts";
import { errorLine } from "./error-line.ts";
import { leftOutText } from "./header.ts";
import { metaLines } from "./meta-lines.ts";
import type { ShownMeta } from "./meta-lines.ts";
import { unshown } from "./standing-warnings.ts";
import { tableText } from "./table.ts";

/** How an answer is written as text. */
export interface BriefTextOptions {
  /** The columns of a list to show (default: all). */
  readonly columns?: readonly string[];
  /**
   * Standing warnings that the reader has already seen, such as `Answered by the embedded
   * GitHub`. They are not repeated. Warnings that are shown are added to this set (default: all
   * are shown).
   */
  readonly shown?: Set<string>;
  /**
   * More facts to write after the data, one per line. `parseBrief` returns them in `meta`
   * (default: none).
   */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/**
 * A table is used only if its length is below this share of the JSON's length, because a table
 * may have more tokens per character.
 */
const WORTH_IT = 0.8;

/**
 * Writes the data as a table if that is clearly shorter than JSON. Both forms name the fields
 * that were left out.
 */
function dataText(
  data: unknown,
  { columns }: BriefTextOptions,
  leftOut: readonly string[],
): string {
  const value = cellText(data ?? null);
  const json = leftOut.length === 0 ? value : `${value}\t${leftOutText(leftOut)}`;
  const table = tableText(data, columns, leftOut);
  return table === undefined || table.length > json.length * WORTH_IT ? json : table;
}

/**
 * Removes the pagination members of a list, because a line after the data says whether there is
 * more.
 */
function withoutPageInfo(data: unknown, { pagination }: ResultMeta): unknown {
  if (pagination === undefined || !isRecord(data) || !Array.isArray(data["items"])) return data;
  const { pageInfo: _told, ...rest } = data;
  return rest;
}

function successText(data: unknown, meta: ShownMeta, options: BriefTextOptions): string {
  const { warnings, left_out: leftOut = [], ...others } = meta as BriefMeta;
  const told = { ...options.facts, ...others };
  const lines = metaLines(
    warnings === undefined ? told : { ...told, warnings: unshown(warnings, options.shown) },
  );
  const text = dataText(data, options, leftOut);
  return lines.length === 0 ? text : `${text}\n\n${lines.join("\n")}`;
}

/**
 * Writes an answer as text with few tokens. A failure is one line that starts with `!` and its
 * code. A list of rows is a table with tabs. Everything else is compact JSON. `parseBrief` reads
 * the text.
 *
 * @example
 * ```ts
 * import { briefText, createWaybill, defineOperation } from "@waybill/core";
 *
 * const list = defineOperation({
 *   id: "city.list",
 *   description: "List cities",
 *   effect: "read",
 *   handler: () => [
 *     { name: "Bern", country: "CH" },
 *     { name: "Basel", country: "CH" },
 *   ],
 * });
 * const result = await createWaybill({ operations: [list] }).execute("city.list", {});
 * console.log(briefText(result));
 * ```
 *
 * ```text
 * :[]
 * name	country=CH
 * Bern
 * Basel
 * ```
 */
export function briefText(envelope: ResultEnvelope, options: BriefTextOptions = {}): string {
  const answer = briefResult(envelope);
  return "error" in answer
    ? errorLine(answer.error, answer.meta)
    : successText(withoutPageInfo(answer.data, envelope.meta), answer.meta ?? {}, options);
}

/** Writes the answer of a code-graph tool as brief text, like `briefText`. */
export function briefToolText(envelope: ToolEnvelope): string {
  const answer = briefToolEnvelope(envelope);
  return "error" in answer
    ? errorLine(answer.error)
    : successText(answer.result, answer.meta ?? {}, {});
}
