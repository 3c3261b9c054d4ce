import { OP } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker } from "./checker.ts";
import { KIND, makeUnion, opened, unionParts } from "./type.ts";
import type { Env, Type } from "./type.ts";

const MAX_DEPTH = 24;

/** The type of a value after a test. */
export function narrowedType(
  c: Checker,
  file: number,
  node: number,
  env: Env | undefined,
): Type | undefined {
  const { code } = c.file(file);
  const test = code[node + 2]!;
  const tested = c.evaluate(file, test, env);
  if (c.program.language(file) !== "python")
    return tested ?? c.evaluate(file, code[node + 1]!, env);
  const plain = c.evaluate(file, code[node + 1]!, env);
  if (!tested) return code[test] === OP.guarded ? plain : opened(plain);
  if (!plain || plain.isOpen || isRelated(c, plain, tested)) return tested;
  // A Python class can inherit from both types, and either may then provide a member.
  return makeUnion([tested, plain]);
}

/** Whether each tested type is a parent or a child of a type in the original union. */
function isRelated(c: Checker, plain: Type, tested: Type): boolean {
  return unionParts(tested).every((test) =>
    unionParts(plain).some(
      (part) => !part || !test || inherits(c, test, part, 0) || inherits(c, part, test, 0),
    ),
  );
}

function inherits(c: Checker, type: Type, from: Type, depth: number): boolean {
  if (type.kind !== KIND.instance || from.kind !== KIND.instance) return true;
  if (type.file === from.file && type.id === from.id) return true;
  if (depth > MAX_DEPTH) return false;
  const linked = c.file(type.file);
  const list = linked.symbol(type.id, SYMBOL.heritage);
  const count = list === 0 ? 0 : linked.code[list + 1]!;
  for (let place = 0; place < count; place++) {
    const base = c.evaluate(type.file, linked.code[list + 2 + place]!);
    const parts = base ? unionParts(base) : [];
    if (parts.some((part) => part && inherits(c, part, from, depth + 1))) return true;
  }
  return false;
}
