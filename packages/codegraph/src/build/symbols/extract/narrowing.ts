import type { Expression } from "oxc-parser";
import { OP } from "../facts/ops.ts";
import type { Extraction } from "./extraction.ts";

/** Narrows the types of names after a test succeeded, in the current scope. */
export function narrowing(x: Extraction, test: Expression, holds: boolean): void {
  switch (test.type) {
    case "ParenthesizedExpression":
      return narrowing(x, test.expression, holds);
    case "UnaryExpression":
      if (test.operator === "!") narrowing(x, test.argument, !holds);
      return;
    case "LogicalExpression":
      if (test.operator === (holds ? "&&" : "||")) {
        narrowing(x, test.left, holds);
        narrowing(x, test.right, holds);
      }
      return;
    case "BinaryExpression":
      if (holds && test.operator === "instanceof") {
        narrow(x, test.left, OP.constructed, test.right);
      }
      return;
    case "CallExpression":
      if (holds && test.arguments[0] && test.arguments[0].type !== "SpreadElement") {
        narrow(x, test.arguments[0], OP.guarded, test.callee);
      }
      return;
    default:
  }
}

function narrow(x: Extraction, subject: Expression, op: number, by: Expression): void {
  const name = subjectName(subject);
  const known = by.type === "Identifier" ? x.scopes.value(by.name) : undefined;
  if (name === undefined || known === undefined) return;
  const type = x.writer.node1(op, known);
  const plain = x.scopes.value(name);
  if (name.startsWith("this.")) x.scopes.declareValue(name, type);
  else if (plain !== undefined) {
    x.scopes.declareValue(name, x.writer.node2(OP.narrowed, plain, type));
  }
}

/**
 * The name of an expression that can be narrowed: a variable or `this.name`. Calls are left out,
 * because two calls can return different results.
 */
function subjectName(node: Expression): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.computed) return undefined;
  if (node.object.type !== "ThisExpression" || node.property.type === "PrivateIdentifier")
    return undefined;
  return `this.${node.property.name}`;
}
