import type { Language } from "../../graph/index.ts";

/** Values of attributes may hold `>`, as types do. */
const SCRIPT = /<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const SCRIPT_END = /<\/script\s*>/gi;
const FRONTMATTER = /^\uFEFF?\s*---\r?\n([\s\S]*?)\r?\n---/;
const NOT_A_LINE_END = /[^\r\n]/g;
const SOURCE = /\ssrc\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'>]+?)(?=\/?$|\s))/i;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/|\{)/i;

/** A script of a component that stands in a file of its own. */
export interface ScriptSource {
  readonly specifier: string;
  readonly start: number;
  /** Beside what a compiler takes in there may be tags that only a browser reads. */
  readonly optional: boolean;
}

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

/** `<script src="./x.ts">`. */
export function scriptSources(language: Language, text: string): ScriptSource[] {
  return [...scriptTags(text)].flatMap(({ index, attributes }) => {
    const [, double, single, bare] = SOURCE.exec(attributes) ?? [];
    const specifier = double ?? single ?? bare;
    if (specifier === undefined || ELSEWHERE.test(specifier) || isComment(text, index)) return [];
    const isRelative = specifier.startsWith(".");
    if (language !== "vue" && !isRelative) return [];
    return [{ specifier, start: index, optional: language !== "vue" }];
  });
}

const isComment = (text: string, index: number): boolean =>
  text.lastIndexOf("<!--", index) > text.lastIndexOf("-->", index);

const blank = (text: string): string => text.replace(NOT_A_LINE_END, " ");

function spansOf(language: Language, text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  const front = language === "astro" ? FRONTMATTER.exec(text) : null;
  if (front) {
    const start = text.indexOf(front[1] ?? "", 3);
    spans.push({ start, end: start + (front[1] ?? "").length });
  }
  for (const { start, end } of scriptTags(text)) {
    if (end > start && start >= (spans.at(-1)?.end ?? 0)) spans.push({ start, end });
  }
  return spans;
}

interface ScriptTag {
  readonly index: number;
  readonly attributes: string;
  /** Of what stands in it; nothing does where the tag closes itself. */
  readonly start: number;
  readonly end: number;
}

function* scriptTags(text: string): Generator<ScriptTag> {
  let end = 0;
  for (const { 0: tag, 1: attributes = "", index } of text.matchAll(SCRIPT)) {
    const start = index + tag.length;
    if (index < end) continue;
    SCRIPT_END.lastIndex = start;
    const isClosed = attributes.endsWith("/");
    const closing = isClosed ? undefined : SCRIPT_END.exec(text)?.index;
    if (!isClosed && closing === undefined) return;
    end = closing ?? start;
    yield { index, attributes, start, end };
  }
}
