import { ANY_NAME } from "../../graph/index.ts";
import type { CodeGraph, SymbolKind, UnresolvedKind, UseKind } from "../../graph/index.ts";
import { counted, lessComplete } from "./completeness.ts";
import type { Completeness } from "./completeness.ts";
import { symbolCompleteness } from "./symbol-completeness.ts";
import { areRelated } from "./unresolved-uses.ts";
import type { Definition } from "../names/definitions.ts";
import { membersAbove } from "../types/member-family.ts";
import type { GraphView } from "../answer/view.ts";

/** The ways of using a name that may call the declaration with that name. */
const MAY_CALL: ReadonlySet<UnresolvedKind> = new Set([
  "value",
  "member",
  "import",
  "foreign",
  "dynamic",
  "dynamicModule",
]);
const CALLABLE: ReadonlySet<SymbolKind> = new Set(["function", "method", "class"]);
const AS_VALUE: ReadonlySet<UseKind> = new Set(["reference", "register"]);

/**
 * A name before a bracket or a template, in a tag, or in a decorator. Its time is linear in a text
 * with single spaces, because a hostile file may have long names and many spaces.
 */
const CALLED =
  /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*) ?(?:!|\?\.)? ?(?:<[^()]{0,300}>)? ?[(`]|[<@](?:[\w$]+\.)*([\w$]+)/gu;
const COMPUTED = /\[|\bgetattr\b/u;

/** The symbols whose callers and callees an answer lists. */
interface CallSubjects {
  readonly called: readonly number[];
  readonly calling: readonly number[];
}

/**
 * Whether callers or callees may be missing: a function that is passed on may be called from
 * anywhere, and a call on a value of unknown type may call any declaration of that name.
 */
export function callCompleteness(
  view: GraphView,
  definition: Definition,
  { called, calling }: CallSubjects,
): Completeness {
  const { graph } = view;
  const values = called.reduce((sum, symbol) => sum + usesAsValue(graph, symbol), 0);
  const names = calling.reduce((sum, symbol) => sum + unknownCalls(view, symbol), 0);
  return lessComplete(symbolCompleteness(view, definition), [
    ...counted(
      values,
      "place uses a function as a value and may call it",
      "places use a function as a value and may call it",
    ),
    ...counted(
      names,
      "call was not resolved and may lead to a declaration of that name",
      "calls were not resolved and may lead to declarations of these names",
    ),
  ]);
}

function usesAsValue(graph: CodeGraph, symbol: number): number {
  const { uses, symbols } = graph;
  if (!CALLABLE.has(symbols.kind(symbol))) return 0;
  const named = [symbol, ...membersAbove(graph, symbol)].flatMap((each) => [...uses.into(each)]);
  return named.filter((use) => AS_VALUE.has(uses.kind(use)) && !uses.typeOnly(use)).length;
}

/** The names that a symbol calls, that are not resolved, and that a declaration has. */
function unknownCalls(view: GraphView, symbol: number): number {
  const { unresolved, symbols } = view.graph;
  const rows = [...unresolved.inFile(symbols.file(symbol))];
  const names = new Set(
    rows.flatMap((row) => (MAY_CALL.has(unresolved.kind(row)) ? unresolved.name(row) : [])),
  );
  const isCalled = calledNames(view, symbol);
  return [...names].filter((name) => isCalled(name) && mayMeanDeclaration(view.graph, symbol, name))
    .length;
}

/** Whether a file that can be used from the symbol declares something with the name. */
function mayMeanDeclaration(graph: CodeGraph, from: number, name: string): boolean {
  const { symbols } = graph;
  const isReachable = (symbol: number): boolean =>
    CALLABLE.has(symbols.kind(symbol)) &&
    areRelated(graph, symbols.file(symbol), symbols.file(from));
  return name === ANY_NAME || symbols.named(name).some(isReachable);
}

/** Whether the text of a symbol calls a name. A file that cannot be read may call every name. */
function calledNames(view: GraphView, symbol: number): (name: string) => boolean {
  const { files, symbols } = view.graph;
  const { line, endLine } = symbols.range(symbol);
  const lines = view.lines(files.path(symbols.file(symbol)));
  const text = lines
    .slice(line - 1, endLine)
    .join(" ")
    .replaceAll(/\s+/gu, " ");
  const called = new Set([...text.matchAll(CALLED)].map(([, name, tag]) => name ?? tag));
  return (name) =>
    lines.length === 0 || (name === ANY_NAME ? COMPUTED.test(text) : called.has(name));
}
