import type {
  Argument,
  CallExpression,
  Expression,
  NewExpression,
  TaggedTemplateExpression,
} from "oxc-parser";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import type { Extraction } from "./extraction.ts";
import { requiredSpecifier } from "./hoist.ts";
import { identifier, member } from "./references.ts";

type CallLike = CallExpression | NewExpression | TaggedTemplateExpression;

/** The offset of the first argument in a call node. */
const FIRST_ARGUMENT = 4;

/**
 * Adds a node for a call. Its space is reserved before the arguments are walked, because they refer
 * to it.
 */
export function callLike(x: Extraction, node: CallLike): number {
  const { writer } = x;
  const construct = node.type === "NewExpression";
  const required = node.type === "CallExpression" ? requiredSpecifier(x, node) : undefined;
  if (required !== undefined) return writer.node1(OP.module, writer.text(required));
  const callee = getCallee(x, calleeNode(node), construct ? SITE_FLAG.construct : SITE_FLAG.call);
  const types = (node.typeArguments?.params ?? []).map((type) => x.type(type));
  const values = node.type === "TaggedTemplateExpression" ? [] : node.arguments;
  const call = writer.code.push(OP.call, callee, construct ? 1 : 0, values.length) - FIRST_ARGUMENT;
  for (let place = 0; place < values.length; place++) writer.code.push(0);
  writer.code.push(types.length, ...types);
  for (const [place, value] of values.entries()) {
    writer.code[call + FIRST_ARGUMENT + place] = argument(x, value, callee === 0 ? 0 : call, place);
  }
  if (node.type === "TaggedTemplateExpression") {
    for (const part of node.quasi.expressions) x.expression(part);
  }
  if (node.type !== "TaggedTemplateExpression") x.walk.recognise.called(x, node, call);
  return callee === 0 ? 0 : call;
}

function calleeNode(node: CallLike): Expression {
  return node.type === "TaggedTemplateExpression" ? node.tag : node.callee;
}

/** Walks the callee. The call itself is its use, so no second use is recorded. */
function getCallee(x: Extraction, callee: Expression, flags: number): number {
  switch (callee.type) {
    case "Identifier":
      return identifier(x, callee.name, callee.start, flags);
    case "MemberExpression":
      return member(x, callee, flags);
    case "ParenthesizedExpression":
    case "TSNonNullExpression":
    case "ChainExpression":
      return getCallee(x, callee.expression, flags);
    case "Super":
      if (x.parent !== 0) x.site(x.parent, callee.start, SITE_FLAG.construct);
      return x.parent;
    default:
      return x.expression(callee);
  }
}

function argument(x: Extraction, value: Argument, call: number, place: number): number {
  if (value.type === "SpreadElement") {
    x.expression(value.argument);
    return 0;
  }
  const expects = call !== 0 && EXPECTING.has(value.type);
  return x.expression(value, expects ? x.writer.node2(OP.argument, call, place) : 0);
}

/** Only expressions with functions can use information from their context. */
const EXPECTING: ReadonlySet<string> = new Set<Expression["type"]>([
  "ArrowFunctionExpression",
  "FunctionExpression",
  "ObjectExpression",
  "ArrayExpression",
  "ConditionalExpression",
  "LogicalExpression",
  "ParenthesizedExpression",
]);
