import type {
  Class,
  ClassElement,
  Decorator,
  Expression,
  MethodDefinition,
  TSType,
} from "oxc-parser";
import { OP, SITE_FLAG, SYMBOL_FLAG } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Extraction } from "./extraction.ts";
import { method, typeParameters } from "./functions.ts";
import { bare } from "./hoist.ts";
import { objectLiteral } from "./literals.ts";
import { nameOfKey } from "./names.ts";
import { identifier, member } from "./references.ts";
import { indexSignature, instance } from "./types.ts";

/** Walks a class that already has a symbol. */
export function classLike(x: Extraction, node: Class, symbol: number): void {
  const { self, parent, frame } = x;
  const { controller } = x.notes;
  x.inside(symbol, () => {
    decorators(x, node.decorators);
    x.walk.recognise.classDecorated(x, node.decorators);
    x.scoped(() => {
      const types = typeParameters(x, node.typeParameters);
      x.writer.set("symbols", symbol, SYMBOL.typeParameters, types);
      x.self = x.writer.node2(OP.self, symbol, 0);
      x.writer.set("symbols", symbol, SYMBOL.heritage, heritage(x, node));
      x.frame = { returns: [], expected: 0 };
      elements(x, node.body.body, symbol);
    });
  });
  x.self = self;
  x.parent = parent;
  x.frame = frame;
  x.notes.controller = controller;
}

function decorators(x: Extraction, list: readonly Decorator[] | undefined): void {
  for (const { expression } of list ?? []) {
    if (expression.type === "Identifier") {
      identifier(x, expression.name, expression.start, SITE_FLAG.call);
    } else x.expression(expression);
  }
}

function heritage(x: Extraction, node: Class): number {
  const parents: number[] = [];
  if (node.superClass) {
    const base = inherited(x, node.superClass, SITE_FLAG.inherit);
    parents.push(instance(x, base, node.superTypeArguments?.params ?? []));
  }
  for (const { expression, typeArguments } of node.implements ?? []) {
    parents.push(implemented(x, expression, typeArguments?.params ?? []));
  }
  return parents.length === 0 ? 0 : x.writer.many(OP.list, parents);
}

export function implemented(
  x: Extraction,
  expression: Expression,
  params: readonly TSType[],
): number {
  const flags = SITE_FLAG.inherit | SITE_FLAG.typeOnly;
  if (expression.type !== "Identifier") return instance(x, inherited(x, expression, flags), params);
  const name = x.scopes.type(expression.name);
  if (name !== undefined) x.site(name, expression.start, flags);
  const known = name ?? x.writer.node1(OP.global, x.writer.text(expression.name));
  return instance(x, known, params);
}

function inherited(x: Extraction, base: Expression, flags: number): number {
  if (base.type === "Identifier") return identifier(x, base.name, base.start, flags);
  if (base.type === "MemberExpression") return member(x, base, flags);
  return x.expression(base);
}

function elements(x: Extraction, list: readonly ClassElement[], symbol: number): void {
  const known = new Map<string, number>();
  for (const element of list) {
    const fixed = element.type !== "StaticBlock" && element.static;
    x.self = x.writer.node2(OP.self, symbol, fixed ? 1 : 0);
    x.parent = x.writer.node2(OP.parent, symbol, fixed ? 1 : 0);
    switch (element.type) {
      case "MethodDefinition":
      case "TSAbstractMethodDefinition":
        methodElement(x, element, known);
        break;
      case "PropertyDefinition":
      case "TSAbstractPropertyDefinition":
      case "AccessorProperty":
      case "TSAbstractAccessorProperty":
        property(x, element);
        break;
      case "StaticBlock":
        x.self = x.writer.node2(OP.self, symbol, 1);
        x.scoped(() => x.walk.statements(x, element.body, "function"));
        break;
      case "TSIndexSignature":
        indexSignature(x, element);
    }
  }
}

const METHOD_KINDS = {
  constructor: "constructor",
  method: "method",
  get: "accessor",
  set: "accessor",
} as const;

