import type { Node } from "oxc-parser";

export const REQUIRE = "require";
/** Names a file without loading it. */
export const RESOLVE = "require.resolve";
const MAX_NAME = 200;

/** By which name a call loads a file: `require`, or one of those in its place; empty for any other. */
export function requireName(callee: Node, exotic: readonly string[]): string {
  if (callee.type === "Identifier" && callee.name === REQUIRE) return REQUIRE;
  // Most trees name no other, and every call of a file comes by here.
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

/** As it is written, such as `window.require`; empty for what has no such name. */
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
