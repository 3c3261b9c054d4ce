/**
 * A node of the tree. Its other members differ by type.
 * @typedef {{ type: string, start: number, end: number, loc: { start: { line: number, column: number } } } & Record<string, unknown>} Node
 */

/** @param {unknown} value @returns {value is Node} */
export function isNode(value) {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/**
 * The nodes right below one, in their order.
 * @param {Node} node
 * @returns {Node[]}
 */
export function listChildren(node) {
  return Object.values(node).flatMap((value) => {
    if (Array.isArray(value)) return value.filter(isNode);
    return isNode(value) ? [value] : [];
  });
}
