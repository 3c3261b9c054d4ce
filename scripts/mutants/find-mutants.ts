import { createHash } from "node:crypto";
import { parseSync, visitorKeys } from "oxc-parser";
import type { ArrowFunctionExpression, Node } from "oxc-parser";
import { changesTo } from "./mutators.ts";
import type { Change } from "./mutators.ts";

/** One small change to one file that a test should notice. */
export interface Mutant extends Change {
  /** The same for the same change, wherever in the file it has moved. */
  readonly id: string;
  /** Relative to the repository. */
  readonly file: string;
  readonly line: number;
  readonly original: string;
  /** Where a call is inserted that records which test files run this code. */
  readonly probe: Probe;
}

/** Before the statement at `start`, or around the expression from `start` to `end`. */
interface Probe {
  readonly start: number;
  readonly end?: number;
}

/** Types are erased before a test runs; what is imported is not ours to change here. */
const SKIPPED =
  /^(?:TS(?!AsExpression|NonNull|Satisfies|Instantiation)|Import(?!Expression)|ExportAll)/;
const STATEMENT_LISTS = new Set(["BlockStatement", "FunctionBody", "SwitchCase", "StaticBlock"]);

/** All mutants of one file, in the order of its text. */
export function findMutants(file: string, code: string): Mutant[] {
  const found: Mutant[] = [];
  const seen = new Map<string, number>();
  const lineEnds = [...code.matchAll(/\n/g)].map(({ index }) => index);
  // Code outside every function runs when the file is imported, as its last line does.
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

/** The file with a call before the code of each mutant, which tells that a test ran it. */
export function insertProbes(code: string, mutants: readonly Mutant[]): string {
  const inserts = mutants.flatMap(({ id, probe: { start, end } }) => {
    const call = `globalThis.recordMutant?.("${id}")`;
    if (end === undefined) return [{ at: start, text: `\n${call};\n` }];
    return [
      { at: start, text: `(${call}, ` },
      { at: end, text: ")" },
    ];
  });
  // From the end to the start, so that no insert moves the place of the next.
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

/** The key of a property is a name; to change it is to change a type. So is the file of an export. */
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

/** Whether the file can still be read with the change in it. */
export function isReadable(mutant: Mutant, code: string): boolean {
  return parseSync(mutant.file, applyMutant(code, mutant)).errors.length === 0;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 10);
}
