import type { Checker } from "./checker.ts";
import { foundType } from "./symbol-type.ts";
import { KIND, makeUnion, unionParts } from "./type.ts";
import type { Type } from "./type.ts";

/** The value of a Python attribute. A descriptor of the class gives the result of its `__get__`. */
export function readAttribute(c: Checker, owner: Type, type: Type | undefined): Type | undefined {
  if (!type || c.program.language(owner.file) !== "python") return type;
  const results = unionParts(type).flatMap((part) => {
    const methods = part?.kind === KIND.instance ? c.findMembers(part, "__get__") : [];
    return methods.flatMap((found) => callResults(c, foundType(c, found)));
  });
  // An attribute of the instance can hide the descriptor, so the value itself is possible too.
  return results.length === 0 ? type : makeUnion([type, ...results]);
}

/** The result of calling a Python class. Its `__new__` may return another object. */
export function madeByClass(c: Checker, callee: Type, instance: Type): Type | undefined {
  if (c.program.language(callee.file) !== "python") return instance;
  const made = c
    .findMembers(callee, "__new__")
    .flatMap((found) => callResults(c, foundType(c, found)))
    .filter((type) => type !== undefined && !type.isOpen);
  return made.length === 0 ? instance : makeUnion([instance, ...made]);
}

function callResults(c: Checker, type: Type | undefined): (Type | undefined)[] {
  if (!type) return [];
  return c
    .signatures(type, false)
    .map(({ file, node, env }) => c.evaluate(file, c.file(file).code[node + 2]!, env));
}
