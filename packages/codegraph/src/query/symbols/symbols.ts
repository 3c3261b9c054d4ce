import { GRAMMAR_PACKAGES } from "../../graph/index.ts";
import type { CodeGraph, SymbolKind } from "../../graph/index.ts";
import { overallRank } from "../../analysis/index.ts";
import type { Answer } from "../answer/answer.ts";
import { namedDefinitions } from "../names/definitions.ts";
import { best } from "../answer/take-best.ts";
import { completenessFor, earlyReasons, OTHER_LANGUAGES } from "../completeness/completeness.ts";
import { matchingNames } from "../search/search.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import { fileTarget, findFile } from "../names/target.ts";
import type { GraphView } from "../answer/view.ts";

export interface SymbolsInput {
  readonly target: string;
  readonly mode?: "document" | "workspace";
  readonly kindFilter?: readonly SymbolKind[];
  readonly limit?: number;
  readonly scope?: string;
}

interface SymbolItem {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly range: { readonly start: string; readonly end: string };
  readonly path?: string;
  readonly detail?: string;
  readonly children?: readonly SymbolItem[];
}

/** A text with a slash and an extension is a file, not the name of a symbol. */
const LOOKS_LIKE_FILE = /[/\\][^/\\]*\.[a-z]{1,6}$/iu;
/** A file extension. The text means a file if no symbol has such a name. */
const MAY_BE_FILE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|go|java|cs|rs|rb|php|cc?|cpp|cxx|hh?|hpp|kts?)$/iu;
const MAX_DEPTH = 20;
const MAX_FOUND = 500;
/** How many children of a symbol are shown, at each level of detail. */
const INSIDE = [Infinity, Infinity, 12, 5, 0];

/** A symbol as an item of an answer. Positions are `line:column`, 1-based. */
function symbolItem(graph: CodeGraph, symbol: number): Omit<SymbolItem, "children"> {
  const { line, column, endLine, endColumn } = graph.symbols.range(symbol);
  const detail = graph.symbols.detail(symbol);
  return {
    name: graph.symbols.name(symbol),
    kind: graph.symbols.kind(symbol),
    range: { start: `${line}:${column}`, end: `${endLine}:${endColumn}` },
    ...(detail !== "" && { detail }),
  };
}

type Growing = Omit<SymbolItem, "children"> & { children?: Growing[] };

/** The symbols of a file as a tree. */
export function symbolItems(
  graph: CodeGraph,
  file: number,
  kinds?: readonly SymbolKind[],
): SymbolItem[] {
  const top: Growing[] = [];
  const shown = new Map<number, Growing>();
  for (const symbol of graph.symbols.inFile(file)) {
    const kind = graph.symbols.kind(symbol);
    if (kind === "module" || (kinds !== undefined && !kinds.includes(kind))) continue;
    const item: Growing = { ...symbolItem(graph, symbol) };
    shown.set(symbol, item);
    const owner = getOwner(graph, symbol, shown);
    if (owner === undefined) top.push(item);
    else (owner.children ??= []).push(item);
  }
  return top;
}

/** The nearest shown parent of a symbol. */
function getOwner(
  graph: CodeGraph,
  symbol: number,
  shown: ReadonlyMap<number, Growing>,
): Growing | undefined {
  let parent = graph.symbols.parent(symbol);
  for (let depth = 0; parent !== undefined && depth < MAX_DEPTH; depth++) {
    const owner = shown.get(parent);
    if (owner !== undefined) return owner;
    parent = graph.symbols.parent(parent);
  }
  return undefined;
}

/** While symbols are missing, the exports of a file are listed. */
function exportItems(graph: CodeGraph, file: number): SymbolItem[] {
  return [...graph.exports.inFile(file)].map((row) => ({
    name: graph.exports.name(row),
    kind: graph.exports.typeOnly(row) ? "type" : "variable",
    range: { start: `${graph.exports.line(row)}:1`, end: `${graph.exports.line(row)}:1` },
  }));
}

