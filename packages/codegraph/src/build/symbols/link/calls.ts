import { FUNC_FLAG, OP, REQUIRED_SHIFT } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker, Signature } from "./checker.ts";
import { inferred } from "./infer.ts";
import { argumentsEnv, instanceOfSymbol } from "./instances.ts";
import { parameterAt } from "./parameters.ts";
import { madeByClass } from "./python-hooks.ts";
import { foundType } from "./symbol-type.ts";
import { KIND, opened, unionParts, Type, makeUnion, visitKey } from "./type.ts";
import type { Env } from "./type.ts";

const MAX_SIGNATURES = 40;

/** Every signature of a value for calls or for `new`. */
export function signatures(c: Checker, type: Type, isNew: boolean): readonly Signature[] {
  const found: Signature[] = [];
  addSignatures(c, type, isNew, { found, seen: new Set() }, 0);
  return found;
}

/** The signatures found so far, and the types that were searched for them. */
interface Search {
  readonly found: Signature[];
  readonly seen: Set<unknown>;
}

function addSignatures(c: Checker, type: Type, isNew: boolean, to: Search, depth: number): void {
  const out = to.found;
  // Other type arguments give other signatures.
  const key = type.args.length === 0 ? visitKey(type) : type;
  if (depth > 16 || out.length > MAX_SIGNATURES || to.seen.has(key)) return;
  to.seen.add(key);
  switch (type.kind) {
    case KIND.func:
      return addFunction(c, type.file, type.id, type.env, isNew, out);
    case KIND.union:
      for (const part of type.args) if (part) addSignatures(c, part, isNew, to, depth + 1);
      return;
    case KIND.instance: {
      const env = argumentsEnv(c, type.file, type.id, type.args, undefined);
      addDeclared(c, type.file, c.file(type.file).symbol(type.id, SYMBOL.type), env, isNew, out);
      if (c.program.language(type.file) === "python") return addCallable(c, type, to, depth);
      return inheritedSignatures(c, type, env, isNew, to, depth);
    }
    case KIND.object: {
      const { code } = c.file(type.file);
      const others = type.id + 2 + 2 * code[type.id + 1]!;
      for (let place = 1; place <= code[others]!; place++) {
        addDeclared(c, type.file, code[others + place]!, type.env, isNew, out);
      }
      return;
    }
    case KIND.parameter: {
      const constraint = c.evaluate(type.file, c.file(type.file).code[type.id + 1]!);
      if (constraint) addSignatures(c, constraint, isNew, to, depth + 1);
      return;
    }
    default:
  }
}

/** In Python, a call of an instance runs its `__call__`. */
function addCallable(c: Checker, type: Type, to: Search, depth: number): void {
  for (const found of c.findMembers(type, "__call__")) {
    const method = foundType(c, found);
    if (method) addSignatures(c, method, false, to, depth + 1);
  }
}

function addFunction(
  c: Checker,
  file: number,
  node: number,
  env: Env | undefined,
  isNew: boolean,
  out: Signature[],
): void {
  const builds = (c.file(file).code[node + 1]! & FUNC_FLAG.construct) !== 0;
  if (builds === isNew) out.push({ file, node, env });
}

/** Adds the call signatures of an interface or type literal. */
function addDeclared(
  c: Checker,
  file: number,
  node: number,
  env: Env | undefined,
  isNew: boolean,
  out: Signature[],
): void {
  const { code } = c.file(file);
  if (code[node] === OP.func) addFunction(c, file, node, env, isNew, out);
  else if (code[node] === OP.union) {
    for (let place = 0; place < code[node + 1]!; place++) {
      addDeclared(c, file, code[node + 2 + place]!, env, isNew, out);
    }
  }
}

function inheritedSignatures(
  c: Checker,
  { file, id }: Type,
  env: Env | undefined,
  isNew: boolean,
  to: Search,
  depth: number,
): void {
  const linked = c.file(file);
  const list = linked.symbol(id, SYMBOL.heritage);
  if (list === 0 || linked.kind(id) !== "interface") return;
  for (let place = 0; place < linked.code[list + 1]!; place++) {
    const base = c.evaluate(file, linked.code[list + 2 + place]!, env);
    if (base) addSignatures(c, base, isNew, to, depth + 1);
  }
}

/** The result type of a call. */
export function callResult(
  c: Checker,
  file: number,
  call: number,
  env: Env | undefined,
): Type | undefined {
  const { code } = c.file(file);
  const callee = c.evaluate(file, code[call + 1]!, env);
  if (!callee) return undefined;
  // In languages without `new`, calling a class creates an instance.
  if (code[call + 2] === 1 || callee.kind === KIND.value) return built(c, callee, file, call, env);
  if (callee.kind === KIND.union && c.program.language(file) === "python") {
    // Signatures are not collected from the classes of a union, so each class is called on its own.
    const parts = callee.args.map((part) => part && calleeResult(c, part, file, call, env));
    return makeUnion(parts);
  }
  return calleeResult(c, callee, file, call, env);
}

function calleeResult(
  c: Checker,
  callee: Type,
  file: number,
  call: number,
  env: Env | undefined,
): Type | undefined {
  if (callee.kind === KIND.value) return built(c, callee, file, call, env);
  const all = c.signatures(callee, false);
  // The arguments of Python calls are not recorded, so a call of several functions may have any of
  // their results.
  if (all.length > 1 && c.program.language(file) === "python") {
    const results = all.map((each) => chosenResult(c, { ...each, isOnly: true }, file, call, env));
    return makeUnion(results);
  }
  const chosen = choose(c, all, file, call, env, false);
  if (!chosen || (c.file(chosen.file).code[chosen.node + 1]! & FUNC_FLAG.guard) !== 0)
    return undefined;
  return chosenResult(c, chosen, file, call, env);
}

