import type { GapFact, Request } from "./facts.ts";
import type { Lines } from "./lines.ts";

const STATEMENT =
  /^[ \t]*(import|export)\b(?!\s*\()(?:[^"'`;()]{0,4000}?\bfrom)?\s*(["'])([^"'\n]{1,1000})\2/gm;

/**
 * The import statements of a file that cannot be parsed, found by text search. They are marked as
 * likely, and the file as partial.
 */
export function recoverRequests(text: string, lines: Lines, known: readonly Request[]): Request[] {
  const requests: Request[] = [];
  const isKnown = new Set(known.map(({ line, specifier }) => `${line} ${specifier}`));
  for (const match of text.matchAll(STATEMENT)) {
    const start = match.index + match[0].search(/\S/);
    const specifier = match[3] ?? "";
    if (isKnown.has(`${lines.lineOf(start)} ${specifier}`)) continue;
    requests.push({
      specifier,
      kind: match[1] === "import" ? "import" : "reexport",
      line: lines.lineOf(start),
      column: lines.columnOf(start),
      typeOnly: /^\s*(?:import|export)\s+type\b/.test(match[0]),
      confidence: "likely",
      names: [{ name: "*", typeOnly: false }],
    });
  }
  return requests;
}

export function syntaxGap(message: string, line: number): GapFact {
  return { kind: "syntax", line, text: message.slice(0, 200), detail: "the file does not parse" };
}
