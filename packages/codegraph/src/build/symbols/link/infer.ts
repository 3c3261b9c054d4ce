import { OP } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker, Signature } from "./checker.ts";
import { argumentsEnv, later } from "./instances.ts";
import { resolveName } from "./names.ts";
import { bind, typeKey, KIND, Type, visitKey } from "./type.ts";
import type { Env } from "./type.ts";

/** Maps the type parameters of an alias or interface to nodes of the place that uses it. */
interface Renamed {
  readonly key: number;
  readonly file: number;
  readonly node: number;
  readonly outer: Renamed | undefined;
  readonly next: Renamed | undefined;
}

interface Inference {
  readonly c: Checker;
  readonly open: Set<number>;
  env: Env | undefined;
}

const MAX_DEPTH = 8;
/** The most parents that are searched for one of them. */
const MAX_PARENTS = 500;

/**
 * The type arguments of a call: explicit, or inferred from its arguments. While an argument is
 * being evaluated (`early`), functions are skipped.
 */
export function inferred(
  c: Checker,
  signature: Signature,
  file: number,
  call: number,
  env: Env | undefined,
  early: boolean,
): Env | undefined {
  const { code } = c.file(signature.file);
  const list = code[signature.node + 3]!;
  if (list === 0) return signature.env;
  const site = c.file(file).code;
  const given = call + 4 + site[call + 3]!;
  const inference: Inference = { c, open: new Set(), env: signature.env };
  for (let place = 0; place < code[list + 1]!; place++) {
    const key = typeKey(signature.file, code[list + 2 + place]!);
    if (place < site[given]!)
      inference.env = bind(inference.env, key, c.evaluate(file, site[given + 1 + place]!, env));
    else inference.open.add(key);
  }
  if (inference.open.size > 0) fromArguments(inference, signature, file, call, env, early);
  return withDefaults(inference, signature, list);
}

function fromArguments(
  inference: Inference,
  signature: Signature,
  file: number,
  call: number,
  env: Env | undefined,
  early: boolean,
): void {
  const { c } = inference;
  const site = c.file(file).code;
  const { code } = c.file(signature.file);
  const count = Math.min(site[call + 3]!, code[signature.node + 4]!);
  for (let place = 0; place < count; place++) {
    const argument = site[call + 4 + place]!;
    if (argument === 0 || (early && site[argument] === OP.func)) continue;
    const type = c.evaluate(file, argument, env);
    if (type)
      unify(inference, signature.file, code[signature.node + 5 + place]!, type, undefined, 0);
  }
}

function withDefaults(
  { c, open, env }: Inference,
  { file }: Signature,
  list: number,
): Env | undefined {
  const { code } = c.file(file);
  let result = env;
  for (let place = 0; place < code[list + 1]!; place++) {
    const parameter = code[list + 2 + place]!;
    const key = typeKey(file, parameter);
    if (!open.has(key)) continue;
    const preset = later(c, file, code[parameter + 2]!, result);
    if (preset) result = bind(result, key, preset);
  }
  return result;
}

function unify(
  i: Inference,
  file: number,
  node: number,
  type: Type,
  renamed: Renamed | undefined,
  depth: number,
): void {
  if (depth > MAX_DEPTH || i.open.size === 0) return;
  const { code } = i.c.file(file);
  switch (code[node]) {
    case OP.typeParameter:
      return unifyParameter(i, typeKey(file, node), type, renamed, depth);
    case OP.instance:
      return unifyInstance(i, file, node, type, renamed, depth);
    case OP.array:
      return unifyElement(i, file, code[node + 1]!, type, renamed, depth);
    case OP.union:
    case OP.intersection:
      for (let place = 0; place < code[node + 1]!; place++) {
        unify(i, file, code[node + 2 + place]!, type, renamed, depth + 1);
      }
      return;
    case OP.func:
      return unifyFunction(i, file, node, type, renamed, depth);
    case OP.object:
      return unifyObject(i, file, node, type, renamed, depth);
    default:
  }
}

function unifyParameter(
  i: Inference,
  key: number,
  type: Type,
  renamed: Renamed | undefined,
  depth: number,
): void {
  for (let entry = renamed; entry; entry = entry.next) {
    if (entry.key === key) return unify(i, entry.file, entry.node, type, entry.outer, depth + 1);
  }
  if (!i.open.has(key) || type.kind === KIND.literal) return;
  i.open.delete(key);
  i.env = bind(i.env, key, type);
}

function unifyElement(
  i: Inference,
  file: number,
  node: number,
  type: Type,
  renamed: Renamed | undefined,
  depth: number,
): void {
  if (type.kind === KIND.tuple) {
    for (const part of type.args) if (part) unify(i, file, node, part, renamed, depth + 1);
  } else if (type.kind === KIND.instance && type.file === i.c.program.builtin) {
    const element = i.c.force(type.args[0]);
    if (element) unify(i, file, node, element, renamed, depth + 1);
  }
}

