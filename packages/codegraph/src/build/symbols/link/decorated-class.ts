import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker } from "./checker.ts";
import { KIND, makeUnion, Type, unionParts } from "./type.ts";

/**
 * The type of a Python class with decorators. A decorator may return another class or an object,
 * but most return the class itself. A function is ignored, because it is usually not what the
 * decorator returns in the end.
 */
export function decoratedClass(c: Checker, file: number, symbol: number): Type | undefined {
  const own = new Type(KIND.value, file, symbol);
  const linked = c.file(file);
  const node = linked.symbol(symbol, SYMBOL.type);
  if (node === 0 || c.program.language(file) !== "python") return own;
  const made = c.evaluate(file, node);
  const others = (made ? unionParts(made) : []).filter(
    (part) => part?.kind === KIND.value || part?.kind === KIND.instance,
  );
  return makeUnion([own, ...others]);
}
