import type { Node } from "oxc-parser";

/** Names that every object has, or that code tests for without knowing whether they exist. */
const OF_ANY = /^(?:__esModule|__proto__|constructor|default|hasOwnProperty|toString|valueOf)$/;

/**
 * The names that a node uses from the call inside it: `const { a } = require("x")`,
 * `require("x").a`.
 */
export interface TakenOfCall {
  readonly call: Node;
  readonly names: readonly string[];
}

export function takenOfCall(node: Node): TakenOfCall | undefined {
  if (node.type === "MemberExpression" && node.object.type === "CallExpression") {
    const { object, property, computed } = node;
    if (computed || property.type !== "Identifier" || OF_ANY.test(property.name)) return undefined;
    return { call: object, names: [property.name] };
  }
  if (node.type !== "VariableDeclarator" || node.init?.type !== "CallExpression") return undefined;
  const names = node.id.type === "ObjectPattern" ? node.id.properties.map(takenName) : [];
  const known = names.filter((name) => name !== undefined);
  return known.length > 0 && known.length === names.length
    ? { call: node.init, names: known }
    : undefined;
}

function takenName(property: Node): string | undefined {
  if (property.type !== "Property" || property.computed) return undefined;
  const { key } = property;
  return key.type === "Identifier" && !OF_ANY.test(key.name) ? key.name : undefined;
}
