import { OP } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker, Found } from "./checker.ts";
import { argumentsEnv } from "./instances.ts";
import { namedExport } from "./names.ts";
import { bind, KIND, SELF, Type, unionOf } from "./type.ts";
import type { Env } from "./type.ts";

const MAX_HERITAGE = 24;
const NOTHING: readonly Found[] = [];

/** The members of a name; several where a value may be one of several types. */
export function findMembers(c: Checker, type: Type, name: string): readonly Found[] {
  const found: Found[] = [];
  collect(c, type, name, type, 0, found);
  return found.length === 0 ? NOTHING : found;
}

/** `self` is the type that was asked, which `this` stands for in what it inherits. */
function collect(
  c: Checker,
  type: Type,
  name: string,
  self: Type,
  depth: number,
  out: Found[],
): void {
  if (depth > MAX_HERITAGE) return;
  switch (type.kind) {
    case KIND.instance:
      return instanceMember(c, type, name, self, depth, out);
    case KIND.value:
      return staticMember(c, type, name, depth, out);
    case KIND.func:
      if (type.symbol >= 0) mergedMember(c, type, name, depth, out);
      return;
    case KIND.object:
      return objectMember(c, type, name, depth, out);
    case KIND.module: {
      const found = namedExport(c, type.file, name, false);
      if (found) out.push(found);
      return;
    }
    case KIND.union:
      for (const part of type.args) if (part) collect(c, part, name, part, depth + 1, out);
      return;
    case KIND.tuple:
      return tupleMember(c, type, name, depth, out);
    case KIND.parameter: {
      const constraint = c.evaluate(type.file, c.file(type.file).code[type.id + 1]!);
      if (constraint && constraint !== type)
        collect(c, constraint, name, constraint, depth + 1, out);
      return;
    }
    default:
  }
}

function instanceMember(
  c: Checker,
  type: Type,
  name: string,
  self: Type,
  depth: number,
  out: Found[],
): void {
  const { file, id } = type;
  c.program.consult(file);
  const linked = c.file(file);
  const env = memberEnv(c, type, self);
  const own = linked.member(id, name, false);
  if (own !== undefined && linked.kind(own) !== "constructor") {
    out.push({ file, symbol: own, node: 0, env, inherited: depth > 0 });
    return;
  }
  const before = out.length;
  for (const base of heritage(c, file, id)) {
    const parent = c.program.offering(file, () => c.evaluate(file, base, env));
    if (parent) collect(c, parent, name, self, depth + 1, out);
    if (out.length > before) return;
  }
}

/** `this` and type parameters only matter where something can be said of them. */
function memberEnv(c: Checker, type: Type, self: Type): Env | undefined {
  const outer = self === type && type.args.length === 0 ? undefined : bind(undefined, SELF, self);
  if (type.args.every((argument) => argument?.kind === KIND.parameter) && outer?.type === type)
    return undefined;
  return argumentsEnv(c, type.file, type.id, type.args, outer);
}

function heritage(c: Checker, file: number, symbol: number): Int32Array {
  const { code } = c.file(file);
  const list = c.file(file).symbol(symbol, SYMBOL.heritage);
  return list === 0 ? code.subarray(0, 0) : code.subarray(list + 2, list + 2 + code[list + 1]!);
}

function staticMember(
  c: Checker,
  { file, id }: Type,
  name: string,
  depth: number,
  out: Found[],
): void {
  c.program.consult(file);
  const linked = c.file(file);
  const own = linked.member(id, name, linked.kind(id) === "class");
  if (own !== undefined) {
    out.push({ file, symbol: own, node: 0, env: undefined, inherited: depth > 0 });
    return;
  }
  mergedMember(c, new Type(KIND.value, file, id, undefined, undefined, id), name, depth, out);
}

/** What a class inherits as a class, and what a namespace of its name adds. */
function mergedMember(
  c: Checker,
  { file, symbol }: Type,
  name: string,
  depth: number,
  out: Found[],
): void {
  const before = out.length;
  for (const base of heritage(c, file, symbol)) {
    const { code } = c.file(file);
    if (code[base] !== OP.instance) continue;
    const parent = c.program.offering(file, () => c.evaluate(file, code[base + 1]!));
    if (parent) collect(c, parent, name, parent, depth + 1, out);
    if (out.length > before) return;
  }
}

function objectMember(
  c: Checker,
  { file, id, env }: Type,
  name: string,
  depth: number,
  out: Found[],
): void {
  const { code, facts } = c.file(file);
  const count = code[id + 1]!;
  for (let place = count - 1; place >= 0; place--) {
    if (facts.text(code[id + 2 + 2 * place]!) !== name) continue;
    const node = code[id + 3 + 2 * place]!;
    const symbol = code[node] === OP.symbol && node !== 0 ? code[node + 1]! : -1;
    out.push({ file, symbol, node, env, inherited: false });
    return;
  }
  const others = id + 2 + 2 * count;
  const before = out.length;
  for (let place = code[others]!; place > 0 && out.length === before; place--) {
    const spread = c.evaluate(file, code[others + place]!, env);
    if (spread && spread.kind !== KIND.func) collect(c, spread, name, spread, depth + 1, out);
  }
}

/** A tuple is a list of any of its elements. */
function tupleMember(c: Checker, { args }: Type, name: string, depth: number, out: Found[]): void {
  const list = namedExport(c, c.program.builtin, "Array", true);
  if (!list) return;
  const array = new Type(KIND.instance, list.file, list.symbol, [unionOf(args)]);
  collect(c, array, name, array, depth + 1, out);
}
