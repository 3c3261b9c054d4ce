import type { SyntaxNode } from "../../languages/grammars.ts";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import { children } from "./tree-walk.ts";
import type { TreeWalk } from "./tree-walk.ts";

const LISTS =
  /^(?:typing\.)?(?:list|List|set|Set|tuple|Tuple|Sequence|Iterable|Iterator|frozenset)$/;
const WRAPPERS = /^(?:typing\.)?(?:Optional|Union|Annotated|Final|ClassVar|Awaitable|Type|type)$/;

/** The node of what a type annotation names. */
export function annotation(x: TreeWalk, node: SyntaxNode | undefined): number {
  return node ? x.deeper(() => typeOf(x, node)) : 0;
}

function typeOf(x: TreeWalk, node: SyntaxNode): number {
  switch (node.type) {
    case "identifier":
      return named(x, node.text, node);
    case "string":
      return named(x, node.text.slice(1, -1), node);
    case "generic_type":
    case "subscript":
      return generic(x, node);
    case "attribute":
      return qualified(x, node);
    case "binary_operator":
    case "union_type":
      return x.writer.oneOf(children(node).map((part) => annotation(x, part)));
    default: {
      const [inner] = children(node);
      return inner ? annotation(x, inner) : 0;
    }
  }
}

function named(x: TreeWalk, name: string, at: SyntaxNode): number {
  const found = x.scopes.value(name);
  if (found === undefined || x.writer.code[found] === OP.local) return 0;
  x.site(found, at, SITE_FLAG.typeOnly);
  return x.instance(found);
}

function qualified(x: TreeWalk, node: SyntaxNode): number {
  const [object, name] = children(node);
  const owner = object && x.scopes.value(object.text);
  if (owner === undefined || !name) return 0;
  const found = x.member(owner, name.text);
  x.site(found, name, SITE_FLAG.typeOnly);
  return x.instance(found);
}

/** `list[X]` holds X; `Optional[X]` is X or nothing. */
function generic(x: TreeWalk, node: SyntaxNode): number {
  const [name, ...rest] = children(node);
  const inner = rest.flatMap((part) => (part.type === "type_parameter" ? children(part) : [part]));
  const types = inner.map((part) => annotation(x, part));
  if (LISTS.test(name?.text ?? "")) return x.writer.node1(OP.array, x.writer.union(types));
  return WRAPPERS.test(name?.text ?? "") ? x.writer.union(types) : name ? annotation(x, name) : 0;
}
