import type { Node } from "oxc-parser";

/** One mutant replaces `code.slice(start, end)` with `replacement`. */
export interface Change {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

type NodeWithType<Type extends Node["type"]> = Extract<Node, { type: Type }>;

const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
};

const ARITHMETIC: Readonly<Record<string, string>> = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&": "|",
  "|": "&",
  "<<": ">>",
  ">>": "<<",
  ">>>": "<<",
};

const OTHER_METHOD: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  push: "unshift",
  unshift: "push",
  toLowerCase: "toUpperCase",
  toUpperCase: "toLowerCase",
  all: "race",
};

/** Methods that return a changed copy of their object. */
const COPYING_METHODS = new Set([
  "filter",
  "slice",
  "sort",
  "toSorted",
  "reverse",
  "toReversed",
  "trim",
]);

/** Every change of one node, without its children. `code` is the text of the whole file. */
export function changesTo(node: Node, code: string): Change[] {
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      return [replace("condition", node.test, "true"), replace("condition", node.test, "false")];
    case "WhileStatement":
    case "DoWhileStatement":
      // A condition that is always true is left out: the loop would only reach the time limit.
      return [replace("condition", node.test, "false")];
    case "BinaryExpression":
      return binaryChanges(node, code);
    case "LogicalExpression":
      return logicalChanges(node, code);
    case "AssignmentExpression":
      return assignmentChanges(node, code);
    case "UpdateExpression":
      return [replace("arithmetic", node, flipUpdate(nodeText(code, node)))];
    case "UnaryExpression":
      return node.operator === "!"
        ? [replace("negation", node, nodeText(code, node.argument))]
        : [];
    case "Literal":
      return literalChanges(node);
    case "TemplateLiteral":
      return isProse(nodeText(code, node)) ? [] : [replace("string", node, "``")];
    case "ArrayExpression":
      return node.elements.length === 0 ? [] : [replace("array", node, "[]")];
    case "CallExpression":
      return callChanges(node, code);
    case "MemberExpression":
      return optionalChanges(node, node.object, node.computed, code);
    case "ReturnStatement":
      return node.argument === null ? [] : returnChanges(node.argument, code);
    case "ArrowFunctionExpression":
      return node.expression ? returnChanges(node.body, code) : [];
    case "ExpressionStatement":
    case "ThrowStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return isDirective(node) ? [] : [replace("statement", node, ";")];
    default:
      return [];
  }
}

function binaryChanges(node: NodeWithType<"BinaryExpression">, code: string): Change[] {
  const comparisons = COMPARISONS[node.operator];
  if (comparisons !== undefined) {
    return comparisons.map((operator) => operate("comparison", node, operator, code));
  }
  const operator = ARITHMETIC[node.operator];
  if (operator === undefined || isText(node.left) || isText(node.right)) return [];
  return [operate("arithmetic", node, operator, code)];
}

/** Keeps one side only. A test that detects this would also detect another operator. */
function logicalChanges(node: NodeWithType<"LogicalExpression">, code: string): Change[] {
  return [node.left, node.right].map((side) => replace("logical", node, nodeText(code, side)));
}

function assignmentChanges(node: NodeWithType<"AssignmentExpression">, code: string): Change[] {
  const operator = ARITHMETIC[node.operator.slice(0, -1)];
  if (operator === undefined || isText(node.right)) return [];
  return [operate("arithmetic", node, `${operator}=`, code)];
}

function literalChanges(node: NodeWithType<"Literal">): Change[] {
  if (typeof node.value === "boolean") return [replace("boolean", node, String(!node.value))];
  if (typeof node.value === "number") return [replace("number", node, String(node.value + 1))];
  if (typeof node.value !== "string" || isProse(node.value)) return [];
  return [replace("string", node, node.value === "" ? '"mutant"' : '""')];
}

function callChanges(node: NodeWithType<"CallExpression">, code: string): Change[] {
  const { callee } = node;
  const changes = optionalChanges(node, callee, true, code);
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return changes;
  const { name } = callee.property;
  const other = OTHER_METHOD[name];
  if (other !== undefined) changes.push(replace("method", callee.property, other));
  if (COPYING_METHODS.has(name))
    changes.push(replace("method", node, nodeText(code, callee.object)));
  return changes;
}

/** `a?.b` becomes `a.b`; `a?.[b]` and `a?.(b)` lose their `?.` too. */
function optionalChanges(
  node: NodeWithType<"MemberExpression" | "CallExpression">,
  before: Node,
  isBracketed: boolean,
  code: string,
): Change[] {
  if (!node.optional) return [];
  const start = code.indexOf("?.", before.end);
  if (start === -1 || start >= node.end) return [];
  return [{ kind: "optional", start, end: start + 2, replacement: isBracketed ? "" : "." }];
}

/** Literals are left to another mutator. */
function returnChanges(value: Node, code: string): Change[] {
  const isTold = value.type === "Literal" || nodeText(code, value) === "undefined";
  return isTold ? [] : [replace("return", value, "undefined")];
}

function operate(
  kind: string,
  node: NodeWithType<"BinaryExpression" | "AssignmentExpression">,
  operator: string,
  code: string,
): Change {
  return replace(
    kind,
    node,
    `${nodeText(code, node.left)} ${operator} ${nodeText(code, node.right)}`,
  );
}

/** Adds brackets if necessary, to keep the precedence of operators. */
function replace(kind: string, { start, end, type }: Node, text: string): Change {
  const isCompound = / /.test(text) && type !== "ReturnStatement";
  return { kind, start, end, replacement: isCompound ? `(${text})` : text };
}

function nodeText(code: string, { start, end }: Node): string {
  return code.slice(start, end);
}

function flipUpdate(text: string): string {
  return text.includes("++") ? text.replace("++", "--") : text.replace("--", "++");
}

function isText(node: Node): boolean {
  return (
    node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")
  );
}

/** Sentences for people are not changed, because tests should not compare them exactly. */
function isProse(text: string): boolean {
  return /\s/.test(text);
}

function isDirective(node: Node): boolean {
  return node.type === "ExpressionStatement" && Boolean(node.directive);
}
