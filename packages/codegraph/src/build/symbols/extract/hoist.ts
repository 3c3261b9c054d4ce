import { entityName } from "./types.ts";
import type { Expression, Statement, VariableDeclaration, VariableDeclarator } from "oxc-parser";
import { REQUIRE, requireName, RESOLVE } from "../../modules/require-name.ts";
import { literalText } from "../../modules/literal-text.ts";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import type { Extraction } from "./extraction.ts";
import { isFunction } from "./literals.ts";
import { nameOfKey } from "./names.ts";
import { eachName } from "./patterns.ts";

/** A declared symbol that gets its number when the walk reaches it. */
export const PENDING = -1;

/** The level of a list of statements, which decides whether its variables are symbols. */
export type Level = "module" | "function" | "block";

/**
 * Declares the names of a list of statements before they are walked, because a name may be used
 * above its declaration. In a module every variable is a symbol; elsewhere only those with
 * functions are.
 */
export function hoist(x: Extraction, body: readonly Statement[], level: Level): void {
  const names = new Set<string>();
  for (const statement of body) hoistStatement(x, statement, names, level);
  if (level !== "block" && x.hasVars) hoistVars(x, body);
}

function hoistStatement(
  x: Extraction,
  statement: Statement,
  names: Set<string>,
  level: Level,
): void {
  switch (statement.type) {
    case "VariableDeclaration":
      return hoistVariables(x, statement, level);
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
      if (statement.declaration) hoistStatement(x, statement.declaration, names, level);
      return;
    case "ExportDefaultDeclaration":
      if ("body" in statement.declaration && "id" in statement.declaration) {
        hoistStatement(x, statement.declaration as Statement, names, level);
      }
      return;
    case "ImportDeclaration":
      return hoistImports(x, statement);
    case "TSImportEqualsDeclaration":
      return hoistImportEquals(x, statement);
    default:
  }
}

/**
 * Declares `var` for the whole function, however deep it is nested. Files without `var` skip this.
 */
function hoistVars(x: Extraction, body: readonly Statement[]): void {
  const pending = body.flatMap(innerStatements);
  for (const statement of pending) {
    if (statement.type === "VariableDeclaration") {
      if (statement.kind === "var") hoistVariables(x, statement, "function");
    } else pending.push(...innerStatements(statement));
  }
}

