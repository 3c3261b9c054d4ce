import { fail } from "@waybill/core";
import type { CodeGraph } from "../../graph/index.ts";
import type { Answer } from "../answer/answer.ts";
import { siblings } from "./definition.ts";
import { definitionOfSymbol, definitionTarget } from "../names/definitions.ts";
import type { Definition } from "../names/definitions.ts";
import { membersAbove, membersBelow } from "../types/member-family.ts";
import { pointedAt } from "../names/position.ts";
import type { PositionInput } from "../names/position.ts";
import { referencesTo } from "./references.ts";
import { shorthandAt } from "../answer/shorthand.ts";
import { lessComplete } from "../completeness/completeness.ts";
import type { Completeness } from "../completeness/completeness.ts";
import { symbolCompleteness } from "../completeness/symbol-completeness.ts";
import { declaredAgain, declaredInBlock } from "./declared-again.ts";
import { checkNewName } from "./rename-names.ts";
import { renameObstacles } from "./rename-obstacles.ts";
import type { RenameEdit } from "./rename-obstacles.ts";
import { namePosition, wordIn } from "./symbol-text.ts";
import type { NamePosition } from "./symbol-text.ts";
import type { GraphView } from "../answer/view.ts";

export interface RenameInput extends PositionInput {
  readonly to: string;
  readonly limit?: number;
}

/** All edits of a rename, and the reasons not to apply them. */
export interface RenamePlan {
  readonly target: string;
  readonly from: string;
  readonly to: string;
  readonly edits: readonly RenameEdit[];
  readonly completeness: Completeness;
}

const SCRIPTS = new Set(["typescript", "javascript"]);
/** The most members that are renamed together. */
const MAX_FAMILY = 2_000;

interface Place {
  readonly file: number;
  readonly line: number;
  readonly column: number;
}

/** Plans every edit of a rename. */
export function planRename(view: GraphView, input: RenameInput): RenamePlan {
  const { graph } = view;
  const found = pointedAt(view, input);
  const { symbol } = found;
  const target = definitionTarget(graph, found);
  if (symbol === undefined || graph.symbols.kind(symbol) === "module") {
    throw fail("VALIDATION", `${target} is a file, not a symbol. Pass path#symbol.`);
  }
  const from = graph.symbols.name(symbol);
  checkNewName(graph.files.language(found.file), from, input.to);
  const symbols = family(graph, found);
  const places = [...declarations(view, symbols), ...usesIn(graph, symbols)];
  const edits = editsAt(view, places, from, input.to, isMember(graph, symbol));
  return {
    target,
    from,
    to: input.to,
    edits,
    completeness: lessComplete(symbolCompleteness(view, found, "places"), [
      ...renameObstacles(view, { from, to: input.to, symbols, edits }),
      ...(symbols.length > MAX_FAMILY ? ["too many members are related"] : []),
    ]),
  };
}

function isMember({ symbols }: CodeGraph, symbol: number): boolean {
  const parent = symbols.parent(symbol);
  return parent !== undefined && symbols.kind(parent) !== "module";
}

/**
 * The symbol, its overloads, and related members of interfaces and classes. Two classes that
 * implement one interface are related through it.
 */
function family(graph: CodeGraph, found: Definition): number[] {
  const all = new Set(siblings(graph, found).flatMap(({ symbol }) => symbol ?? []));
  for (const each of all) {
    const related = [...membersAbove(graph, each), ...membersBelow(graph, each)];
    for (const other of related) {
      const named = siblings(graph, definitionOfSymbol(graph, other));
      for (const { symbol } of named) if (symbol !== undefined) all.add(symbol);
    }
    if (all.size > MAX_FAMILY) break;
  }
  return [...all];
}

function declarations(view: GraphView, symbols: readonly number[]): Place[] {
  const { graph } = view;
  return symbols.flatMap((symbol) => {
    const file = graph.symbols.file(symbol);
    const at = namePosition(view, symbol);
    const { line, column } = graph.symbols.range(symbol);
    const all = at === undefined ? [] : othersLike(view, file, graph.symbols.name(symbol), at);
    return [{ line, column, ...at }, ...all].map((place) => ({ file, ...place }));
  });
}

/** The other declarations of the same symbol in a file. */
function othersLike(view: GraphView, file: number, name: string, at: NamePosition): NamePosition[] {
  const { files } = view.graph;
  const path = files.path(file);
  const language = files.language(file);
  if (language === "python") return declaredInBlock(view.lines(path), name, at);
  return SCRIPTS.has(language) ? declaredAgain(path, view.lines(path).join("\n"), at) : [];
}

function usesIn(graph: CodeGraph, symbols: readonly number[]): Place[] {
  return symbols.flatMap((each) => referencesTo(graph, definitionOfSymbol(graph, each)));
}

function editsAt(
  view: GraphView,
  places: readonly Place[],
  from: string,
  to: string,
  isProperty: boolean,
): RenameEdit[] {
  const edits = new Map<string, RenameEdit>();
  for (const place of places) {
    const edit = editAt(view, place, from, to, isProperty);
    if (edit) edits.set(`${edit.path}:${edit.line}:${edit.column}`, edit);
  }
  return [...edits.values()].toSorted(
    (a, b) =>
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || a.line - b.line || a.column - b.column,
  );
}

/** A use under another name, such as the local name of an import, does not change. */
function editAt(
  view: GraphView,
  { file, line, column }: Place,
  from: string,
  to: string,
  isProperty: boolean,
): RenameEdit | undefined {
  const path = view.graph.files.path(file);
  const text = view.lines(path)[line - 1] ?? "";
  const bare = from.replace(/^#/, "");
  const at = [column - 1, column].find((start) => isWordAt(text, bare, start));
  if (at === undefined) return undefined;
  const name = to.replace(/^#/, "");
  const isShort =
    SCRIPTS.has(view.graph.files.language(file)) &&
    shorthandAt(path, view.lines(path).join("\n"), line, at);
  const written = isShort ? (isProperty ? `${name}: ${bare}` : `${bare}: ${name}`) : name;
  return { path, line, column: at + 1, old: bare, text: written };
}

function isWordAt(text: string, word: string, start: number): boolean {
  return text.startsWith(word, start) && wordIn(text, word, start) === start;
}

/** The edits of a rename. Nothing is written. */
export function rename(view: GraphView, input: RenameInput): Answer<RenameEdit> {
  const { limit = 100 } = input;
  const plan = planRename(view, input);
  const files = new Set(plan.edits.map(({ path }) => path)).size;
  const canApply = plan.completeness.completeness === "exact";
  return {
    items: plan.edits,
    limit,
    levels: 1,
    limits: { maxItems: limit },
    ...(canApply && {
      next: [
        {
          tool: "rename_apply",
          args: { symbol: plan.target, to: plan.to },
          reason: "write these edits",
        },
      ],
    }),
    render: (shown, level) => ({
      symbol: plan.target,
      to: plan.to,
      edits: shown.map(({ path, line, column, text }) => ({
        path,
        line,
        column,
        ...(text !== plan.to && { text }),
        ...(level === 0 && { lineText: view.lineText(path, line) }),
      })),
      editsTotal: plan.edits.length,
      files,
      ...plan.completeness,
    }),
  };
}
