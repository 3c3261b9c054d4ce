import { isNode } from "./walk.js";

/** @typedef {import("./walk.js").Node} Node */
/** @typedef {{ at: number, text: string }} Insertion */

/** @param {unknown} node @returns {Node} */
function asNode(node) {
  return /** @type {Node} */ (node);
}

/** @param {Node} node */
function withoutChain(node) {
  return node.type === "ChainExpression" ? asNode(node["expression"]) : node;
}

/** A name, or a member of one. Reading it again changes nothing. @param {Node} node @returns {boolean} */
function isPath(node) {
  const inner = withoutChain(node);
  if (inner.type === "Identifier") return true;
  const isMember = inner.type === "MemberExpression" && inner["computed"] !== true;
  return isMember && isPath(asNode(inner["object"]));
}

/** The operands of `a ?? b ?? c`. @param {Node} node @param {unknown} operator @returns {Node[]} */
function listOperands(node, operator) {
  if (node.type !== "LogicalExpression" || node["operator"] !== operator) return [node];
  return [asNode(node["left"]), asNode(node["right"])].flatMap((side) =>
    listOperands(side, operator),
  );
}

/**
 * `label.name ?? label` accepts a label that is a string already. A string reports unknown members,
 * so the program asks first whether it is one.
 * @param {string} code @param {Node} node @returns {{ before: Insertion, after: Insertion } | undefined}
 */
export function ownFallback(code, node) {
  if (node.type !== "LogicalExpression" || node["operator"] === "&&") return undefined;
  const operands = listOperands(node, node["operator"]);
  const last = /** @type {Node} */ (operands.pop());
  if (!isPath(last)) return undefined;
  const whole = code.slice(last.start, last.end);
  const isOfWhole = operands.map(withoutChain).every((member) => {
    const object = member["object"];
    return isPath(member) && isNode(object) && code.slice(object.start, object.end) === whole;
  });
  if (!isOfWhole) return undefined;
  return {
    before: { at: node.start, text: `(typeof ${whole} === "string" ? ${whole} : (` },
    after: { at: node.end, text: "))" },
  };
}
