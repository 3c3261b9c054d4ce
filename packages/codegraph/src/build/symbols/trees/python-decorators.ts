import type { SyntaxNode } from "../../languages/grammars.ts";
import { OP } from "../facts/ops.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** Decorators that return a function with the same result, by their full names. */
const TRANSPARENT =
  /^(?:functools\.(?:wraps|cache|lru_cache|cached_property)|(?:typing|typing_extensions)\.(?:overload|override|final|no_type_check)|abc\.abstract\w+|pytest\.(?:fixture|mark\.\w+)|unittest\.(?:skip\w*|expectedFailure|mock\.patch(?:\.\w+)?))$/;
const BUILT_IN = /^(?:staticmethod|classmethod|property)$/;
/** `@name.setter` belongs to a property that the class declares. */
const OF_PROPERTY = /\.(?:setter|getter|deleter)$/;
const DOTTED = /^@\s*([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)/u;

/** Whether the decorated function is known to have the same result as before. */
export function isTransparent(x: TreeWalk, { text }: SyntaxNode): boolean {
  const name = DOTTED.exec(text)?.[1] ?? "";
  if (OF_PROPERTY.test(name)) return true;
  const [first = "", ...rest] = name.split(".");
  const origin = findOrigin(x, first);
  if (origin === undefined) return BUILT_IN.test(name);
  return TRANSPARENT.test([origin, ...rest].join("."));
}

/** The full name of an import; undefined for a built-in name; empty for any other. */
function findOrigin({ scopes, writer }: TreeWalk, name: string): string | undefined {
  const node = scopes.value(name);
  if (node === undefined) return writer.tables.stars.length === 0 ? undefined : "";
  const [op, ...operands] = writer.code.slice(node, node + 3);
  const texts = operands.map((operand) => writer.textAt(operand));
  if (op === OP.module) return texts[0];
  return op === OP.imported ? texts.join(".") : "";
}
