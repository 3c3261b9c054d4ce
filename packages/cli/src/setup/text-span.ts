export interface Span {
  readonly start: number;
  readonly end: number;
}

function lineBreakAfter(text: string, end: number): number {
  return end + (/^\r?\n/.exec(text.slice(end))?.[0].length ?? 0);
}

function appended(text: string, content: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return text === "" ? content + eol : text + eol + content + eol;
}

/**
 * Replaces a part of the text, appends it if the text does not have it, or removes it with the line
 * break before it that appending added.
 */
export function withSpan(
  text: string,
  span: Span | undefined,
  content: string | undefined,
): string {
  if (content !== undefined) {
    return span === undefined
      ? appended(text, content)
      : text.slice(0, span.start) + content + text.slice(span.end);
  }
  if (span === undefined) return text;
  const rest = text.slice(lineBreakAfter(text, span.end));
  return text.slice(0, span.start).replace(/\r?\n$/, "") + rest;
}
