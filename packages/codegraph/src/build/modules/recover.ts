import type { GapFact, Request } from "./facts.ts";
import type { Lines } from "./lines.ts";

const STATEMENT =
  /^[ \t]*(import|export)\b(?!\s*\()(?:[^"'`;()]{0,4000}?\bfrom)?\s*(["'])([^"'\n]{1,1000})\2/gm;

const CALL = /(?<![\w.$])(require|import)\s*\(\s*(["'])([^"'\n]{1,1000})\2\s*\)/g;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;

/**
 * The imports of a file that cannot be parsed, found by text search. They are marked as likely, and
 * the file as partial.
 */
export function recoverRequests(text: string, lines: Lines, known: readonly Request[]): Request[] {
  const isKnown = new Set(known.map(({ line, specifier }) => `${line} ${specifier}`));
  return [...statementsIn(text, lines, isKnown), ...callsIn(text, lines, isKnown)];
}

/** Calls of `require` and `import()`, unless their line is a comment. */
function callsIn(text: string, lines: Lines, isKnown: ReadonlySet<string>): Request[] {
  return [...text.matchAll(CALL)].flatMap((match) => {
    const specifier = match[3] ?? "";
    const line = lines.lineOf(match.index);
    const before = text.slice(text.lastIndexOf("\n", match.index) + 1, match.index);
    if (isKnown.has(`${line} ${specifier}`) || COMMENT.test(before)) return [];
    return {
      specifier,
      kind: match[1] === "import" ? "dynamic" : "require",
      line,
      column: lines.columnOf(match.index),
      typeOnly: false,
      confidence: "likely",
      names: [{ name: "*", typeOnly: false }],
    };
  });
}

function statementsIn(text: string, lines: Lines, isKnown: ReadonlySet<string>): Request[] {
  const requests: Request[] = [];
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
