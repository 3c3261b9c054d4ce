import type { Node } from "oxc-parser";

export const REQUIRE = "require";
/** Functions that refer to a file without loading it. */
export const RESOLVE = "require.resolve";
const MAX_NAME = 200;

/**
 * The name by which a call loads a file: `require` or a similar function; empty for other calls.
 */
export function requireName(callee: Node, exotic: readonly string[]): string {
  if (callee.type === "Identifier" && callee.name === REQUIRE) return REQUIRE;
  // A fast path, because every call is checked and most trees have no such functions.
  if (exotic.length === 0) return isResolve(callee) ? RESOLVE : "";
  const name = calledName(callee);
  return name === RESOLVE || exotic.includes(name) ? name : "";
}

function isResolve(callee: Node): boolean {
  if (callee.type !== "MemberExpression" || callee.computed) return false;
  const { object, property } = callee;
  if (object.type !== "Identifier" || property.type !== "Identifier") return false;
  return object.name === REQUIRE && property.name === "resolve";
}

/** The called name as written, such as `window.require`; empty if it has none. */
function calledName(callee: Node): string {
  let name = "";
  let node = callee;
  while (node.type === "MemberExpression" && name.length <= MAX_NAME) {
    if (node.computed || node.property.type !== "Identifier") return "";
    name = `.${node.property.name}${name}`;
    node = node.object;
  }
  if (node.type === "ThisExpression") return `this${name}`;
  return node.type === "Identifier" ? node.name + name : "";
}
