import type {
  Declaration,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  Expression,
  ModuleExportName,
  Statement,
} from "oxc-parser";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import { classDeclaration, functionDeclaration, interfaceDeclaration } from "./declarations.ts";
import { addExport } from "./exports.ts";
import type { Extraction } from "./extraction.ts";
import { bare, castType } from "./hoist.ts";
import { isFunction, objectLiteral } from "./literals.ts";
import { eachName } from "./patterns.ts";
import { identifier } from "./references.ts";

/** Handles an export; false for other statements. Imports were declared before. */
export function moduleStatement(x: Extraction, node: Statement): boolean {
  switch (node.type) {
    case "ExportNamedDeclaration":
      exportNamed(x, node);
      return true;
    case "ExportDefaultDeclaration":
      exportDefault(x, node);
      return true;
    case "ExportAllDeclaration":
      if (node.exported) {
        const module = x.writer.node1(OP.module, x.writer.text(node.source.value));
        addExport(x, nameOf(node.exported), module, module, node.start);
      } else x.writer.tables.stars.push(x.writer.text(node.source.value));
      return true;
    case "TSExportAssignment": {
      const value = x.expression(node.expression);
      addExport(x, "export=", value, value, node.start);
      return true;
    }
    case "ImportDeclaration":
    case "TSImportEqualsDeclaration":
      return true;
    default:
      return false;
  }
}

const nameOf = (name: ModuleExportName): string =>
  name.type === "Literal" ? name.value : name.name;

function exportNamed(x: Extraction, node: ExportNamedDeclaration): void {
  if (node.declaration) {
    x.statement(node.declaration);
    for (const name of declaredNames(node.declaration)) exportLocal(x, name, name, node.start);
    return;
  }
  for (const { local, exported, start } of node.specifiers) {
    if (node.source) {
      const from = x.writer.text(node.source.value);
      const found = x.writer.node2(OP.imported, from, x.writer.text(nameOf(local)));
      addExport(x, nameOf(exported), found, found, start);
      x.site(found, local.start, SITE_FLAG.import);
    } else {
      x.later(() => exportNamedLocal(x, local, nameOf(exported), start));
      // The exported name is a member of the namespace. The graph does not follow it.
      if (x.isNested) {
        for (const each of [local, exported]) x.writer.unresolved(nameOf(each), "value");
      }
    }
  }
}

/** `export { a }` uses a declaration or an import of the file. */
function exportNamedLocal(
  x: Extraction,
  local: ModuleExportName,
  exported: string,
  offset: number,
): void {
  const name = nameOf(local);
  const node = x.scopes.value(name) ?? x.scopes.type(name) ?? 0;
  if (node !== 0) x.site(node, local.start, SITE_FLAG.import);
  exportLocal(x, name, exported, offset);
}

function exportLocal(x: Extraction, local: string, exported: string, offset: number): void {
  addExport(x, exported, x.scopes.value(local) ?? 0, x.scopes.type(local) ?? 0, offset);
}

function declaredNames(node: Declaration): string[] {
  if (node.type !== "VariableDeclaration") {
    return "id" in node && node.id?.type === "Identifier" ? [node.id.name] : [];
  }
  const names: string[] = [];
  for (const { id } of node.declarations) eachName(id, ({ name }) => names.push(name));
  return names;
}

function exportDefault(x: Extraction, { declaration, start, end }: ExportDefaultDeclaration): void {
  switch (declaration.type) {
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      return exportSymbol(x, functionDeclaration(x, declaration), start);
    case "ClassDeclaration":
      return exportSymbol(x, classDeclaration(x, declaration), start);
    case "TSInterfaceDeclaration":
      interfaceDeclaration(x, declaration);
      return exportLocal(x, declaration.id.name, "default", start);
    default:
      return exportExpression(x, declaration, start, end);
  }
}

function exportSymbol(x: Extraction, symbol: number, offset: number): void {
  const node = x.symbolNode(symbol);
  addExport(x, "default", node, node, offset);
}

/** An unnamed expression becomes a symbol named `default`. */
function exportExpression(x: Extraction, value: Expression, start: number, end: number): void {
  const inner = bare(value);
  const callable = isFunction(inner);
  if (inner.type === "Identifier") {
    castType(x, value);
    const node = identifier(x, inner.name, inner.start, SITE_FLAG.import);
    return addExport(x, "default", node, node, start);
  }
  const head = callable && inner.body ? inner.body.start : end;
  const symbol = x.declare({
    name: "default",
    kind: callable ? "function" : "constant",
    start,
    end,
    head,
  });
  const held = x.inside(symbol, () =>
    inner.type === "ObjectExpression"
      ? objectLiteral(x, inner, castType(x, value), true)
      : x.expression(value),
  );
  x.setType(symbol, held);
  exportSymbol(x, symbol, start);
}
