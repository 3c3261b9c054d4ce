import { visitorKeys } from "oxc-parser";
import type { Node } from "oxc-parser";

/**
 * Returns the child nodes, for walks without recursion. Generated code can be nested deeper than
 * the stack allows.
 */
export function pushChildren(node: Node, pending: Node[]): void {
  for (const key of visitorKeys[node.type] ?? []) {
    const child: unknown = Reflect.get(node, key);
    if (Array.isArray(child)) for (const item of child) pushNode(item, pending);
    else pushNode(child, pending);
  }
}

function pushNode(value: unknown, pending: Node[]): void {
  if (isNode(value)) pending.push(value);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}