function documentAnswer(view: GraphView, input: SymbolsInput, file: number): Answer<SymbolItem> {
  const { graph } = view;
  const items: readonly SymbolItem[] =
    graph.info.phase === "modules"
      ? exportItems(graph, file)
      : symbolItems(graph, file, input.kindFilter);
  const limit = input.limit ?? 100;
  return {
    items,
    limit,
    levels: INSIDE.length - 1,
    limits: { maxItems: limit },
    render: (shown, level) => ({
      path: graph.files.path(file),
      symbols: level === 0 ? shown : shown.map((item) => slim(item, level)),
      ...documentCompleteness(graph, file),
    }),
  };
}

/** The declarations of an unparsed file are unknown. */
function documentCompleteness(graph: CodeGraph, file: number): object {
  const state = graph.files.state(file);
  const why = [
    ...earlyReasons({ graph }),
    ...(state === "skipped" ? [unparsedReason(graph, file)] : []),
    ...(state === "partial" || state === "failed" ? ["the file has syntax errors"] : []),
  ];
  return why.length === 0 ? {} : completenessFor(why);
}

function unparsedReason(graph: CodeGraph, file: number): string {
  const language = graph.files.language(file);
  if (language !== "other") {
    const grammar = GRAMMAR_PACKAGES[language];
    const install = grammar === undefined ? "" : `, or its grammar is missing: install ${grammar}`;
    return `the file is not parsed: it is too large or is not text${install}`;
  }
  const [ending = "such"] = /\.[^./]+$/u.exec(graph.files.path(file)) ?? [];
  return `${ending} files are not parsed: the language is not supported`;
}

/** A smaller item: first without details, then with fewer children. */
function slim({ name, kind, range, path, children = [] }: SymbolItem, level: number): object {
  const inside = children.slice(0, INSIDE[level]);
  return {
    name,
    kind,
    ...(path !== undefined && { path }),
    range,
    ...(inside.length > 0 && { children: inside.map((child) => slim(child, level)) }),
    ...(inside.length < children.length && { childrenTotal: children.length }),
  };
}

interface Found {
  readonly symbol: number;
  readonly score: number;
}

function findAll(view: GraphView, query: string, input: SymbolsInput): SymbolItem[] {
  const { graph } = view;
  const mask = scopeMask(view, input.scope);
  const rank = overallRank(graph);
  const found: Found[] = [];
  for (const { name, score } of matchingNames(graph, query)) {
    // The best matches come first, so later names would be dropped anyway.
    if (found.length >= MAX_FOUND * 2) break;
    for (const { symbol, file } of namedDefinitions(graph, name, undefined)) {
      if (symbol === undefined || !isIn(mask, file)) continue;
      const isWanted = input.kindFilter?.includes(graph.symbols.kind(symbol)) !== false;
      if (isWanted) found.push({ symbol, score });
    }
  }
  return best(
    found,
    MAX_FOUND,
    (a, b) =>
      b.score - a.score ||
      rank[graph.symbols.file(b.symbol)]! - rank[graph.symbols.file(a.symbol)]! ||
      a.symbol - b.symbol,
  ).map(({ symbol }) => ({
    ...symbolItem(graph, symbol),
    path: graph.files.path(graph.symbols.file(symbol)),
  }));
}

function mayBeFile(target: string): boolean {
  return MAY_BE_FILE.test(target) || OTHER_LANGUAGES.test(target);
}

/** Lists the symbols of a file, or of the whole tree by a part of their name. */
export function symbols(view: GraphView, input: SymbolsInput): Answer<SymbolItem> {
  const { mode, target } = input;
  if (mode === "document") return documentAnswer(view, input, fileTarget(view, target));
  const file = mode === "workspace" ? undefined : findFile(view, target);
  if (file !== undefined) return documentAnswer(view, input, file);
  if (mode === undefined && LOOKS_LIKE_FILE.test(target)) fileTarget(view, target);
  const limit = input.limit ?? 20;
  const items = findAll(view, target.trim(), input);
  if (items.length === 0 && mode === undefined && mayBeFile(target)) fileTarget(view, target);
  return {
    items,
    limit,
    levels: 1,
    limits: { maxItems: limit },
    isCut: items.length >= MAX_FOUND,
    ...(items.length === 0 && {
      next: [
        { tool: "search" as const, args: { query: target }, reason: "files and similar names" },
      ],
    }),
    render: (shown, level) => ({
      symbols: level === 0 ? shown : shown.map((item) => slim(item, 1)),
    }),
  };
}
