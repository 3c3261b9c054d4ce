import type { Language } from "../../graph/index.ts";

const SCRIPT = /<script\b[^>]*>([\s\S]*?)<\/script\s*>/gi;
const FRONTMATTER = /^\uFEFF?\s*---\r?\n([\s\S]*?)\r?\n---/;
const NOT_A_LINE_END = /[^\r\n]/g;

/**
 * The scripts of a component file with everything else blanked out, so that every offset, line and
 * column is that of the file.
 */
export function scriptOf(language: Language, text: string): string {
  if (language === "typescript" || language === "javascript") return text;
  const parts = spansOf(language, text);
  let script = "";
  let end = 0;
  for (const part of parts) {
    script += blank(text.slice(end, part.start)) + text.slice(part.start, part.end);
    end = part.end;
  }
  return script + blank(text.slice(end));
}

const blank = (text: string): string => text.replace(NOT_A_LINE_END, " ");

function spansOf(language: Language, text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  const front = language === "astro" ? FRONTMATTER.exec(text) : null;
  if (front) {
    const start = text.indexOf(front[1] ?? "", 3);
    spans.push({ start, end: start + (front[1] ?? "").length });
  }
  for (const match of text.matchAll(SCRIPT)) {
    const body = match[1] ?? "";
    const start = match.index + match[0].indexOf(">") + 1;
    if (start >= (spans.at(-1)?.end ?? 0)) spans.push({ start, end: start + body.length });
  }
  return spans;
}