/** The statements nested in another one, without those of inner functions. */
function innerStatements(statement: Statement): Statement[] {
  switch (statement.type) {
    case "BlockStatement":
      return statement.body;
    case "IfStatement":
      return statement.alternate
        ? [statement.consequent, statement.alternate]
        : [statement.consequent];
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement": {
      const head = statement.type === "ForStatement" ? statement.init : statement.left;
      return head?.type === "VariableDeclaration" ? [head, statement.body] : [statement.body];
    }
    case "WhileStatement":
    case "DoWhileStatement":
    case "LabeledStatement":
      return [statement.body];
    case "TryStatement":
      return [
        statement.block,
        ...(statement.handler ? [statement.handler.body] : []),
        ...(statement.finalizer ? [statement.finalizer] : []),
      ];
    case "SwitchStatement":
      return statement.cases.flatMap(({ consequent }) => consequent);
    default:
      return [];
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

/** A `var` in a block is already declared in its function. */
export function hoistVariables(
  x: Extraction,
  { declarations, kind }: VariableDeclaration,
  level: Level,
): void {
  if (kind === "var" && level === "block") return;
  for (const declarator of declarations) {
    if (hoistRequired(x, declarator)) continue;
    const op = level === "module" || holdsFunctions(declarator) ? OP.symbol : OP.local;
    eachName(declarator.id, ({ name }) => {
      x.scopes.declareValue(name, x.writer.node1(op, op === OP.symbol ? PENDING : 0));
    });
  }
}

/** `const { a } = require("./b")` and `= await import("./b")` count as imports. */
function hoistRequired(x: Extraction, { id, init }: VariableDeclarator): boolean {
  const specifier = init ? (requiredSpecifier(x, init) ?? awaitedSpecifier(init)) : undefined;
  if (specifier === undefined) return false;
  const from = x.writer.text(specifier);
  if (id.type === "Identifier") {
    x.scopes.declareValue(id.name, x.writer.node1(OP.module, from));
    return true;
  }
  if (id.type !== "ObjectPattern") return false;
  for (const property of id.properties) {
    if (property.type === "RestElement" || property.value.type !== "Identifier") continue;
    const name = nameOfKey(property.key, property.computed);
    if (name === undefined) continue;
    const node = x.writer.node2(OP.imported, from, x.writer.text(name));
    x.scopes.declareValue(property.value.name, node);
  }
  return true;
}

/** The specifier of `await import("./x")`. */
function awaitedSpecifier(node: Expression): string | undefined {
  if (node.type !== "AwaitExpression" || node.argument.type !== "ImportExpression")
    return undefined;
  const { source } = node.argument;
  return source.type === "Literal" && typeof source.value === "string" ? source.value : undefined;
}

/** The specifier of `require("./x")`, if the file does not declare its own `require`. */
export function requiredSpecifier(x: Extraction, node: Expression): string | undefined {
  if (node.type !== "CallExpression") return undefined;
  const name = requireName(node.callee, x.exotic);
  if (name === "" || name === RESOLVE) return undefined;
  if (name === REQUIRE && x.scopes.value(REQUIRE) !== undefined) return undefined;
  return literalText(node.arguments[0]);
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

/** An initialiser without casts. */
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

/** Walks the types of the casts that `bare` leaves out. Returns the outermost type. */
export function castType(x: Extraction, node: Expression): number {
  switch (node.type) {
    case "ParenthesizedExpression":
      return castType(x, node.expression);
    case "TSAsExpression":
    case "TSSatisfiesExpression": {
      const type = x.type(node.typeAnnotation);
      const inner = castType(x, node.expression);
      return type === 0 ? inner : type;
    }
    default:
      return 0;
  }
}

type Of<Type extends Statement["type"]> = Extract<Statement, { type: Type }>;

function hoistImports(
  x: Extraction,
  { specifiers, source, importKind }: Of<"ImportDeclaration">,
): void {
  const { writer, scopes } = x;
  const from = writer.text(source.value);
  const kind = importKind === "type" ? SITE_FLAG.import | SITE_FLAG.typeOnly : SITE_FLAG.import;
  for (const specifier of specifiers ?? []) {
    const node =
      specifier.type === "ImportNamespaceSpecifier"
        ? writer.node1(OP.module, from)
        : writer.node2(OP.imported, from, writer.text(importedName(specifier)));
    scopes.declareValue(specifier.local.name, node);
    scopes.declareType(specifier.local.name, node);
    if (specifier.type === "ImportSpecifier") x.site(node, specifier.imported.start, kind);
    else if (specifier.type === "ImportDefaultSpecifier") x.site(node, specifier.start, kind);
  }
}

type Specifier = Of<"ImportDeclaration">["specifiers"][number];

function importedName(specifier: Exclude<Specifier, { type: "ImportNamespaceSpecifier" }>): string {
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return specifier.imported.type === "Literal" ? specifier.imported.value : specifier.imported.name;
}

/** `import fs = require("fs")`, or an alias of a member: `import a = space.a`. */
function hoistImportEquals(
  x: Extraction,
  { id, moduleReference }: Of<"TSImportEqualsDeclaration">,
): void {
  const node =
    moduleReference.type === "TSExternalModuleReference"
      ? x.writer.node1(OP.module, x.writer.text(moduleReference.expression.value))
      : entityName(x, moduleReference, true);
  if (node === 0) return;
  x.scopes.declareValue(id.name, node);
  x.scopes.declareType(id.name, node);
}
