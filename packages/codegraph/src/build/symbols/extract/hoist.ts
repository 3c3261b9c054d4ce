import type { Expression, Statement, VariableDeclaration, VariableDeclarator } from "oxc-parser";
import { OP } from "../facts/ops.ts";
import type { Extraction } from "./extraction.ts";
import { isFunction } from "./literals.ts";
import { eachName } from "./patterns.ts";

/** A symbol that is declared here and gets its number when the walk comes to it. */
export const PENDING = -1;

/**
 * Declares what a list of statements declares, before any of them is walked: a name may be used
 * above its declaration. In the module every variable is a symbol; elsewhere those that hold
 * functions are.
 */
export function hoist(x: Extraction, body: readonly Statement[], top = false): void {
  const names = new Set<string>();
  for (const statement of body) hoistStatement(x, statement, names, top);
}

function hoistStatement(
  x: Extraction,
  statement: Statement,
  names: Set<string>,
  top: boolean,
): void {
  switch (statement.type) {
    case "VariableDeclaration":
      return hoistVariables(x, statement, top);
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      if (statement.id) both(x, statement.id.name, names, true, false);
      return;
    case "ClassDeclaration":
      if (statement.id) both(x, statement.id.name, names, true, true);
      return;
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return both(x, statement.id.name, names, false, true);
    case "TSEnumDeclaration":
      return both(x, statement.id.name, names, true, true);
    case "TSModuleDeclaration":
      if (statement.id.type === "Identifier" && statement.kind !== "global") {
        both(x, statement.id.name, names, true, true);
      }
      return;
    case "ExportNamedDeclaration":
      if (statement.declaration) hoistStatement(x, statement.declaration, names, top);
      return;
    case "ExportDefaultDeclaration":
      if ("body" in statement.declaration && "id" in statement.declaration) {
        hoistStatement(x, statement.declaration as Statement, names, top);
      }
      return;
    case "ImportDeclaration":
      return hoistImports(x, statement);
    case "TSImportEqualsDeclaration":
      return hoistImportEquals(x, statement);
    default:
  }
}

/** Overloads and merged declarations share the node of the first. */
function both(
  x: Extraction,
  name: string,
  names: Set<string>,
  value: boolean,
  type: boolean,
): void {
  const known = names.has(name) ? (x.scopes.value(name) ?? x.scopes.type(name)) : undefined;
  const node = known ?? x.writer.node1(OP.symbol, PENDING);
  names.add(name);
  if (value) x.scopes.declareValue(name, node);
  if (type) x.scopes.declareType(name, node);
}

export function hoistVariables(
  x: Extraction,
  { declarations }: VariableDeclaration,
  top: boolean,
): void {
  for (const declarator of declarations) {
    const op = top || holdsFunctions(declarator) ? OP.symbol : OP.local;
    eachName(declarator.id, ({ name }) => {
      x.scopes.declareValue(name, x.writer.node1(op, op === OP.symbol ? PENDING : 0));
    });
  }
}

function holdsFunctions({ id, init }: VariableDeclarator): boolean {
  if (!init || id.type !== "Identifier") return false;
  const value = bare(init);
  if (isFunction(value) || value.type === "ClassExpression") return true;
  return (
    value.type === "ObjectExpression" &&
    value.properties.some((part) => part.type === "Property" && isFunction(part.value))
  );
}

/** An initialiser without the casts around it. */
export function bare(node: Expression): Expression {
  let inner = node;
  while (
    inner.type === "ParenthesizedExpression" ||
    inner.type === "TSAsExpression" ||
    inner.type === "TSSatisfiesExpression"
  ) {
    inner = inner.expression;
  }
  return inner;
}

type Of<Type extends Statement["type"]> = Extract<Statement, { type: Type }>;

function hoistImports(x: Extraction, { specifiers, source }: Of<"ImportDeclaration">): void {
  const { writer, scopes } = x;
  const from = writer.text(source.value);
  for (const specifier of specifiers ?? []) {
    const node =
      specifier.type === "ImportNamespaceSpecifier"
        ? writer.node1(OP.module, from)
        : writer.node2(OP.imported, from, writer.text(importedName(specifier)));
    scopes.declareValue(specifier.local.name, node);
    scopes.declareType(specifier.local.name, node);
  }
}

type Specifier = Of<"ImportDeclaration">["specifiers"][number];

function importedName(specifier: Exclude<Specifier, { type: "ImportNamespaceSpecifier" }>): string {
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return specifier.imported.type === "Literal" ? specifier.imported.value : specifier.imported.name;
}

/** `import fs = require("fs")`; an alias of a namespace stays unknown. */
function hoistImportEquals(
  x: Extraction,
  { id, moduleReference }: Of<"TSImportEqualsDeclaration">,
): void {
  if (moduleReference.type !== "TSExternalModuleReference") return;
  const node = x.writer.node1(OP.module, x.writer.text(moduleReference.expression.value));
  x.scopes.declareValue(id.name, node);
  x.scopes.declareType(id.name, node);
}
