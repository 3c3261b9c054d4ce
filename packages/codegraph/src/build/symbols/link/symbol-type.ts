import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker, Found } from "./checker.ts";
import { decoratedClass } from "./decorated-class.ts";
import { KIND, Type, makeUnion, opened } from "./type.ts";
import type { Env } from "./type.ts";

/** The type of a symbol that is used as a value. */
export function symbolType(
  c: Checker,
  file: number,
  symbol: number,
  env: Env | undefined,
): Type | undefined {
  if (symbol < 0) return undefined;
  return c.program.offering(file, () => declaredType(c, file, symbol, env));
}

function declaredType(
  c: Checker,
  file: number,
  symbol: number,
  env: Env | undefined,
): Type | undefined {
  const linked = c.file(file);
  const node = linked.symbol(symbol, SYMBOL.type);
  switch (linked.kind(symbol)) {
    case "class":
      return decoratedClass(c, file, symbol);
    case "struct":
    case "enum":
    case "namespace":
      return new Type(KIND.value, file, symbol);
    case "enumMember":
      return new Type(KIND.instance, file, linked.symbol(symbol, SYMBOL.parent));
    case "function":
    case "method":
      return namedType(c.evaluate(file, node, env), file, symbol);
    case "type":
      if (linked.symbol(symbol, SYMBOL.heritage) !== 0) return new Type(KIND.value, file, symbol);
      return undefined;
    case "interface":
      return undefined;
    case "module":
      return new Type(KIND.module, file, 0);
    default:
      return c.evaluate(file, node, env);
  }
}

/** Adds the symbol to a function's type, so that its calls are recognised wherever it is passed. */
function namedType(type: Type | undefined, file: number, symbol: number): Type | undefined {
  if (type?.kind === KIND.union) {
    const named = makeUnion(type.args.map((part) => namedType(part, file, symbol)));
    return type.isOpen ? opened(named) : named;
  }
  if (type?.kind !== KIND.func || type.file !== file || type.symbol !== -1) return type;
  return new Type(KIND.func, file, type.id, type.args, type.env, symbol, type.isOpen);
}

export function foundType(c: Checker, { file, symbol, node, env }: Found): Type | undefined {
  return symbol >= 0 ? symbolType(c, file, symbol, env) : c.evaluate(file, node, env);
}
