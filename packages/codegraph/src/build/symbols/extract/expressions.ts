import type { AssignmentExpression, Class, Expression } from "oxc-parser";
import { OP } from "../facts/ops.ts";
import { callLike } from "./calls.ts";
import { exportAssigned, exportedName } from "./commonjs.ts";
import type { Extraction } from "./extraction.ts";
import { bare, castType } from "./hoist.ts";
import { jsxElement } from "./jsx.ts";
import { arrayLiteral, objectLiteral } from "./literals.ts";
import { narrowing } from "./narrowing.ts";
import { assignTo } from "./patterns.ts";
import { identifier, member } from "./references.ts";

/** Walks an expression and returns its node; 0 if nothing is known about its value. */
export function expression(x: Extraction, node: Expression, expected = 0): number {
  switch (node.type) {
    case "Identifier":
      return identifier(x, node.name, node.start, 0);
    case "CallExpression":
    case "NewExpression":
      return callLike(x, node);
    case "MemberExpression":
      return member(x, node, 0);
    case "Literal":
      return literalNode(x, node.value);
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return x.walk.func(x, node, expected);
    case "ObjectExpression":
      return objectLiteral(x, node, expected, false);
    case "ThisExpression":
      return x.self;
    case "Super":
      return x.parent;
    case "ArrayExpression":
      return arrayLiteral(x, node, expected);
    case "AwaitExpression":
      return derived(x, OP.awaited, x.expression(node.argument));
    case "AssignmentExpression":
      return assignment(x, node);
    case "TSAsExpression":
    case "TSTypeAssertion":
      return cast(x, node.expression, x.type(node.typeAnnotation));
    case "TSSatisfiesExpression":
      return x.expression(node.expression, x.type(node.typeAnnotation));
    case "TSNonNullExpression":
    case "ParenthesizedExpression":
    case "ChainExpression":
      return x.expression(node.expression, expected);
    case "TSInstantiationExpression":
      for (const argument of node.typeArguments.params) x.type(argument);
      return x.expression(node.expression, expected);
    default:
      return rarer(x, node, expected);
  }
}

function rarer(x: Extraction, node: Expression, expected: number): number {
  switch (node.type) {
    case "LogicalExpression":
      return logical(x, node.left, node.right, node.operator, expected);
    case "BinaryExpression":
      binary(x, node.left, node.right);
      return x.writer.node1(OP.literal, 0);
    case "ConditionalExpression":
      return conditional(x, node.test, node.consequent, node.alternate, expected);
    case "UnaryExpression":
      x.expression(node.argument);
      return x.writer.node1(OP.literal, node.operator === "void" ? 3 : 0);
    case "UpdateExpression":
      x.expression(node.argument);
      return x.writer.node1(OP.literal, 1);
    case "TemplateLiteral":
      for (const part of node.expressions) x.expression(part);
      return x.writer.node1(OP.literal, 0);
    case "TaggedTemplateExpression":
      return callLike(x, node);
    case "SequenceExpression":
      return node.expressions.map((part) => x.expression(part)).at(-1) ?? 0;
    case "ClassExpression":
      return classExpression(x, node);
    case "YieldExpression":
      if (node.argument) x.expression(node.argument);
      return 0;
    case "ImportExpression":
      if (node.options) x.expression(node.options);
      return dynamicImport(x, node.source);
    case "JSXElement":
    case "JSXFragment":
      jsxElement(x, node);
      return 0;
    default:
      return 0;
  }
}

function derived(x: Extraction, op: number, node: number): number {
  return node === 0 ? 0 : x.writer.node1(op, node);
}

const LITERALS: Readonly<Record<string, number>> = { string: 0, number: 1, bigint: 1, boolean: 2 };

function literalNode(x: Extraction, value: unknown): number {
  return x.writer.node1(OP.literal, value === null ? 3 : (LITERALS[typeof value] ?? 0));
}

/** A cast has its target type. With `any`, nothing is known. */
function cast(x: Extraction, inner: Expression, type: number): number {
  x.expression(inner, type);
  return type;
}

function assignment(x: Extraction, { left, right, operator }: AssignmentExpression): number {
  const name = operator === "=" && x.frame === undefined ? exportedName(x, left) : undefined;
  if (name !== undefined) {
    const value = bare(right);
    return exportAssigned(x, name, value, () =>
      value.type === "ObjectExpression"
        ? objectLiteral(x, value, castType(x, right), true)
        : x.expression(right),
    );
  }
  const target = assignTo(x, left);
  const value = x.expression(right, target);
  return value === 0 ? target : value;
}

/** Chains such as `a + b + c` can have thousands of parts, so they are walked in a loop. */
function binary(
  x: Extraction,
  left: Expression | { type: "PrivateIdentifier" },
  right: Expression,
): void {
  const rights = [right];
  let rest = left;
  while (rest.type === "BinaryExpression") {
    rights.push(rest.right);
    rest = rest.left;
  }
  if (rest.type !== "PrivateIdentifier") x.expression(rest);
  for (let part = rights.pop(); part; part = rights.pop()) x.expression(part);
}

function logical(
  x: Extraction,
  left: Expression,
  right: Expression,
  operator: string,
  expected: number,
): number {
  const first = x.expression(left, expected);
  if (operator !== "&&") return x.writer.oneOf([first, x.expression(right, expected)]);
  return x.scoped(() => {
    narrowing(x, left, true);
    return x.expression(right, expected);
  });
}

function conditional(
  x: Extraction,
  test: Expression,
  consequent: Expression,
  alternate: Expression,
  expected: number,
): number {
  x.expression(test);
  const yes = x.scoped(() => {
    narrowing(x, test, true);
    return x.expression(consequent, expected);
  });
  return x.writer.oneOf([yes, x.expression(alternate, expected)]);
}

function classExpression(x: Extraction, node: Class): number {
  const name = node.id?.name ?? "class";
  const symbol = x.declare({
    name,
    kind: "class",
    start: node.start,
    end: node.end,
    head: node.body.start,
  });
  x.scoped(() => {
    if (node.id) x.scopes.declareValue(name, x.symbolNode(symbol));
    x.walk.classLike(x, node, symbol);
  });
  return x.symbolNode(symbol);
}

/** The node of `import("./x")`: a promise whose value is the module. */
function dynamicImport(x: Extraction, source: Expression): number {
  const { writer } = x;
  if (source.type !== "Literal" || typeof source.value !== "string") {
    x.expression(source);
    return 0;
  }
  const promise = writer.node1(OP.global, writer.text("Promise"));
  return (
    writer.code.push(OP.instance, promise, 1, writer.node1(OP.module, writer.text(source.value))) -
    4
  );
}