/** The result of the chosen signature. If another one may be meant, it is uncertain. */
function chosenResult(
  c: Checker,
  chosen: Chosen,
  file: number,
  call: number,
  env: Env | undefined,
): Type | undefined {
  const inner = inferred(c, chosen, file, call, env, false);
  const result = c.evaluate(chosen.file, c.file(chosen.file).code[chosen.node + 2]!, inner);
  return chosen.isOnly ? result : opened(result);
}

function built(
  c: Checker,
  callee: Type,
  file: number,
  call: number,
  env: Env | undefined,
): Type | undefined {
  if (callee.kind === KIND.value) {
    const types = typeArguments(c, file, call, env);
    return madeByClass(c, callee, new Type(KIND.instance, callee.file, callee.id, types));
  }
  const chosen = choose(c, c.signatures(callee, true), file, call, env, false);
  return chosen ? chosenResult(c, chosen, file, call, env) : construct(c, callee);
}

function typeArguments(
  c: Checker,
  file: number,
  call: number,
  env: Env | undefined,
): (Type | undefined)[] {
  const { code } = c.file(file);
  const start = call + 4 + code[call + 3]!;
  const types: (Type | undefined)[] = [];
  for (let place = 1; place <= code[start]!; place++)
    types.push(c.evaluate(file, code[start + place]!, env));
  return types;
}

/** The type that `new` creates, independent of the arguments. */
export function construct(c: Checker, type: Type): Type | undefined {
  const results = unionParts(type).map((part) => {
    if (part?.kind === KIND.value) return instanceOfSymbol(c, part.file, part.id, []);
    if (part?.kind === KIND.parameter) return undefined;
    const [first] = part ? c.signatures(part, true) : [];
    return first && c.evaluate(first.file, c.file(first.file).code[first.node + 2]!, first.env);
  });
  return makeUnion(results);
}

/** The type that the callee expects for an argument. */
export function expected(
  c: Checker,
  file: number,
  call: number,
  place: number,
  env: Env | undefined,
): Type | undefined {
  const { code } = c.file(file);
  const callee = c.evaluate(file, code[call + 1]!, env);
  if (!callee) return undefined;
  const all = code[call + 2] === 1 ? buildSignatures(c, callee) : c.signatures(callee, false);
  const chosen = choose(c, all, file, call, env, true);
  if (!chosen) return undefined;
  const found = parameterAt(c, chosen, place, inferred(c, chosen, file, call, env, true));
  return chosen.isOnly ? found : opened(found);
}

/** The constructors of a class: its member `constructor`. */
function buildSignatures(c: Checker, callee: Type): readonly Signature[] {
  if (callee.kind !== KIND.value) return c.signatures(callee, true);
  const linked = c.file(callee.file);
  const own = linked.member(callee.id, "constructor", false);
  if (own === undefined) return [];
  const found: Signature[] = [];
  addDeclared(c, callee.file, linked.symbol(own, SYMBOL.type), undefined, false, found);
  return found;
}

interface Chosen extends Signature {
  /** Whether no other signature fits the arguments. */
  readonly isOnly: boolean;
}

/** The first signature that fits the arguments, as far as known. */
function choose(
  c: Checker,
  all: readonly Signature[],
  file: number,
  call: number,
  env: Env | undefined,
  early: boolean,
): Chosen | undefined {
  const [first] = all;
  if (!first || all.length === 1) return first && { ...first, isOnly: true };
  const counted = all.filter((signature) => fitsCount(c, signature, file, call));
  const fitting = counted.filter((each) => acceptsCall(c, each, file, call, env, early));
  const chosen = fitting[0] ?? counted[0] ?? first;
  // All overloads of built-in functions pass on the same values, so the first one is used.
  const isOnly = fitting.length === 1 || chosen.file === c.program.builtin;
  return { ...chosen, isOnly };
}

function fitsCount(c: Checker, signature: Signature, file: number, call: number): boolean {
  const given = c.file(file).code[call + 3]!;
  const { code } = c.file(signature.file);
  const flags = code[signature.node + 1]!;
  if (given < flags >> REQUIRED_SHIFT) return false;
  return (flags & FUNC_FLAG.rest) !== 0 || given <= code[signature.node + 4]!;
}

function acceptsCall(
  c: Checker,
  signature: Signature,
  file: number,
  call: number,
  env: Env | undefined,
  early: boolean,
): boolean {
  const { code } = c.file(file);
  for (let place = 0; place < code[call + 3]!; place++) {
    const argument = code[call + 4 + place]!;
    const op = code[argument];
    if (argument === 0 || (early && op !== OP.literal && op !== OP.func)) continue;
    const given =
      op === OP.func ? new Type(KIND.func, file, argument) : c.evaluate(file, argument, env);
    const wanted = parameterAt(c, signature, place, signature.env);
    if (given && wanted && !accepts(c, wanted, given)) return false;
  }
  return true;
}

/** Only clear contradictions count, such as a string where a function is needed. */
function accepts(c: Checker, wanted: Type, given: Type): boolean {
  return unionParts(wanted).some((part) => {
    if (!part || part.kind === KIND.parameter) return true;
    const callable = part.kind === KIND.func || c.signatures(part, false).length > 0;
    if (given.kind === KIND.literal) {
      return part.kind === KIND.literal
        ? part.id === given.id
        : !callable && part.kind !== KIND.instance;
    }
    if (given.kind === KIND.func) return callable || part.kind === KIND.object;
    return part.kind !== KIND.literal;
  });
}
