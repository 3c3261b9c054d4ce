import type { CodeGraph } from "../../graph/index.ts";
import type { Definition } from "../names/definitions.ts";
import type { GraphView } from "../answer/view.ts";

/** A range of lines, 1-based, including the last one. */
export interface LineRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!!)|<!--)/;
const DECORATOR = /^\s*@[\w.]+/;
/** The longest comment that is included. A longer one is usually not only about the declaration. */
const MAX_COMMENT = 80;
/** How many lines of a declaration are searched for its name. */
const MAX_NAME_LINES = 12;

/** The lines of a declaration. */
export function declarationLines(
  graph: CodeGraph,
  { file, symbol, ...rest }: Definition,
): LineRange {
  const path = graph.files.path(file);
  if (symbol === undefined) {
    const line = rest.export === undefined ? 1 : graph.exports.line(rest.export);
    return { path, start: line, end: line };
  }
  if (graph.symbols.kind(symbol) === "module") {
    return { path, start: 1, end: graph.files.lines(file) };
  }
  const { line, endLine } = graph.symbols.range(symbol);
  return { path, start: line, end: endLine };
}

/** The first line of the comment and decorators directly above a declaration. */
export function commentStart(view: GraphView, { path, start }: LineRange): number {
  const lines = view.lines(path);
  let first = start;
  while (first > 1 && start - first < MAX_COMMENT) {
    const above = lines[first - 2] ?? "";
    if (!COMMENT.test(above) && !DECORATOR.test(above)) break;
    first -= 1;
  }
  return first;
}

export interface NamePosition {
  readonly line: number;
  readonly column: number;
}

/** The position of the name in a declaration. */
export function namePosition(view: GraphView, symbol: number): NamePosition | undefined {
  const { symbols, files } = view.graph;
  const { line: first, column, endLine } = symbols.range(symbol);
  const lines = view.lines(files.path(symbols.file(symbol)));
  const name = symbols.name(symbol).replace(/^#/, "");
  const last = Math.min(endLine, first + MAX_NAME_LINES);
  for (let line = first; line <= last; line++) {
    const text = lines[line - 1] ?? "";
    const from = line === first ? column - 1 : 0;
    if (line > first && DECORATOR.test(text)) continue;
    const at = wordIn(text, name, from);
    if (at !== undefined) return { line, column: at + 1 };
  }
  return undefined;
}

const WORD = /[\p{ID_Continue}$]/u;

/** The position of a whole word in a text. */
export function wordIn(text: string, word: string, from = 0): number | undefined {
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!WORD.test(text[at - 1] ?? "") && !WORD.test(text[at + word.length] ?? "")) return at;
  }
  return undefined;
}
