import { OP } from "../facts/ops.ts";
import type { Checker, Found } from "./checker.ts";
import { KIND } from "./type.ts";

const MAX_HOPS = 64;
/** The most files of a package that declare the same name, each for another build. */
const MAX_TWINS = 8;
const VARIABLES: ReadonlySet<string> = new Set(["variable", "constant"]);

interface Place {
  readonly file: number;
  /** The node; MODULE for the whole file. */
  readonly node: number;
}

const MODULE = -1;

/** Follows an exported name through re-exports to its node, as a value or a type. */
function resolveExport(c: Checker, file: number, name: string, type: boolean): Place | undefined {
  let place: { file: number; name: string } = { file, name };
  let last: Place | undefined;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    c.program.lookUp(place.name);
    const found = exportedNode(c, place.file, place.name, type, new Set());
    if (!found) {
      const { file: at, name: wanted } = place;
      return viaAssignment(c, at, wanted) ?? moduleNamed(c, last) ?? submodule(c, at, wanted);
    }
    const { facts, code } = c.file(found.file);
    if (code[found.node] !== OP.imported) return found;
    const target = specifierTarget(c, found.file, code[found.node + 1]!);
    const next = facts.text(code[found.node + 2]!);
    const isItself = target === place.file && next === place.name;
    if (target === undefined || isItself) return moduleNamed(c, found);
    place = { file: target, name: next };
    last = found;
  }
  return undefined;
}

/** The submodule for an imported name that the module does not define. */
function moduleNamed(c: Checker, imported: Place | undefined): Place | undefined {
  const inner = imported && innerModule(c, imported.file, imported.node);
  return inner === undefined ? undefined : { file: inner, node: MODULE };
}

/** In Python `from a import b` may also mean the module `a.b`. */
function innerModule(c: Checker, file: number, node: number): number | undefined {
  const { code, facts } = c.file(file);
  const text = facts.text(code[node + 1]!);
  const name = facts.text(code[node + 2]!);
  const inner = c.program.target(file, `${text}${text.endsWith(".") ? "" : "."}${name}`);
  return inner !== undefined && c.program.file(inner) ? inner : undefined;
}

/** `a.b` after `import a`: a package has its imported modules as members. */
function submodule(c: Checker, file: number, name: string): Place | undefined {
  const inner = c.program.submodule(file, name);
  if (inner === undefined || !c.program.file(inner)) return undefined;
  c.program.consult(inner);
  return { file: inner, node: MODULE };
}

/** `export = x` exports the members of x. */
function viaAssignment(c: Checker, file: number, name: string): Place | undefined {
  c.program.lookUp("export=");
  const assigned = c.program.file(file)?.exported("export=");
  if (!assigned) return undefined;
  if (name === "default" || name === "export=") return { file, node: assigned.value };
  const type = c.evaluate(file, assigned.value);
  const member = type ? c.findMembers(type, name)[0] : undefined;
  return member && member.node !== 0 ? { file: member.file, node: member.node } : undefined;
}

function exportedNode(
  c: Checker,
  file: number,
  name: string,
  type: boolean,
  seen: Set<number>,
): Place | undefined {
  if (seen.has(file) || seen.size > MAX_HOPS * 8) return undefined;
  seen.add(file);
  const linked = c.program.file(file);
  const own = linked?.exported(name);
  if (own) return { file, node: type ? own.type || own.value : own.value || own.type };
  if (!linked || name === "default") return undefined;
  for (const star of starSpecifiers(c, file)) {
    const target = specifierTarget(c, file, star);
    const found = target === undefined ? undefined : exportedNode(c, target, name, type, seen);
    if (found) return found;
  }
  return inPackage(c, file, name);
}

/** The star exports of a file. In Python, the last one that brings a name wins. */
function starSpecifiers(c: Checker, file: number): Int32Array {
  const { stars } = c.file(file).facts.tables;
  return c.program.language(file) === "python" ? stars.toReversed() : stars;
}

/** The exports that star imports of a Python file bring under a name, the last one first. */
function starredExports(c: Checker, file: number, name: string, type: boolean): Found[] {
  const found: Found[] = [];
  for (const star of starSpecifiers(c, file)) {
    const target = specifierTarget(c, file, star);
    const one = target === undefined ? undefined : namedExport(c, target, name, type);
    const isKnown = found.some(({ file: at, node }) => at === one?.file && node === one.node);
    if (one && !isKnown) found.push(one);
  }
  return found;
}

/**
 * Whether two star imports bring different things under a name. Which one is meant depends on
 * `__all__`, which may be computed.
 */
