import type { BindingIdentifier, VariableDeclaration, VariableDeclarator } from "oxc-parser";
import type { SymbolKind } from "../../../graph/index.ts";
import { OP } from "../facts/ops.ts";
import type { Extraction } from "./extraction.ts";
import { bare, castType } from "./hoist.ts";
import { isFunction, objectLiteral } from "./literals.ts";
import { bindPattern } from "./patterns.ts";

export function variables(x: Extraction, { declarations, kind }: VariableDeclaration): void {
  for (const declarator of declarations) {
    const node =
      declarator.id.type === "Identifier" ? x.scopes.value(declarator.id.name) : undefined;
    if (node !== undefined && x.writer.code[node] === OP.symbol) {
      symbolVariable(x, declarator, kind, node);
    } else {
      bindPattern(x, declarator.id, held(x, declarator), (id, value) =>
        bindName(x, id, value, kind),
      );
    }
  }
}

/** The node of a variable: its declared type, or else its value. */
function held(x: Extraction, { id, init }: VariableDeclarator): number {
  const annotation = "typeAnnotation" in id ? id.typeAnnotation : undefined;
  const declared = annotation ? x.type(annotation.typeAnnotation) : 0;
  const value = init ? x.expression(init, declared) : 0;
  if (init && id.type === "Identifier") x.walk.recognise.held(x, id.name, init);
  return annotation ? declared : value;
}

function bindName(x: Extraction, id: BindingIdentifier, value: number, kind: string): void {
  const node = x.scopes.value(id.name);
  if (node === undefined) return;
  const op = x.writer.code[node];
  if (op === OP.local) x.writer.code[node + 1] = value;
  if (op !== OP.symbol) return;
  const { name, start, end } = id;
  const symbol = x.declare({
    name,
    kind: variableKind(kind),
    start,
    end,
    head: end,
    prefix: `${kind} `,
  });
  x.writer.code[node + 1] = symbol;
  x.setType(symbol, value);
}

const variableKind = (kind: string): SymbolKind =>
  kind === "let" || kind === "var" ? "variable" : "constant";

function symbolVariable(
  x: Extraction,
  declarator: VariableDeclarator,
  kind: string,
  node: number,
): void {
  const { id, init, start, end } = declarator;
  const value = init ? bare(init) : undefined;
  const symbol = x.declare({
    name: id.type === "Identifier" ? id.name : "",
    kind: declaredKind(value, kind),
    start,
    end,
    head: declarationEnd(value, end),
    prefix: `${kind} `,
  });
  x.writer.code[node + 1] = symbol;
  x.setType(
    symbol,
    x.inside(symbol, () => heldBySymbol(x, declarator, symbol)),
  );
}

function heldBySymbol(x: Extraction, declarator: VariableDeclarator, symbol: number): number {
  const { id, init } = declarator;
  const value = init ? bare(init) : undefined;
  const annotation = "typeAnnotation" in id ? id.typeAnnotation : undefined;
  if (init && value?.type === "ClassExpression") {
    if (annotation) x.type(annotation.typeAnnotation);
    castType(x, init);
    x.walk.classLike(x, value, symbol);
    return 0;
  }
  if (!init || value?.type !== "ObjectExpression" || init.type === "TSAsExpression")
    return held(x, declarator);
  const declared = annotation ? x.type(annotation.typeAnnotation) : 0;
  const expected = castType(x, init);
  const object = objectLiteral(x, value, declared === 0 ? expected : declared, true);
  if (id.type === "Identifier") x.walk.recognise.held(x, id.name, value);
  return annotation ? declared : object;
}

function declaredKind(value: VariableDeclarator["init"] | undefined, kind: string): SymbolKind {
  if (value && isFunction(value)) return "function";
  return value?.type === "ClassExpression" ? "class" : variableKind(kind);
}

function declarationEnd(value: VariableDeclarator["init"] | undefined, end: number): number {
  if (value && isFunction(value) && value.body) return value.body.start;
  return value?.type === "ClassExpression" ? value.body.start : end;
}
