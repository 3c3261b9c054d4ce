import type { AssignmentTarget, Expression } from "oxc-parser";
import { OP } from "../facts/ops.ts";
import type { Extraction } from "./extraction.ts";
import { addExport } from "./exports.ts";

/** The exported name of an assignment: `exports.x = …`, or `export=` for `module.exports = …`. */
export function exportedName(x: Extraction, target: AssignmentTarget): string | undefined {
  if (target.type !== "MemberExpression" || target.computed) return undefined;
  const { object, property } = target;
  if (property.type !== "Identifier") return undefined;
  if (isFree(x, object, "module") && property.name === "exports") return "export=";
  return isFree(x, object, "exports") || isModuleExports(x, object) ? property.name : undefined;
}

function isModuleExports(x: Extraction, node: Expression): boolean {
  if (node.type !== "MemberExpression" || node.computed) return false;
  return (
    isFree(x, node.object, "module") &&
    node.property.type === "Identifier" &&
    node.property.name === "exports"
  );
}

/** Whether a name is provided by the module system, and not declared in the file. */
function isFree(x: Extraction, node: Expression, name: string): boolean {
  return node.type === "Identifier" && node.name === name && x.scopes.value(name) === undefined;
}

/** Exports an assigned value. A function or object without a name gets the exported name. */
export function exportAssigned(
  x: Extraction,
  name: string,
  value: Expression,
  walk: () => number,
): number {
  const callable = value.type === "FunctionExpression" || value.type === "ArrowFunctionExpression";
  if (!callable && value.type !== "ObjectExpression") {
    const node = walk();
    if (node !== 0) addExport(x, name, node, node, value.start);
    return node;
  }
  const { start, end } = value;
  const head = callable && value.body ? value.body.start : end;
  const shown = name === "export=" ? "default" : name;
  const kind = callable ? "function" : "constant";
  const symbol = x.declare({ name: shown, kind, start, end, head });
  x.setType(symbol, x.inside(symbol, walk));
  const node = x.writer.node1(OP.symbol, symbol);
  addExport(x, name, node, node, start);
  return node;
}
