import type {
  Class,
  Function,
  Statement,
  TSEnumDeclaration,
  TSInterfaceDeclaration,
  TSModuleDeclaration,
  TSGlobalDeclaration,
  TSTypeAliasDeclaration,
} from "oxc-parser";
import { OP } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import { afterDecorators, classLike, extend, implemented } from "./classes.ts";
import type { Extraction, SymbolDraft } from "./extraction.ts";
import { func, typeParameters } from "./functions.ts";
import { PENDING } from "./hoist.ts";
import { nameOfKey } from "./names.ts";
import { aliasedType, computedKey, signatureNode } from "./types.ts";

/** Adds a function declaration. Overloads and their implementation are one symbol. */
export function functionDeclaration(x: Extraction, node: Function): number {
  const { start, end } = node;
  const name = node.id?.name ?? "default";
  const symbol = claim(x, node.id ? x.scopes.value(name) : undefined, {
    name,
    kind: "function",
    start,
    end,
    head: node.body?.start ?? end,
  });
  const walked = x.inside(symbol, () => func(x, node, 0));
  x.setType(symbol, x.writer.union([x.writer.get("symbols", symbol, SYMBOL.type), walked]));
  return symbol;
}

/** The symbol of a declared name. A second declaration of the same kind extends the first. */
function claim(x: Extraction, node: number | undefined, draft: SymbolDraft): number {
  const earlier = node === undefined ? PENDING : x.writer.code[node + 1]!;
  if (earlier !== PENDING) {
    extend(x, earlier, draft.end);
    return earlier;
  }
  const symbol = x.declare(draft);
  if (node !== undefined) x.writer.code[node + 1] = symbol;
  return symbol;
}

/**
 * The symbol of a merged declaration. The other declaration of the same name becomes a parent of
 * it.
 */
function claimMerged(x: Extraction, node: number | undefined, draft: SymbolDraft): number {
  const symbol = x.declare(draft);
  if (node === undefined) return symbol;
  const earlier = x.writer.code[node + 1]!;
  if (earlier === PENDING) x.writer.code[node + 1] = symbol;
  else inheritAlso(x, earlier, x.symbolNode(symbol));
  return symbol;
}

function inheritAlso(x: Extraction, symbol: number, node: number): void {
  const { code } = x.writer;
  const known = x.writer.get("symbols", symbol, SYMBOL.heritage);
  const parents = known === 0 ? [] : code.slice(known + 2, known + 2 + code[known + 1]!);
  const instance = code.push(OP.instance, node, 0) - 3;
  x.writer.set("symbols", symbol, SYMBOL.heritage, x.writer.many(OP.list, [...parents, instance]));
}

/** A class takes precedence over an interface of the same name, because it is the value. */
export function classDeclaration(x: Extraction, node: Class): number {
  const start = afterDecorators(x, node.start, node.decorators);
  const name = node.id?.name ?? "default";
  const symbol = x.declare({ name, kind: "class", start, end: node.end, head: node.body.start });
  const known = node.id ? x.scopes.value(name) : undefined;
  const earlier = known === undefined ? PENDING : x.writer.code[known + 1]!;
  if (known !== undefined) x.writer.code[known + 1] = symbol;
  classLike(x, node, symbol);
  if (earlier !== PENDING) inheritAlso(x, symbol, x.symbolNode(earlier));
  return symbol;
}

export function interfaceDeclaration(x: Extraction, node: TSInterfaceDeclaration): void {
  const { start, end } = node;
  const { name } = node.id;
  const draft: SymbolDraft = { name, kind: "interface", start, end, head: node.body.start };
  const symbol = claimMerged(x, x.scopes.type(name), draft);
  const { self } = x;
  x.self = x.writer.node2(OP.self, symbol, 0);
  x.inside(symbol, () => x.scoped(() => interfaceBody(x, node, symbol)));
  x.self = self;
}

