/** @typedef {import("./walk.js").Node} Node */
import { listChildren, isNode } from "./walk.js";

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** @param {Node} node */
export function isFunction(node) {
  return FUNCTIONS.has(node.type);
}

/**
 * The names that a pattern binds: `{ a, b: [c] }` binds a and c.
 * @param {unknown} pattern
 * @returns {string[]}
 */
export function boundNames(pattern) {
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case "Identifier":
      return [String(pattern["name"])];
    case "AssignmentPattern":
      return boundNames(pattern["left"]);
    case "RestElement":
      return boundNames(pattern["argument"]);
    case "Property":
      return boundNames(pattern["value"]);
    case "ArrayPattern":
    case "ObjectPattern":
      return listChildren(pattern).flatMap(boundNames);
    default:
      return [];
  }
}

/** @param {Node} declaration */
function declaratorNames(declaration) {
  return listChildren(declaration).flatMap((each) => boundNames(each["id"]));
}

/**
 * Names that `var` declares anywhere in a function, inner functions aside.
 * @param {Node} node
 * @returns {string[]}
 */
function varNames(node) {
  if (node.type === "VariableDeclaration" && node["kind"] === "var") return declaratorNames(node);
  return listChildren(node).flatMap((child) => (isFunction(child) ? [] : varNames(child)));
}

/**
 * Names that the statements of one block declare: let, const, class, function.
 * @param {Node} block
 * @returns {string[]}
 */
function blockNames(block) {
  return listChildren(block).flatMap((node) => {
    if (node.type === "VariableDeclaration") return declaratorNames(node);
    if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") {
      return boundNames(node["id"]);
    }
    return [];
  });
}

/**
 * The names that a node's scope declares; undefined for a node without a scope.
 * @param {Node} node
 * @returns {string[] | undefined}
 */
export function scopeNames(node) {
  if (isFunction(node)) {
    const params = Array.isArray(node["params"]) ? node["params"].flatMap(boundNames) : [];
    return [...params, ...boundNames(node["id"]), ...varNames(node), "arguments"];
  }
  switch (node.type) {
    case "Program":
      return [...blockNames(node), ...varNames(node)];
    case "BlockStatement":
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "StaticBlock":
      return blockNames(node);
    case "SwitchStatement":
      return listChildren(node).flatMap(blockNames);
    case "CatchClause":
      return boundNames(node["param"]);
    case "ClassExpression":
    case "ClassDeclaration":
      return boundNames(node["id"]);
    default:
      return undefined;
  }
}
