import { INDEXED, OP } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker } from "./checker.ts";
import { resolveName } from "./names.ts";
import { bind, bound, typeKey, KIND, unionParts, Type, makeUnion } from "./type.ts";
import type { Env } from "./type.ts";

type Types = readonly (Type | undefined)[];

/** An instance of a named type. An alias is replaced by its target. */
export function instanceOfName(
  c: Checker,
  file: number,
  name: number,
  args: Types,
  env: Env | undefined,
): Type | undefined {
  const { code, facts } = c.file(file);
  if (code[name] === OP.global) {
    const derived = derivedType(c, facts.text(code[name + 1]!), args);
    if (derived) return derived;
  }
  const found = resolveName(c, file, name, true);
  if (!found) return constructed(c, c.evaluate(file, name, env));
  if (found.symbol < 0) return constructed(c, c.evaluate(found.file, found.node));
  return instanceOfSymbol(c, found.file, found.symbol, args);
}

function constructed(c: Checker, type: Type | undefined): Type | undefined {
  return type && c.rules.construct(c, type);
}

export function instanceOfSymbol(
  c: Checker,
  file: number,
  symbol: number,
  args: Types,
): Type | undefined {
  const linked = c.file(file);
  c.program.consult(file);
  switch (linked.kind(symbol)) {
    case "class":
    case "struct":
    case "interface":
    case "enum":
    case "namespace":
      return new Type(KIND.instance, file, symbol, args);
    case "enumMember":
      return new Type(KIND.instance, file, linked.symbol(symbol, SYMBOL.parent));
    case "type":
      // In Go, a type that is defined by another one has its own members.
      if (linked.symbol(symbol, SYMBOL.heritage) !== 0) {
        return new Type(KIND.instance, file, symbol, args);
      }
      return c.program.offering(file, () =>
        c.unfold(
          file,
          symbol,
          linked.symbol(symbol, SYMBOL.type),
          argumentsEnv(c, file, symbol, args, undefined),
        ),
      );
    default:
      return constructed(c, c.evaluate(file, linked.symbol(symbol, SYMBOL.type)));
  }
}

/** The type arguments for a symbol's type parameters. */
export function argumentsEnv(
  c: Checker,
  file: number,
  symbol: number,
  args: Types,
  outer: Env | undefined,
): Env | undefined {
  const { code } = c.file(file);
  const list = c.file(file).symbol(symbol, SYMBOL.typeParameters);
  if (list === 0) return outer;
  let env = outer;
  for (let place = 0; place < code[list + 1]!; place++) {
    const parameter = code[list + 2 + place]!;
    const given = args[place] ?? later(c, file, code[parameter + 2]!, env);
    // A given argument of unknown type is bound too, because it is not the same as a missing
    // argument.
    if (given || place < args.length) env = bind(env, typeKey(file, parameter), given);
  }
  return env;
}

/** A type that is evaluated on demand. */
export function later(
  c: Checker,
  file: number,
  node: number,
  env: Env | undefined,
): Type | undefined {
  if (node === 0) return undefined;
  const known =
    c.file(file).code[node] === OP.typeParameter ? bound(env, typeKey(file, node)) : undefined;
  return known ? known.type : new Type(KIND.later, file, node, undefined, env);
}

const DERIVED = new Set(["ReturnType", "InstanceType", "Awaited"]);

/** The utility types of the language, such as `Partial<T>`. */
function derivedType(c: Checker, name: string, args: Types): Type | undefined {
  if (!DERIVED.has(name)) return undefined;
  const first = c.force(args[0]);
  if (!first) return undefined;
  switch (name) {
    case "ReturnType":
      return makeUnion(
        c
          .signatures(first, false)
          .map(({ file, node, env }) => c.evaluate(file, c.file(file).code[node + 2]!, env)),
      );
    case "InstanceType":
      return c.rules.construct(c, first);
    case "Awaited":
      return promised(c, first);
    default:
      return undefined;
  }
}

const MAX_PROMISES = 8;

/** The awaited type of a value. Recursion such as `type J = T | Promise<J>` is limited. */
export function promised(c: Checker, type: Type | undefined, depth = 0): Type | undefined {
  if (!type || depth > MAX_PROMISES) return undefined;
  if (type.kind === KIND.union) {
    return makeUnion(type.args.map((part) => promised(c, part, depth + 1)));
  }
  if (isBuiltin(c, type, "Promise")) return promised(c, c.force(type.args[0]), depth + 1);
  // The value of a class with its own `then` is unknown.
  return type.kind === KIND.instance && c.findMembers(type, "then").length > 0 ? undefined : type;
}

function isBuiltin(c: Checker, type: Type, name: string): boolean {
  if (type.kind !== KIND.instance || type.file !== c.program.builtin) return false;
  const linked = c.file(type.file);
  return linked.facts.text(linked.symbol(type.id, SYMBOL.name)) === name;
}

const MAX_ELEMENTS = 16;

/** The type of an element when a value is iterated or indexed. */
export function findElement(
  c: Checker,
  type: Type | undefined,
  index: number,
  depth = 0,
): Type | undefined {
  // A type that is defined by itself has no elements.
  if (!type || depth > MAX_ELEMENTS) return undefined;
  switch (type.kind) {
    case KIND.union:
      return makeUnion(unionParts(type).map((part) => findElement(c, part, index, depth + 1)));
    case KIND.tuple:
      if (index === INDEXED) return type.args[1];
      return index >= 0 ? type.args[index] : makeUnion(type.args);
    case KIND.func:
    case KIND.value:
      // `f[int]` is a function or type with type arguments.
      return index === INDEXED ? type : undefined;
    case KIND.instance: {
      const indexed = c.file(type.file).symbol(type.id, SYMBOL.type);
      const env = argumentsEnv(c, type.file, type.id, type.args, undefined);
      const op = c.file(type.file).code[indexed];
      return op === OP.tuple || op === OP.instance
        ? findElement(c, c.evaluate(type.file, indexed, env), index, depth + 1)
        : indexSignature(c, type.file, indexed, env);
    }
    case KIND.object:
      return objectElement(c, type);
    default:
      return undefined;
  }
}

/** An index signature is stored as the list of its value types. */
function indexSignature(
  c: Checker,
  file: number,
  node: number,
  env: Env | undefined,
): Type | undefined {
  const { code } = c.file(file);
  if (code[node] === OP.array) return c.evaluate(file, code[node + 1]!, env);
  if (code[node] !== OP.union) return undefined;
  for (let place = 0; place < code[node + 1]!; place++) {
    const found = indexSignature(c, file, code[node + 2 + place]!, env);
    if (found) return found;
  }
  return undefined;
}

function objectElement(c: Checker, { file, id, env }: Type): Type | undefined {
  const { code } = c.file(file);
  const others = id + 2 + 2 * code[id + 1]!;
  for (let place = 1; place <= code[others]!; place++) {
    const found = indexSignature(c, file, code[others + place]!, env);
    if (found) return found;
  }
  return undefined;
}