function interfaceBody(x: Extraction, node: TSInterfaceDeclaration, symbol: number): void {
  x.writer.set("symbols", symbol, SYMBOL.typeParameters, typeParameters(x, node.typeParameters));
  const parents = node.extends.map(({ expression, typeArguments }) =>
    implemented(x, expression, typeArguments?.params ?? []),
  );
  if (parents.length > 0) {
    x.writer.set("symbols", symbol, SYMBOL.heritage, x.writer.many(OP.list, parents));
  }
  const known = new Map<string, number>();
  const unnamed: number[] = [];
  for (const member of node.body.body) {
    computedKey(x, member);
    const name = "key" in member ? nameOfKey(member.key, member.computed) : undefined;
    if (name === undefined) unnamed.push(signatureNode(x, member));
    else memberDeclaration(x, member, name, known);
  }
  x.setType(symbol, x.writer.union(unnamed));
}

type Signature = TSInterfaceDeclaration["body"]["body"][number];

function memberDeclaration(
  x: Extraction,
  member: Signature,
  name: string,
  known: Map<string, number>,
): void {
  const { start, end } = member;
  const kind =
    member.type === "TSMethodSignature" && member.kind === "method" ? "method" : "property";
  const symbol = known.get(name) ?? x.declare({ name, kind, start, end, head: end });
  if (known.has(name)) extend(x, symbol, end);
  known.set(name, symbol);
  const node = x.inside(symbol, () => signatureNode(x, member));
  x.setType(symbol, x.writer.union([x.writer.get("symbols", symbol, SYMBOL.type), node]));
}

export function aliasDeclaration(x: Extraction, node: TSTypeAliasDeclaration): void {
  const { start, end } = node;
  const { name } = node.id;
  const symbol = claimMerged(x, x.scopes.type(name), { name, kind: "type", start, end, head: end });
  x.inside(symbol, () =>
    x.scoped(() => {
      x.writer.set(
        "symbols",
        symbol,
        SYMBOL.typeParameters,
        typeParameters(x, node.typeParameters),
      );
      x.setType(symbol, aliasedType(x, node.typeAnnotation));
    }),
  );
}

export function enumDeclaration(x: Extraction, node: TSEnumDeclaration): void {
  const { start, end } = node;
  const { name } = node.id;
  const draft: SymbolDraft = { name, kind: "enum", start, end, head: node.body.start };
  const symbol = claimMerged(x, x.scopes.value(name), draft);
  x.inside(symbol, () => {
    for (const { id, start: from, end: to, initializer } of node.body.members) {
      const key = id.type === "TemplateLiteral" ? undefined : nameOfKey(id, false);
      if (key !== undefined)
        x.declare({ name: key, kind: "enumMember", start: from, end: to, head: to });
      if (initializer) x.expression(initializer);
    }
  });
}

/** `declare module "x"` and `global` extend other declarations, so they have no symbol here. */
export function namespaceDeclaration(
  x: Extraction,
  node: TSModuleDeclaration | TSGlobalDeclaration,
): void {
  const { id, body, start, end } = node;
  if (!body) return;
  const { isNested } = x;
  x.isNested = true;
  const walk = (): void => x.scoped(() => x.walk.statements(x, body.body, "module"));
  // A module that is extended has these declarations too.
  if (id.type !== "Identifier") {
    for (const each of body.body)
      for (const name of namesIn(each)) x.writer.unresolved(name, "value");
  }
  if (id.type !== "Identifier" || node.kind === "global") walk();
  else {
    const draft: SymbolDraft = { name: id.name, kind: "namespace", start, end, head: body.start };
    x.inside(claimMerged(x, x.scopes.value(id.name), draft), walk);
  }
  x.isNested = isNested;
}

function namesIn(node: Statement): readonly string[] {
  const declared = node.type === "ExportNamedDeclaration" ? node.declaration : node;
  return declared && "id" in declared && declared.id?.type === "Identifier"
    ? [declared.id.name]
    : [];
}
