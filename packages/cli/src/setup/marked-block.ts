import { refuseFile } from "./piece.ts";
import type { Piece } from "./piece.ts";

/** The comment lines before and after the block. */
export interface Marks {
  readonly begin: string;
  readonly end: string;
}

const NOTE = "written by waybill setup, removed by waybill setup --remove";
const MARKDOWN: Marks = {
  begin: `<!-- waybill:begin (${NOTE}) -->`,
  end: "<!-- waybill:end -->",
};
export const HASH: Marks = { begin: `# waybill:begin (${NOTE})`, end: "# waybill:end" };

/** Whether a Markdown text has the block of `setup`. */
export function hasBlock(text: string): boolean {
  return text.includes(MARKDOWN.begin);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The position of the block, including its indentation and final line break. */
export function findBlock(path: string, text: string, { begin, end }: Marks): Span | undefined {
  const start = text.indexOf(begin);
  const close = text.indexOf(end);
  if (start < 0 && close < 0) return undefined;
  const isWhole = start >= 0 && close > start && text.lastIndexOf(begin) === start;
  if (!isWhole) {
    const why = "has an incomplete or repeated block of waybill setup";
    throw refuseFile(
      path,
      why,
      "Remove the lines with waybill:begin and waybill:end, then run this again",
    );
  }
  const after = close + end.length;
  const [lineBreak] = /^\r?\n/.exec(text.slice(after)) ?? [""];
  return { start: text.lastIndexOf("\n", start) + 1, end: after + lineBreak.length };
}

export function blockText(content: string, marks: Marks, eol: string): string {
  return [marks.begin, ...content.split("\n"), marks.end, ""].join(eol);
}

/** A part of a text file between two marks. Everything around it stays unchanged. */
export function markedBlock(path: string, content: string, marks = MARKDOWN): Piece {
  return {
    path,
    add(before = "") {
      const eol = before.includes("\r\n") ? "\r\n" : "\n";
      const block = blockText(content, marks, eol);
      const span = findBlock(path, before, marks);
      if (span !== undefined) {
        return before.slice(0, span.start) + block + before.slice(span.end);
      }
      return before === "" ? block : before + eol + block;
    },
    remove(before) {
      const span = findBlock(path, before, marks);
      if (span === undefined) return before;
      const rest = before.slice(0, span.start).replace(/\r?\n$/, "") + before.slice(span.end);
      return rest === "" ? undefined : rest;
    },
  };
}
