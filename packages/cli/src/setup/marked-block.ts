import { refuseFile } from "./piece.ts";
import type { Piece } from "./piece.ts";
import { withSpan } from "./text-span.ts";
import type { Span } from "./text-span.ts";

const BEGIN =
  "<!-- waybill:begin (written by waybill setup, removed by waybill setup --remove) -->";
const END = "<!-- waybill:end -->";

/** Whether a Markdown text has the block of `setup`. */
export function hasBlock(text: string): boolean {
  return text.includes(BEGIN);
}

/** The position of the block, including its indentation and final line break. */
function findBlock(path: string, text: string): Span | undefined {
  const start = text.indexOf(BEGIN);
  const close = text.indexOf(END);
  if (start < 0 && close < 0) return undefined;
  const isWhole = start >= 0 && close > start && text.lastIndexOf(BEGIN) === start;
  if (!isWhole) {
    const why = "has an incomplete or repeated block of waybill setup";
    throw refuseFile(
      path,
      why,
      "Remove the lines with waybill:begin and waybill:end, then run this again",
    );
  }
  return { start: text.lastIndexOf("\n", start) + 1, end: close + END.length };
}

/** A part of a Markdown file between two comments. Everything around it stays unchanged. */
export function markedBlock(path: string, content: string): Piece {
  return {
    path,
    add(before = "") {
      const eol = before.includes("\r\n") ? "\r\n" : "\n";
      const block = [BEGIN, ...content.split("\n"), END].join(eol);
      return withSpan(before, findBlock(path, before), block);
    },
    remove(before) {
      const after = withSpan(before, findBlock(path, before), undefined);
      return after === "" ? undefined : after;
    },
  };
}
