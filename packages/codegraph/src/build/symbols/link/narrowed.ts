import { OP } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker } from "./checker.ts";
import { KIND, makeUnion, opened, typeKey, unionParts } from "./type.ts";
import type { Env, Type } from "./type.ts";

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
      (part) => !part || !test || inherits(c, test, part) || inherits(c, part, test),
    ),
  );
}

/** Classes that inherit from several others can reach a parent in very many ways. */
function inherits(c: Checker, type: Type, from: Type): boolean {
  const seen = new Set<number>();
  const pending = [type];
  for (const each of pending) {
    if (each.kind !== KIND.instance || from.kind !== KIND.instance) return true;
    if (each.file === from.file && each.id === from.id) return true;
    const key = typeKey(each.file, each.id);
    if (seen.has(key)) continue;
    seen.add(key);
    pending.push(...evaluateBases(c, each));
  }
  return false;
}

function evaluateBases(c: Checker, { file, id }: Type): Type[] {
  const linked = c.file(file);
  const list = linked.symbol(id, SYMBOL.heritage);
  const count = list === 0 ? 0 : linked.code[list + 1]!;
  const found: Type[] = [];
  for (let place = 0; place < count; place++) {
    const base = c.evaluate(file, linked.code[list + 2 + place]!);
    for (const part of base ? unionParts(base) : []) if (part) found.push(part);
  }
  return found;
}
