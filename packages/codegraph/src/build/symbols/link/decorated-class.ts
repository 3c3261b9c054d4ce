import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker } from "./checker.ts";
import { KIND, makeUnion, Type, unionParts } from "./type.ts";

/**
 * A Python class as a value. A decorator may return another class or an object. Most return the
 * class itself, and a function that a decorator returns is usually not the result.
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