export function isAmbiguous(c: Checker, file: number, node: number): boolean {
  const { code, facts } = c.file(file);
  const specifier = code[node + 1]!;
  const source = facts.text(specifier) === "*" ? file : specifierTarget(c, file, specifier);
  if (source === undefined || c.program.language(source) !== "python") return false;
  if (c.file(source).facts.tables.stars.length < 2) return false;
  const name = facts.text(code[node + 2]!);
  if (source !== file && c.file(source).exported(name)) return false;
  return starredExports(c, source, name, false).length > 1;
}

/** Finds a name that another file of the same package declares. */
function inPackage(c: Checker, file: number, name: string): Place | undefined {
  for (const sibling of c.program.siblings(file) ?? []) {
    const found = c.program.file(sibling)?.exported(name);
    if (found) return { file: sibling, node: found.value };
  }
  return undefined;
}

/** The variables with the same name in other files of the package. */
export function variableTwins(c: Checker, { file, symbol }: Found, name: string): Found[] {
  if (symbol < 0 || !VARIABLES.has(c.file(file).kind(symbol))) return [];
  const twins: Found[] = [];
  for (const sibling of c.program.siblings(file) ?? []) {
    const node = sibling === file ? undefined : c.program.file(sibling)?.exported(name)?.value;
    if (node !== undefined && twins.length < MAX_TWINS) twins.push(foundNode(c, sibling, node));
  }
  return twins;
}

export function specifierTarget(c: Checker, file: number, specifier: number): number | undefined {
  const target = c.program.target(file, c.file(file).facts.text(specifier));
  return target !== undefined && c.program.file(target) ? target : undefined;
}

/** Resolves a name used as a type or value, without evaluating it. */
export function resolveName(
  c: Checker,
  file: number,
  node: number,
  type: boolean,
): Found | undefined {
  const { code, facts } = c.file(file);
  switch (code[node]) {
    case OP.symbol:
      c.program.consult(file);
      return foundAt(file, code[node + 1]!, node);
    case OP.imported: {
      const target = specifierTarget(c, file, code[node + 1]!);
      const name = facts.text(code[node + 2]!);
      const found =
        target === undefined
          ? fromFramework(c, file, facts.text(code[node + 1]!), name, type)
          : namedExport(c, target, name, type);
      if (found) return found;
      const inner = innerModule(c, file, node);
      return inner === undefined ? undefined : foundAt(inner, 0, 0);
    }
    case OP.global: {
      const name = facts.text(code[node + 1]!);
      return implicitExport(c, file, name, type) ?? namedExport(c, c.program.builtin, name, type);
    }
    case OP.member:
      return resolveMember(c, file, node, type);
    default:
      return undefined;
  }
}

/** Finds a name that a framework provides in every file. */
function implicitExport(c: Checker, file: number, name: string, type: boolean): Found | undefined {
  c.program.lookUp(name);
  const offered = c.program.implicit(file, name);
  return offered && namedExport(c, offered.file, offered.name, type);
}

/** Generated modules that contain everything a framework provides. */
const OFFERING: ReadonlySet<string> = new Set(["#imports", "#components"]);

function fromFramework(
  c: Checker,
  file: number,
  specifier: string,
  name: string,
  type: boolean,
): Found | undefined {
  if (specifier === "*") return starredExports(c, file, name, type)[0];
  return OFFERING.has(specifier) ? implicitExport(c, file, name, type) : undefined;
}

export function namedExport(
  c: Checker,
  file: number,
  name: string,
  type: boolean,
): Found | undefined {
  const place = resolveExport(c, file, name, type);
  if (!place) return undefined;
  if (place.node === MODULE) return foundAt(place.file, 0, 0);
  return foundNode(c, place.file, place.node);
}

function foundNode(c: Checker, file: number, node: number): Found {
  const { code } = c.file(file);
  return foundAt(file, code[node] === OP.symbol ? code[node + 1]! : -1, node);
}

/** Resolves `a.B` where `a` is a module or namespace. */
function resolveMember(c: Checker, file: number, node: number, type: boolean): Found | undefined {
  const { code, facts } = c.file(file);
  const owner = c.evaluate(file, code[node + 1]!);
  const name = facts.text(code[node + 2]!);
  if (!owner) return undefined;
  if (owner.kind === KIND.module) return namedExport(c, owner.file, name, type);
  return c.findMembers(owner, name)[0];
}

function foundAt(file: number, symbol: number, node: number): Found {
  return { file, symbol, node, env: undefined, inherited: false };
}
