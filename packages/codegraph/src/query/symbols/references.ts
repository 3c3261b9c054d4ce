import type { CodeGraph } from "../../graph/index.ts";
import type { Answer, FollowUp } from "../answer/answer.ts";
import { importsOfDefinition, definitionTarget, getWholeImports } from "../names/definitions.ts";
import type { Definition } from "../names/definitions.ts";
import { placeOfDefinition, siblings } from "./definition.ts";
import { membersAbove, membersBelow } from "../types/member-family.ts";
import { pointedAt } from "../names/position.ts";
import type { PositionInput } from "../names/position.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import { symbolCompleteness } from "../completeness/symbol-completeness.ts";
import type { GraphView } from "../answer/view.ts";

export interface ReferencesInput extends PositionInput {
  readonly groupByFile?: boolean;
  readonly includeDeclaration?: boolean;
  readonly limit?: number;
  readonly scope?: string;
}

interface Reference {
  readonly file: number;
  readonly line: number;
  readonly column: number;
  readonly isDefinition: boolean;
  /** Whether the symbol is passed as a callback at this place. */
  readonly isRegister?: boolean;
  /**
   * Whether the use names a related member: one that this member implements or overrides, or the
   * reverse.
   */
  readonly isRelated?: boolean;
}

function byPosition(a: Reference, b: Reference): number {
  return a.file - b.file || a.line - b.line || a.column - b.column;
}

/** The imports and uses of a definition. */
export function referencesTo(graph: CodeGraph, definition: Definition): Reference[] {
  const { symbol } = definition;
  const found = new Map<string, Reference>();
  const add = (
    file: number,
    line: number,
    column: number,
    how: Partial<Pick<Reference, "isRegister" | "isRelated">> = {},
  ): void => {
    found.set(`${file}:${line}:${column}`, { file, line, column, isDefinition: false, ...how });
  };
  const isEarly = graph.info.phase === "modules" || symbol === undefined;
  const named = isEarly ? importsOfDefinition(graph, definition) : [];
  for (const edge of [...named, ...getWholeImports(graph, definition)]) {
    add(graph.imports.from(edge), graph.imports.line(edge), graph.imports.column(edge));
  }
  // A type and a value with the same name are imported together.
  const own = siblings(graph, definition).flatMap((each) => each.symbol ?? []);
  const related = own.flatMap((each) => [
    ...membersAbove(graph, each),
    ...membersBelow(graph, each),
  ]);
  for (const each of [...related, ...own]) {
    for (const use of graph.uses.into(each)) {
      const file = graph.symbols.file(graph.uses.from(use));
      const isRegister = graph.uses.kind(use) === "register";
      const how = { isRegister, isRelated: !own.includes(each) };
      add(file, graph.uses.line(use), graph.uses.column(use), how);
    }
  }
  return [...found.values()].toSorted(byPosition);
}

function grouped(items: readonly { path: string }[]): Record<string, object[]> {
  const groups: Record<string, object[]> = {};
  for (const { path, ...item } of items) (groups[path] ??= []).push(item);
  return groups;
}

const CALLABLE = new Set(["function", "method", "constructor", "accessor", "class"]);

/** Only functions and similar symbols have callers. */
function followUps(graph: CodeGraph, target: string, { symbol }: Definition): FollowUp[] {
  if (symbol === undefined || !CALLABLE.has(graph.symbols.kind(symbol))) return [];
  return [{ tool: "call_hierarchy", args: { symbol: target }, reason: "its callers and callees" }];
}

/** Lists every use of a definition. */
export function references(view: GraphView, input: ReferencesInput): Answer<Reference> {
  const { graph } = view;
  const { includeDeclaration = true, groupByFile = false, limit = 20 } = input;
  const found = pointedAt(view, input);
  const mask = scopeMask(view, input.scope);
  const { path, line, column } = placeOfDefinition(graph, found);
  const declaration = { file: found.file, line, column, isDefinition: true };
  const uses = referencesTo(graph, found).filter(({ file }) => isIn(mask, file));
  const all = includeDeclaration ? [declaration, ...uses] : uses;
  const stats = { total: uses.length, files: new Set(uses.map(({ file }) => file)).size };
  return {
    items: all,
    limit,
    levels: 1,
    limits: { maxItems: limit },
    next: followUps(graph, definitionTarget(graph, found), found),
    render: (shown, level) => {
      const items = shown.map((each) => ({
        path: graph.files.path(each.file),
        line: each.line,
        column: each.column,
        ...(level === 0 && { lineText: view.lineText(graph.files.path(each.file), each.line) }),
        ...(each.isDefinition && { isDefinition: true }),
        ...(each.isRegister === true && { kind: "register" }),
        ...(each.isRelated === true && { via: "interface" }),
      }));
      return {
        symbol: found.name,
        definedIn: path,
        ...(groupByFile ? { groups: grouped(items) } : { references: items }),
        stats,
        ...symbolCompleteness(view, found, "places"),
      };
    },
  };
}
