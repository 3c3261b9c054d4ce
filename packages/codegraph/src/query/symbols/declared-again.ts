import { parseSync, visitorKeys } from "oxc-parser";
import { isRecord } from "@waybill/core/schema";
import type { NamePosition } from "./symbol-text.ts";

/** A declared name, and the body that contains the declaration. */
interface Declared {
  readonly name: string;
  readonly start: number;
  readonly body: number;
  readonly isStatic: boolean;
}

const MAX_NODES = 2_000_000;
const BODIES = new Set([
  "Program",
  "BlockStatement",
  "StaticBlock",
  "ClassBody",
  "TSInterfaceBody",
  "TSModuleBlock",
  "TSTypeLiteral",
  "ObjectExpression",
]);
const FUNCTIONS = new Set(["FunctionDeclaration", "TSDeclareFunction"]);
const MEMBERS = new Set([
  "MethodDefinition",
  "TSAbstractMethodDefinition",
  "TSMethodSignature",
  "PropertyDefinition",
  "TSAbstractPropertyDefinition",
  "AccessorProperty",
  "TSAbstractAccessorProperty",
  "TSPropertySignature",
  "Property",
]);

/**
 * Every declaration that belongs to the one at a position: the other overloads of a function, or
 * the setter of a getter.
 */
export function declaredAgain(path: string, text: string, at: NamePosition): NamePosition[] {
  const starts = lineStarts(text);
  const place = starts[at.line - 1]! + at.column - 1;
  const all = declarationsIn(path, text);
  const own = all.find(({ start }) => start === place);
  if (!own) return [];
  return all
    .filter(
      ({ name, body, isStatic }) =>
        name === own.name && body === own.body && isStatic === own.isStatic,
    )
    .map(({ start }) => positionAt(starts, start));
}

function declarationsIn(path: string, text: string): Declared[] {
  const found: Declared[] = [];
  const open: (readonly [node: unknown, body: number])[] = [[parseSync(path, text).program, 0]];
  for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen++) {
    const [node, around] = open.pop()!;
    if (!isRecord(node)) continue;
    const type = String(node["type"]);
    const declared = declaredName(type, node);
    if (declared) found.push({ ...declared, body: around, isStatic: node["static"] === true });
    const body = BODIES.has(type) ? Number(node["start"]) : around;
    for (const key of visitorKeys[type] ?? []) {
      const child = node[key];
      for (const each of Array.isArray(child) ? (child as unknown[]) : [child]) {
        open.push([each, body]);
      }
    }
  }
  return found;
}

function declaredName(
  type: string,
  node: Readonly<Record<string, unknown>>,
): Pick<Declared, "name" | "start"> | undefined {
  const isMember = MEMBERS.has(type) && node["computed"] !== true;
  const id = FUNCTIONS.has(type) ? node["id"] : isMember ? node["key"] : undefined;
  if (!isRecord(id)) return undefined;
  const name = id["name"] ?? id["value"];
  // Text in quotes and private names have one character before the name.
  const isShifted = id["type"] !== "Identifier";
  return typeof name === "string"
    ? { name, start: Number(id["start"]) + (isShifted ? 1 : 0) }
    : undefined;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function positionAt(starts: readonly number[], offset: number): NamePosition {
  let line = 0;
  while (line + 1 < starts.length && starts[line + 1]! <= offset) line += 1;
  return { line: line + 1, column: offset - starts[line]! + 1 };
}

const BLANK = /^\s*(?:#.*)?$/u;
const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Every `def` or `class` of a name in a Python file. */
export function pythonDeclarations(lines: readonly string[], name: string): NamePosition[] {
  const pattern = new RegExp(String.raw`^\s*(?:async\s+)?(?:def|class)\s+(?=${name}\b)`, "u");
  return lines.flatMap((line, at) => {
    const start = pattern.exec(line)?.[0];
    return start === undefined ? [] : [{ line: at + 1, column: start.length + 1 }];
  });
}

/** The declarations of a name in the same block as one of them: overloads, getters and setters. */
export function declaredInBlock(
  lines: readonly string[],
  name: string,
  at: NamePosition,
): NamePosition[] {
  const indent = indentOf(lines[at.line - 1] ?? "");
  return pythonDeclarations(lines, name).filter(({ line }) => {
    const [first, last] = line < at.line ? [line, at.line] : [at.line, line];
    const between = lines.slice(first - 1, last);
    return (
      indentOf(lines[line - 1]!) === indent &&
      between.every((each) => BLANK.test(each) || indentOf(each) >= indent)
    );
  });
}
