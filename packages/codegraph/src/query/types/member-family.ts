import type { CodeGraph } from "../../graph/index.ts";
import { goImplementations } from "./go-implementations.ts";
import { pythonProtocols } from "./python-protocols.ts";
import type { Protocols } from "./python-protocols.ts";

const MAX_TYPES = 5_000;

/** All parent types of a type, direct and indirect, without itself. */
export function typesAbove(graph: CodeGraph, type: number): number[] {
  return closure(type, (each) => [
    ...[...graph.uses.outOf(each)]
      .filter((use) => graph.uses.kind(use) === "inherit")
      .map((use) => graph.uses.to(use)),
    ...(bySignature(graph, each)?.interfaces.get(each) ?? []),
  ]);
}

/** All types that inherit from or implement a type, direct and indirect, without itself. */
export function typesBelow(graph: CodeGraph, type: number): number[] {
  return closure(type, (each) => [
    ...[...graph.uses.into(each)]
      .filter((use) => graph.uses.kind(use) === "inherit")
      .map((use) => graph.uses.from(use)),
    ...(bySignature(graph, each)?.types.get(each) ?? []),
  ]);
}

function closure(start: number, next: (symbol: number) => readonly number[]): number[] {
  const seen = new Set([start]);
  for (const each of seen) {
    if (seen.size > MAX_TYPES) break;
    for (const other of next(each)) seen.add(other);
  }
  seen.delete(start);
  return [...seen];
}

function membersNamed(graph: CodeGraph, types: readonly number[], name: string): number[] {
  const { symbols } = graph;
  return types.flatMap((type) =>
    [...symbols.inFile(symbols.file(type))].filter(
      (symbol) => symbols.parent(symbol) === type && symbols.name(symbol) === name,
    ),
  );
}

function findOwner(graph: CodeGraph, member: number): number | undefined {
  const owner = graph.symbols.parent(member);
  if (owner === undefined || graph.symbols.kind(member) === "constructor") return undefined;
  const kind = graph.symbols.kind(owner);
  return kind === "class" || kind === "interface" ? owner : undefined;
}

/** The types that implement others without naming them: in Go, and protocols in Python. */
function bySignature(graph: CodeGraph, symbol: number): Protocols | undefined {
  const language = graph.files.language(graph.symbols.file(symbol));
  if (language === "go") return goImplementations(graph);
  return language === "python" ? pythonProtocols(graph) : undefined;
}

/** Whether a type or member may implement another one with the help of a package's type. */
export function mayBeRelated(graph: CodeGraph, symbol: number): boolean {
  return bySignature(graph, symbol)?.possible.has(symbol) === true;
}

function isGo(graph: CodeGraph, symbol: number): boolean {
  return graph.files.language(graph.symbols.file(symbol)) === "go";
}

/** The members that a member overrides or implements. Their callers may call it. */
export function membersAbove(graph: CodeGraph, member: number): readonly number[] {
  if (isGo(graph, member)) return goImplementations(graph).above.get(member) ?? [];
  const owner = findOwner(graph, member);
  if (owner === undefined) return [];
  return membersNamed(graph, typesAbove(graph, owner), graph.symbols.name(member));
}

/** The members that override or implement a member. */
export function membersBelow(graph: CodeGraph, member: number): readonly number[] {
  if (isGo(graph, member)) return goImplementations(graph).below.get(member) ?? [];
  const owner = findOwner(graph, member);
  if (owner === undefined) return [];
  return membersNamed(graph, typesBelow(graph, owner), graph.symbols.name(member));
}
