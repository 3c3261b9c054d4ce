import type { ArrayExpression, Expression, ObjectExpression, ObjectProperty } from "oxc-parser";
import { OP } from "../facts/ops.ts";
import type { Extraction, FunctionNode } from "./extraction.ts";
import { nameOfKey } from "./names.ts";

/**
 * Walks an object literal and its members. If the object belongs to a symbol (`owned`), its
 * functions are symbols too.
 */
export function objectLiteral(
  x: Extraction,
  { properties }: ObjectExpression,
  expected: number,
  owned: boolean,
): number {
  const members: number[] = [];
  const spreads: number[] = [];
  for (const property of properties) {
    if (property.type === "SpreadElement") {
      const spread = x.expression(property.argument);
      if (spread !== 0) spreads.push(spread);
      continue;
    }
    if (property.computed) x.expression(property.key as Expression);
    const name = nameOfKey(property.key, property.computed);
    if (name !== undefined) x.writer.unresolved(name, "key");
    const place = name === undefined || expected === 0 ? 0 : literalMember(x, expected, name);
    const value = propertyValue(x, property, name, place, owned);
    if (name !== undefined) members.push(x.writer.text(name), value);
  }
  const { code } = x.writer;
  const start = code.push(OP.object, members.length / 2) - 2;
  code.push(...members, spreads.length, ...spreads);
  return start;
}

function literalMember(x: Extraction, object: number, name: string): number {
  return x.writer.node2(OP.member, object, x.writer.text(name));
}

function propertyValue(
  x: Extraction,
  property: ObjectProperty,
  name: string | undefined,
  expected: number,
  owned: boolean,
): number {
  const { value } = property;
  if (!owned || name === undefined) return getterOr(x, property, x.expression(value, expected));
  if (isFunction(value)) return getterOr(x, property, getMethod(x, property, name, expected));
  if (value.type === "ObjectExpression") return objectLiteral(x, value, expected, true);
  return x.expression(value, expected);
}

/** The type of a getter is the type of its return value. */
function getterOr(x: Extraction, { kind }: ObjectProperty, value: number): number {
  return kind === "get" && value !== 0 ? x.writer.node1(OP.returned, value) : value;
}

function getMethod(
  x: Extraction,
  property: ObjectProperty,
  name: string,
  expected: number,
): number {
  const { start, end, value } = property;
  const body = isFunction(value) && value.body ? value.body.start : end;
  const symbol = x.declare({ name, kind: "method", start, end, head: body });
  x.setType(
    symbol,
    x.inside(symbol, () => x.expression(value, expected)),
  );
  return x.symbolNode(symbol);
}

export function isFunction(node: Expression): node is FunctionNode {
  return node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression";
}

export function arrayLiteral(
  x: Extraction,
  { elements }: ArrayExpression,
  expected: number,
): number {
  const parts: number[] = [];
  let spread = false;
  for (const element of elements) {
    if (element?.type === "SpreadElement") {
      spread = true;
      const inner = x.expression(element.argument);
      parts.push(inner === 0 ? 0 : x.writer.node2(OP.element, inner, -1));
    } else if (element) {
      const place = expected === 0 ? 0 : x.writer.node2(OP.element, expected, parts.length);
      parts.push(x.expression(element, place));
    }
  }
  if (spread || parts.length > 8) return x.writer.node1(OP.array, x.writer.oneOf(parts));
  return parts.length === 0 ? 0 : x.writer.many(OP.tuple, parts);
}
