import type { Language } from "../../graph/index.ts";

const SCRIPT = /<script\b/gi;
const QUOTE_OR_END = /["'>]/g;
const SCRIPT_END = /<\/script\s*>/gi;
const FRONTMATTER = /^\uFEFF?\s*---\r?\n([\s\S]*?)\r?\n---/;
const NOT_A_LINE_END = /[^\r\n]/g;
const SOURCE = /\ssrc\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'>]+?)(?=\/?$|\s))/i;
/** The most scripts in a component, as a limit against hostile files. */
const MAX_SOURCES = 100;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/|\{)/i;

/** A script of a component in a separate file. */
export interface ScriptSource {
  readonly specifier: string;
  readonly start: number;
  /** Whether the file may be missing: some tags are only for the browser, not for the compiler. */
  readonly optional: boolean;
}

/**
 * The scripts of a component file. Everything else is replaced by spaces, so that offsets, lines
 * and columns stay the same.
 */
export function getScript(language: Language, text: string): string {
  if (language === "typescript" || language === "javascript") return text;
  const parts = getSpans(language, text);
  let script = "";
  let end = 0;
  for (const part of parts) {
    script += blank(text.slice(end, part.start)) + text.slice(part.start, part.end);
    end = part.end;
  }
  return script + blank(text.slice(end));
}

const STYLE = /<style\b[^>]*>[\s\S]*?<\/style\s*>/gi;

/** The part of a component file outside of its scripts and styles. */
export function findTemplate(language: Language, text: string): string | undefined {
  if (language === "typescript" || language === "javascript") return undefined;
  let template = "";
  let end = 0;
  for (const part of getSpans(language, text)) {
    template += text.slice(end, part.start);
    end = part.end;
  }
  return (template + text.slice(end)).replaceAll(STYLE, "");
}

/** Reads `<script src="./x.ts">`. */
export function scriptSources(language: Language, text: string): ScriptSource[] {
  const found: ScriptSource[] = [];
  for (const { index, attributes } of scriptTags(text)) {
    const specifier = sourceIn(attributes);
    if (specifier === undefined || ELSEWHERE.test(specifier)) continue;
    if (language !== "vue" && !specifier.startsWith(".")) continue;
    if (found.push({ specifier, start: index, optional: language !== "vue" }) >= MAX_SOURCES) break;
  }
  return found.filter(({ start }) => !isComment(text, start));
}

function sourceIn(attributes: string): string | undefined {
  const [, double, single, bare] = SOURCE.exec(attributes) ?? [];
  return double ?? single ?? bare;
}

const isComment = (text: string, index: number): boolean =>
  text.lastIndexOf("<!--", index) > text.lastIndexOf("-->", index);

const blank = (text: string): string => text.replace(NOT_A_LINE_END, " ");

function getSpans(language: Language, text: string): { start: number; end: number }[] {
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
  /** The position where the content starts. If the tag closes itself, it equals `end`. */
  readonly start: number;
  readonly end: number;
}

function* scriptTags(text: string): Generator<ScriptTag> {
  let end = 0;
  for (const { 0: name, index } of text.matchAll(SCRIPT)) {
    if (index < end) continue;
    const start = endOfTag(text, index + name.length);
    if (start === undefined) return;
    const attributes = text.slice(index + name.length, start - 1);
    const closing = attributes.endsWith("/") ? start : endOfScript(text, start);
    if (closing === undefined) return;
    end = closing;
    yield { index, attributes, start, end };
  }
}

/** The position after the `>` of a tag. Attribute values may contain `>` too, as in types. */
function endOfTag(text: string, from: number): number | undefined {
  QUOTE_OR_END.lastIndex = from;
  for (let met = QUOTE_OR_END.exec(text); met; met = QUOTE_OR_END.exec(text)) {
    if (met[0] === ">") return met.index + 1;
    const closing = text.indexOf(met[0], met.index + 1);
    if (closing < 0) return undefined;
    QUOTE_OR_END.lastIndex = closing + 1;
  }
  return undefined;
}

function endOfScript(text: string, from: number): number | undefined {
  SCRIPT_END.lastIndex = from;
  return SCRIPT_END.exec(text)?.index;
}
