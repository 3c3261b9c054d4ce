import { FUNC_FLAG, OP } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker, Found } from "./checker.ts";
import { findElement, instanceOfName, later, promised } from "./instances.ts";
import { narrowedType } from "./narrowed.ts";
import { namedExport, resolveName, specifierTarget, variableTwins } from "./names.ts";
import { parameterAt } from "./parameters.ts";
import { readAttribute } from "./python-hooks.ts";
import { symbolType, foundType } from "./symbol-type.ts";
import { bound, typeKey, KIND, opened, SELF, Type, makeUnion } from "./type.ts";
import type { Env } from "./type.ts";

/** The type of a node. */
export function evaluate(
  c: Checker,
  file: number,
  node: number,
  env: Env | undefined,
): Type | undefined {
  const { code, facts } = c.file(file);
  const a = code[node + 1]!;
  const b = code[node + 2]!;
  switch (code[node]) {
    case OP.symbol:
      return symbolType(c, file, a, env);
    case OP.imported:
      return importedType(c, resolveName(c, file, node, false), facts.text(b));
    case OP.module:
      return moduleType(c, file, a);
    case OP.local:
      return c.evaluate(file, a, env);
    case OP.global:
      return typeOfName(c, resolveName(c, file, node, false));
    case OP.self:
      return selfType(c, file, a, b === 1, env);
    case OP.parent:
      return parentType(c, file, a, b === 1, env);
    case OP.member:
      return from(c.evaluate(file, a, env), (owner) => memberType(c, owner, facts.text(b)));
    case OP.call:
      return from(c.evaluate(file, a, env), () => c.rules.callResult(c, file, node, env));
    case OP.awaited:
      return from(c.evaluate(file, a, env), (type) => promised(c, type));
    case OP.element:
      return from(c.evaluate(file, a, env), (type) => findElement(c, type, b));
    case OP.func:
      return new Type(KIND.func, file, node, undefined, env);
    case OP.object:
      return new Type(KIND.object, file, node, undefined, env);
    default:
      return evaluateType(c, file, node, env);
  }
}

function evaluateType(
  c: Checker,
  file: number,
  node: number,
  env: Env | undefined,
): Type | undefined {
  const { code } = c.file(file);
  const a = code[node + 1]!;
  switch (code[node]) {
    case OP.union:
    case OP.intersection:
      return makeUnion(each(c, file, node + 1, env));
    case OP.array:
      return builtinInstance(c, "Array", [later(c, file, a, env)]);
    case OP.tuple:
      return new Type(KIND.tuple, 0, 0, each(c, file, node + 1, env));
    case OP.instance:
      return instanceOfName(c, file, a, eachLater(c, file, node + 2, env), env);
    case OP.typeParameter: {
      const given = bound(env, typeKey(file, node));
      return given ? c.force(given.type) : new Type(KIND.parameter, file, node);
    }
    case OP.argument:
      return c.rules.expected(c, file, a, code[node + 2]!, env);
    case OP.parameter:
      return parameterType(c, c.evaluate(file, a, env), code[node + 2]!);
    case OP.returned:
      return from(c.evaluate(file, a, env), (type) => returnType(c, type, false));
    case OP.guarded:
      return from(c.evaluate(file, a, env), (type) => returnType(c, type, true));
    case OP.constructed:
      return from(c.evaluate(file, a, env), (type) => c.rules.construct(c, type));
    case OP.narrowed:
      return narrowedType(c, file, node, env);
    case OP.literal:
      return new Type(KIND.literal, 0, a);
    default:
      return undefined;
  }
}

/** Derives a type from another one. If that one is uncertain, the result is too. */
function from(type: Type | undefined, derive: (type: Type) => Type | undefined): Type | undefined {
  if (!type) return undefined;
  return type.isOpen ? opened(derive(type)) : derive(type);
}