/** Overloads of a method are one symbol. The getter and setter of a property are one symbol too. */
function methodElement(x: Extraction, node: MethodDefinition, known: Map<string, number>): void {
  if (node.computed) x.expression(node.key as Expression);
  const name = nameOfKey(node.key, node.computed) ?? "";
  const key = `${node.static ? "static " : ""}${name}`;
  const head = node.value.body?.start ?? node.end;
  const start = afterDecorators(x, node.start, node.decorators);
  const flags = node.static ? SYMBOL_FLAG.static : 0;
  const earlier = known.get(key);
  const draft = { name, kind: METHOD_KINDS[node.kind], start, end: node.end, head, flags };
  const symbol = earlier ?? x.declare(draft);
  known.set(key, symbol);
  if (earlier !== undefined) extend(x, symbol, node.end);
  const properties = node.kind === "constructor" ? parameterProperties(x, node) : [];
  x.walk.recognise.methodDecorated(x, node.decorators, name, symbol);
  const walked = x.inside(symbol, () => {
    decorators(x, node.decorators);
    return method(x, node.value, 0);
  });
  for (const [place, made] of properties) x.setType(made, x.writer.code[walked + 5 + place]!);
  if (node.kind !== "set")
    addSignature(x, symbol, node.kind === "get" ? x.writer.node1(OP.returned, walked) : walked);
}

function addSignature(x: Extraction, symbol: number, node: number): void {
  const earlier = x.writer.get("symbols", symbol, SYMBOL.type);
  x.setType(symbol, x.writer.union([earlier, node]));
}

/** Extends a symbol to the end of its last part. */
export function extend(x: Extraction, symbol: number, end: number): void {
  x.writer.set("symbols", symbol, SYMBOL.endLine, x.lines.lineOf(end));
  x.writer.set("symbols", symbol, SYMBOL.endColumn, x.lines.columnOf(end));
}

/** `constructor(private x: X)` also declares a property of the class. */
function parameterProperties(
  x: Extraction,
  { value: { params } }: MethodDefinition,
): [number, number][] {
  const found: [number, number][] = [];
  for (const [place, param] of params.entries()) {
    if (param.type !== "TSParameterProperty") continue;
    const { parameter, end } = param;
    const target = parameter.type === "AssignmentPattern" ? parameter.left : parameter;
    if (target.type !== "Identifier") continue;
    const start = afterDecorators(x, param.start, param.decorators);
    found.push([place, x.declare({ name: target.name, kind: "property", start, end, head: end })]);
  }
  return found;
}

type Property = Extract<
  ClassElement,
  {
    type:
      | "PropertyDefinition"
      | "AccessorProperty"
      | "TSAbstractPropertyDefinition"
      | "TSAbstractAccessorProperty";
  }
>;

function property(x: Extraction, node: Property): void {
  if (node.computed) x.expression(node.key as Expression);
  const name = nameOfKey(node.key, node.computed) ?? "";
  const start = afterDecorators(x, node.start, node.decorators);
  const value = node.value ? bare(node.value) : undefined;
  const callable =
    value?.type === "ArrowFunctionExpression" || value?.type === "FunctionExpression";
  const head = callable && value.body ? value.body.start : node.end;
  const kind = callable ? "method" : "property";
  const flags = node.static ? SYMBOL_FLAG.static : 0;
  const symbol = x.declare({ name, kind, start, end: node.end, head, flags });
  x.inside(symbol, () => {
    decorators(x, node.decorators);
    const declared = node.typeAnnotation ? x.type(node.typeAnnotation.typeAnnotation) : 0;
    const held = propertyValue(x, node.value, declared);
    x.setType(symbol, node.typeAnnotation ? declared : held);
  });
}

function propertyValue(x: Extraction, value: Expression | null, expected: number): number {
  if (!value) return 0;
  if (value.type === "ObjectExpression") return objectLiteral(x, value, expected, true);
  return x.expression(value, expected);
}

export function afterDecorators(
  x: Extraction,
  start: number,
  list: readonly Decorator[] | undefined,
): number {
  const last = list?.at(-1);
  if (!last || last.start < start) return start;
  let place = last.end;
  while (/\s/.test(x.text.charAt(place))) place += 1;
  return place;
}
