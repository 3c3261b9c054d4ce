import { OP, SITE_FLAG } from "../facts/ops.ts";
import { SYMBOL } from "../facts/symbol-facts.ts";
import type { Checker } from "./checker.ts";
import { namedExport, resolveName, specifierTarget } from "./names.ts";
import { foundType } from "./symbol-type.ts";
import { KIND, unionParts } from "./type.ts";
import type { Type } from "./type.ts";

/** The target symbol of a use, and how it was found. */
export interface Target {
  readonly file: number;
  readonly symbol: number;
  /** `convention`: a framework provides the name, or it is the nearest one with that name. */
  readonly how: "scope" | "type" | "inheritance" | "convention";
}

const NOWHERE: readonly Target[] = [];

/** The target symbols of a use; empty if they are unknown. */
export function linkTargets(
  c: Checker,
  file: number,
  node: number,
  flags: number,
): readonly Target[] {
  const { code, facts } = c.file(file);
  switch (code[node]) {
    case OP.symbol:
      return code[node + 1]! < 0 ? NOWHERE : [{ file, symbol: code[node + 1]!, how: "scope" }];
    case OP.imported:
      return imported(c, file, node, flags);
    case OP.global:
      return imported(c, file, node, flags).map((found) => ({ ...found, how: "convention" }));
    case OP.module: {
      const held = heldBy(c.evaluate(file, node));
      if (held.length > 0) return held;
      const target = specifierTarget(c, file, code[node + 1]!);
      return target === undefined ? NOWHERE : [{ file: target, symbol: 0, how: "scope" }];
    }
    case OP.member:
      return members(c, file, code[node + 1]!, facts.text(code[node + 2]!), flags);
    case OP.parent:
      return (flags & SITE_FLAG.construct) === 0 ? NOWHERE : parentClass(c, file, node);
    case OP.narrowed:
      if (code[code[node + 1]!] === OP.member) return linkTargets(c, file, code[node + 1]!, flags);
      return heldBy(c.evaluate(file, node));
    default:
      return heldBy(c.evaluate(file, node));
  }
}

/** `super()` creates the parent class. */
function parentClass(c: Checker, file: number, node: number): readonly Target[] {
  const { code } = c.file(file);
  const list = c.file(file).symbol(code[node + 1]!, SYMBOL.heritage);
  const base = list === 0 ? 0 : code[list + 2]!;
  const found = base === 0 ? undefined : resolveName(c, file, code[base + 1]!, false);
  if (found && found.symbol >= 0) return [{ file: found.file, symbol: found.symbol, how: "scope" }];
  return base === 0 ? NOWHERE : heldBy(c.evaluate(file, code[base + 1]!));
}

function imported(c: Checker, file: number, node: number, flags: number): readonly Target[] {
  const found = resolveName(c, file, node, (flags & SITE_FLAG.typeOnly) !== 0);
  if (!found) return NOWHERE;
  if (found.symbol >= 0) return [{ file: found.file, symbol: found.symbol, how: "scope" }];
  const { code } = c.file(found.file);
  if (code[found.node] === OP.module) return linkTargets(c, found.file, found.node, flags);
  return heldBy(c.evaluate(found.file, found.node));
}

/** The function or class that a value contains, whatever its name is here. */
function heldBy(type: Type | undefined): readonly Target[] {
  const targets: Target[] = [];
  for (const part of type ? unionParts(type) : []) {
    if (part?.kind === KIND.func && part.symbol >= 0)
      addTarget(targets, part.file, part.symbol, "type");
    if (part?.kind === KIND.value) addTarget(targets, part.file, part.id, "type");
  }
  return targets;
}

function members(
  c: Checker,
  file: number,
  owner: number,
  name: string,
  flags: number,
): readonly Target[] {
  const type = c.evaluate(file, owner);
  if (!type) return NOWHERE;
  const isModule = type.kind === KIND.module;
  const asType = isModule && (flags & SITE_FLAG.typeOnly) !== 0;
  const found = asType ? [namedExport(c, type.file, name, true)] : c.findMembers(type, name);
  const targets: Target[] = [];
  for (const one of found) {
    if (!one || one.file === c.program.builtin) continue;
    const how = one.inherited ? "inheritance" : isModule ? "scope" : "type";
    if (one.symbol >= 0) addTarget(targets, one.file, one.symbol, how);
    else
      for (const held of heldBy(foundType(c, one)))
        addTarget(targets, held.file, held.symbol, "type");
  }
  return targets;
}

function addTarget(targets: Target[], file: number, symbol: number, how: Target["how"]): void {
  if (!targets.some((known) => known.file === file && known.symbol === symbol)) {
    targets.push({ file, symbol, how });
  }
}
