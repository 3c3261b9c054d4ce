import { createHash } from "node:crypto";
import { parseSync, visitorKeys } from "oxc-parser";
import type { ArrowFunctionExpression, Node } from "oxc-parser";
import { changesTo } from "./mutators.ts";
import type { Change } from "./mutators.ts";

/** A small change to one file that a test should detect. */
export interface Mutant extends Change {
  /** An id that stays the same if the code moves in the file. */
  readonly id: string;
  /** The path relative to the repository. */
  readonly file: string;
  readonly line: number;
  readonly original: string;
  /** The position of a call that records which test files run this code. */
  readonly probe: Probe;
}

/** Before the statement at `start`, or around the expression from `start` to `end`. */
interface Probe {
  readonly start: number;
  readonly end?: number;
}

/** Nodes that are skipped: types are removed before a test runs, and imports are not changed. */
const SKIPPED =
  /^(?:TS(?!AsExpression|NonNull|Satisfies|Instantiation)|Import(?!Expression)|ExportAll)/;
const STATEMENT_LISTS = new Set(["BlockStatement", "FunctionBody", "SwitchCase", "StaticBlock"]);

/** All mutants of a file, in text order. */
export function findMutants(file: string, code: string): Mutant[] {
  const found: Mutant[] = [];
  const seen = new Map<string, number>();
  const lineEnds = [...code.matchAll(/\n/g)].map(({ index }) => index);
  // Code outside of functions runs at import, like the last line of the file.
  visit(parseSync(file, code).program, { start: code.length });
  return found;

  function visit(node: Node, probe: Probe): void {
    const own = isShortArrow(node) ? { start: node.body.start, end: node.body.end } : probe;
    for (const change of changesTo(node, code)) found.push(describeMutant(change, own));
    for (const { child, childProbe } of visitableChildren(node, probe)) visit(child, childProbe);
  }

  function describeMutant(change: Change, probe: Probe): Mutant {
    const original = code.slice(change.start, change.end);
    const line = lineEnds.findLastIndex((end) => end < change.start) + 2;
    const name = [file, change.kind, original, change.replacement].join("\0");
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { ...change, id: hash(`${name}\0${count}`), file, line, original, probe };
  }
}

export function applyMutant(code: string, { start, end, replacement }: Change): string {
  return code.slice(0, start) + replacement + code.slice(end);
}

/** The file with a call before the code of each mutant, which records that a test ran it. */
export function insertProbes(code: string, mutants: readonly Mutant[]): string {
  const inserts = mutants.flatMap(({ id, probe: { start, end } }) => {
    const call = `globalThis.recordMutant?.("${id}")`;
    if (end === undefined) return [{ at: start, text: `\n${call};\n` }];
    return [
      { at: start, text: `(${call}, ` },
      { at: end, text: ")" },
    ];
  });
  // Inserts from the end to the start, so that an insertion does not move the following positions.
  return inserts
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), code);
}

function visitableChildren(node: Node, probe: Probe): { child: Node; childProbe: Probe }[] {
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    if (isName(node, key)) return [];
    const value = (node as unknown as Record<string, unknown>)[key];
    const nodes = (Array.isArray(value) ? value : [value]).filter(isMutable);
    return nodes.map((child) => ({ child, childProbe: probeFor(node, key, child, probe) }));
  });
}

/** Property keys and export sources are names: changing them would only break types. */
function isName(node: Node, key: string): boolean {
  return (key === "key" && !(node as { computed?: boolean }).computed) || key === "source";
}

function isMutable(value: unknown): value is Node {
  const type = (value as Node | null | undefined)?.type;
  return typeof type === "string" && !SKIPPED.test(type);
}

function probeFor(parent: Node, key: string, child: Node, probe: Probe): Probe {
  if (STATEMENT_LISTS.has(parent.type) && key !== "test") return { start: child.start };
  const isValue = isShortArrow(parent) && key === "body";
  return isValue ? { start: child.start, end: child.end } : probe;
}

/** A function such as `(a) => a + 1`. */
function isShortArrow(node: Node): node is ArrowFunctionExpression {
  return node.type === "ArrowFunctionExpression" && node.expression;
}

/** Whether the changed file can still be parsed. */
export function isReadable(mutant: Mutant, code: string): boolean {
  return parseSync(mutant.file, applyMutant(code, mutant)).errors.length === 0;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 10);
}