function unifyInstance(
  i: Inference,
  file: number,
  node: number,
  type: Type,
  renamed: Renamed | undefined,
  depth: number,
): void {
  const { c } = i;
  const { code } = c.file(file);
  const found = resolveName(c, file, code[node + 1]!, true);
  if (!found || found.symbol < 0) return;
  const linked = c.file(found.file);
  const inner = renameParameter(c, file, node, found.file, found.symbol, renamed);
  const declared = linked.symbol(found.symbol, SYMBOL.type);
  if (linked.kind(found.symbol) === "type")
    return unify(i, found.file, declared, type, inner, depth + 1);
  const base =
    type.kind === KIND.instance
      ? findBase(c, type, found.file, found.symbol, new Set())
      : undefined;
  if (base) {
    for (let place = 0; place < Math.min(code[node + 2]!, base.args.length); place++) {
      const argument = c.force(base.args[place]);
      if (argument) unify(i, file, code[node + 3 + place]!, argument, renamed, depth + 1);
    }
  } else if (type.kind === KIND.value) unifyClass(i, found.file, declared, type, inner, depth);
  else if (type.kind === KIND.tuple) unifyElement(i, file, code[node + 3]!, type, renamed, depth);
}

/** Infers T from a class that is passed where a constructor of T is expected. */
function unifyClass(
  i: Inference,
  file: number,
  node: number,
  type: Type,
  renamed: Renamed | undefined,
  depth: number,
): void {
  const { code } = i.c.file(file);
  if (code[node] === OP.union) {
    for (let place = 0; place < code[node + 1]!; place++) {
      unifyClass(i, file, code[node + 2 + place]!, type, renamed, depth);
    }
  } else if (code[node] === OP.func)
    unify(
      i,
      file,
      code[node + 2]!,
      new Type(KIND.instance, type.file, type.id),
      renamed,
      depth + 1,
    );
}

/** The instance of a class or interface in a type or its parents. */
function findBase(
  c: Checker,
  type: Type,
  file: number,
  symbol: number,
  seen: Set<unknown>,
): Type | undefined {
  if (type.kind !== KIND.instance || seen.size > MAX_PARENTS) return undefined;
  if (type.file === file && type.id === symbol) return type;
  const key = visitKey(type);
  if (seen.has(key)) return undefined;
  seen.add(key);
  const { code } = c.file(type.file);
  const list = c.file(type.file).symbol(type.id, SYMBOL.heritage);
  if (list === 0) return undefined;
  const env = argumentsEnv(c, type.file, type.id, type.args, undefined);
  for (let place = 0; place < code[list + 1]!; place++) {
    const parent = c.evaluate(type.file, code[list + 2 + place]!, env);
    const found = parent && findBase(c, parent, file, symbol, seen);
    if (found) return found;
  }
  return undefined;
}

function renameParameter(
  c: Checker,
  file: number,
  node: number,
  target: number,
  symbol: number,
  outer: Renamed | undefined,
): Renamed | undefined {
  const { code } = c.file(file);
  const declared = c.file(target);
  const list = declared.symbol(symbol, SYMBOL.typeParameters);
  let renamed: Renamed | undefined;
  for (
    let place = 0;
    place < (list === 0 ? 0 : Math.min(declared.code[list + 1]!, code[node + 2]!));
    place++
  ) {
    const key = typeKey(target, declared.code[list + 2 + place]!);
    renamed = { key, file, node: code[node + 3 + place]!, outer, next: renamed };
  }
  return renamed;
}

function unifyFunction(
  i: Inference,
  file: number,
  node: number,
  type: Type,
  renamed: Renamed | undefined,
  depth: number,
): void {
  const { c } = i;
  const { code } = c.file(file);
  const builds = (code[node + 1]! & 1) === 1;
  if (builds && type.kind === KIND.value) return unifyClass(i, file, node, type, renamed, depth);
  const [given] = c.signatures(type, builds);
  if (!given) return;
  const result = c.evaluate(given.file, c.file(given.file).code[given.node + 2]!, given.env);
  if (result) unify(i, file, code[node + 2]!, result, renamed, depth + 1);
}

function unifyObject(
  i: Inference,
  file: number,
  node: number,
  type: Type,
  renamed: Renamed | undefined,
  depth: number,
): void {
  const { code, facts } = i.c.file(file);
  for (let place = 0; place < code[node + 1]!; place++) {
    const name = facts.text(code[node + 2 + 2 * place]!);
    const [member] = i.c.findMembers(type, name);
    if (!member) continue;
    const held = i.c.evaluate(
      member.file,
      member.symbol >= 0 ? i.c.file(member.file).symbol(member.symbol, SYMBOL.type) : member.node,
      member.env,
    );
    if (held) unify(i, file, code[node + 3 + 2 * place]!, held, renamed, depth + 1);
  }
}