function each(c: Checker, file: number, start: number, env: Env | undefined): (Type | undefined)[] {
  const { code } = c.file(file);
  const types: (Type | undefined)[] = [];
  for (let place = 1; place <= code[start]!; place++) {
    types.push(c.evaluate(file, code[start + place]!, env));
  }
  return types;
}

/** Type arguments are evaluated on demand, because most are never needed. */
function eachLater(
  c: Checker,
  file: number,
  start: number,
  env: Env | undefined,
): (Type | undefined)[] {
  const { code } = c.file(file);
  const types: (Type | undefined)[] = [];
  for (let place = 1; place <= code[start]!; place++)
    types.push(later(c, file, code[start + place]!, env));
  return types;
}

function typeOfName(c: Checker, found: Found | undefined): Type | undefined {
  return found && foundType(c, found);
}

/** A variable of a Go package that several files declare, each for another build, is any of them. */
function importedType(c: Checker, found: Found | undefined, name: string): Type | undefined {
  const type = typeOfName(c, found);
  const twins = found ? variableTwins(c, found, name) : [];
  return twins.length === 0 ? type : makeUnion([type, ...twins.map((twin) => foundType(c, twin))]);
}

function moduleType(c: Checker, file: number, specifier: number): Type | undefined {
  const target = specifierTarget(c, file, specifier);
  if (target === undefined) return undefined;
  c.program.lookUp("export=");
  const assigned = c.file(target).exported("export=");
  const module = new Type(KIND.module, target, 0);
  return assigned ? makeUnion([c.evaluate(target, assigned.value), module]) : module;
}

function selfType(
  c: Checker,
  file: number,
  symbol: number,
  fixed: boolean,
  env: Env | undefined,
): Type | undefined {
  if (fixed) return new Type(KIND.value, file, symbol);
  return bound(env, SELF)?.type ?? openInstance(c, file, symbol);
}

/** An instance of a class inside its own declaration, where its type parameters are unbound. */
function openInstance(c: Checker, file: number, symbol: number): Type {
  const { code } = c.file(file);
  const list = c.file(file).symbol(symbol, SYMBOL.typeParameters);
  const count = list === 0 ? 0 : code[list + 1]!;
  const args = Array.from(
    { length: count },
    (_, place) => new Type(KIND.parameter, file, code[list + 2 + place]!),
  );
  return new Type(KIND.instance, file, symbol, args);
}

function parentType(
  c: Checker,
  file: number,
  symbol: number,
  fixed: boolean,
  env: Env | undefined,
): Type | undefined {
  const { code } = c.file(file);
  const list = c.file(file).symbol(symbol, SYMBOL.heritage);
  if (list === 0 || code[list + 1] === 0) return undefined;
  const base = code[list + 2]!;
  return fixed ? c.evaluate(file, code[base + 1]!, env) : c.evaluate(file, base, env);
}

function memberType(c: Checker, owner: Type, name: string): Type | undefined {
  const types = c.findMembers(owner, name).map((found) => foundType(c, found));
  return readAttribute(c, owner, makeUnion(types));
}

function builtinInstance(
  c: Checker,
  name: string,
  args: readonly (Type | undefined)[],
): Type | undefined {
  const found = namedExport(c, c.program.builtin, name, true);
  return found && new Type(KIND.instance, found.file, found.symbol, args);
}

/** The type of a parameter, from the first signature that declares it. */
function parameterType(c: Checker, type: Type | undefined, place: number): Type | undefined {
  if (!type) return undefined;
  for (const signature of c.signatures(type, false)) {
    const found = parameterAt(c, signature, place, signature.env);
    if (found) return found;
  }
  return undefined;
}

function returnType(c: Checker, type: Type, guard: boolean): Type | undefined {
  const results: (Type | undefined)[] = [];
  for (const { file, node, env } of c.signatures(type, false)) {
    const { code } = c.file(file);
    const guards = (code[node + 1]! & FUNC_FLAG.guard) !== 0;
    if (guards === guard) results.push(c.evaluate(file, code[node + 2]!, env));
  }
  return makeUnion(results);
}
