import type {
  Expression,
  ForOfStatement,
  ForInStatement,
  IfStatement,
  Statement,
  TryStatement,
} from "oxc-parser";
import { OP } from "../facts/ops.ts";
import {
  aliasDeclaration,
  classDeclaration,
  enumDeclaration,
  functionDeclaration,
  interfaceDeclaration,
  namespaceDeclaration,
} from "./declarations.ts";
import type { Extraction } from "./extraction.ts";
import { declareLocal } from "./functions.ts";
import { hoist, hoistVariables } from "./hoist.ts";
import type { Level } from "./hoist.ts";
import { moduleStatement } from "./modules.ts";
import { narrowing } from "./narrowing.ts";
import { assignTo, bindPattern } from "./patterns.ts";
import { variables } from "./variables.ts";

/** Declares the names of the statements, then walks them. */
export function statements(x: Extraction, body: readonly Statement[], level: Level): void {
  hoist(x, body, level);
  for (const node of body) x.statement(node);
}

export function statement(x: Extraction, node: Statement): void {
  switch (node.type) {
    case "ExpressionStatement":
      x.expression(node.expression);
      return;
    case "BlockStatement":
      return x.scoped(() => statements(x, node.body, "block"));
    case "VariableDeclaration":
      return variables(x, node);
    case "ReturnStatement":
      return returned(x, node.argument);
    case "IfStatement":
      return conditional(x, node);
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      functionDeclaration(x, node);
      return;
    case "ClassDeclaration":
      classDeclaration(x, node);
      return;
    case "TSInterfaceDeclaration":
      return interfaceDeclaration(x, node);
    case "TSTypeAliasDeclaration":
      return aliasDeclaration(x, node);
    case "TSEnumDeclaration":
      return enumDeclaration(x, node);
    case "TSModuleDeclaration":
      return namespaceDeclaration(x, node);
    case "ThrowStatement":
      x.expression(node.argument);
      return;
    case "TryStatement":
      return attempt(x, node);
    default:
      if (!moduleStatement(x, node)) loop(x, node);
  }
}

function returned(x: Extraction, argument: Expression | null): void {
  if (!argument) return;
  const value = x.expression(argument, x.frame?.expected ?? 0);
  x.frame?.returns.push(value);
}

/** A test is true in its branch and, after `if (!test) return`, in the statements that follow. */
function conditional(x: Extraction, { test, consequent, alternate }: IfStatement): void {
  x.expression(test);
  x.scoped(() => {
    narrowing(x, test, true);
    x.statement(consequent);
  });
  if (alternate) {
    x.scoped(() => {
      narrowing(x, test, false);
      x.statement(alternate);
    });
  } else if (exits(consequent)) narrowing(x, test, false);
}

function exits(node: Statement): boolean {
  const last = node.type === "BlockStatement" ? node.body.at(-1) : node;
  return (
    last?.type === "ReturnStatement" ||
    last?.type === "ThrowStatement" ||
    last?.type === "ContinueStatement"
  );
}

function attempt(x: Extraction, { block, handler, finalizer }: TryStatement): void {
  x.statement(block);
  if (handler) {
    x.scoped(() => {
      const { param } = handler;
      if (param) bindPattern(x, param, 0, (id, value) => declareLocal(x, id, value));
      x.statement(handler.body);
    });
  }
  if (finalizer) x.statement(finalizer);
}

function loop(x: Extraction, node: Statement): void {
  switch (node.type) {
    case "ForOfStatement":
    case "ForInStatement":
      return each(x, node);
    case "ForStatement":
      return x.scoped(() => {
        if (node.init?.type === "VariableDeclaration") {
          hoistVariables(x, node.init, "block");
          variables(x, node.init);
        } else if (node.init) x.expression(node.init);
        if (node.test) x.expression(node.test);
        if (node.update) x.expression(node.update);
        x.statement(node.body);
      });
    case "WhileStatement":
    case "DoWhileStatement":
      x.expression(node.test);
      return x.statement(node.body);
    case "SwitchStatement":
      x.expression(node.discriminant);
      return x.scoped(() => {
        for (const { consequent } of node.cases) hoist(x, consequent, "block");
        for (const { test, consequent } of node.cases) {
          if (test) x.expression(test);
          for (const inner of consequent) x.statement(inner);
        }
      });
    case "WithStatement":
      x.expression(node.object);
      return x.statement(node.body);
    case "LabeledStatement":
      return x.statement(node.body);
    default:
  }
}

function each(x: Extraction, node: ForOfStatement | ForInStatement): void {
  x.scoped(() => {
    const list = x.expression(node.right);
    const item =
      node.type === "ForOfStatement" && list !== 0 ? x.writer.node2(OP.element, list, -1) : 0;
    const value =
      item !== 0 && node.type === "ForOfStatement" && node.await
        ? x.writer.node1(OP.awaited, item)
        : item;
    if (node.left.type === "VariableDeclaration") {
      for (const { id } of node.left.declarations) {
        bindPattern(x, id, value, (name, part) => declareLocal(x, name, part));
      }
    } else assignTo(x, node.left);
    x.statement(node.body);
  });
}
