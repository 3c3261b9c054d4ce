import { CONFIDENCES, RESOLUTIONS, USE_KINDS } from "../../../graph/index.ts";
import type { UseKind } from "../../../graph/index.ts";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import { ENTRYPOINT, MOUNT, SITE, TABLES } from "../facts/symbol-facts.ts";
import type { Checker, Found } from "./checker.ts";
import { ENTRY_WIDTH, LINK_WIDTH, MOUNT_WIDTH } from "./file-links.ts";
import type { FileLinks } from "./file-links.ts";
import type { LinkedFile } from "./linked-file.ts";
import { namedExport, resolveName, specifierTarget } from "./names.ts";
import { linkTargets } from "./targets.ts";
import type { Target } from "./targets.ts";
import { UnresolvedUses } from "./unresolved-uses.ts";

/** The most targets of one use. With more, none is recorded. */
const MAX_TARGETS = 4;

const EXACT = CONFIDENCES.indexOf("exact");
const DECLARED = CONFIDENCES.indexOf("declared");
const LIKELY = CONFIDENCES.indexOf("likely");

const NO_LINKS: FileLinks = {
  uses: new Int32Array(),
  entrypoints: new Int32Array(),
  mounts: new Int32Array(),
  unresolved: new Int32Array(),
};

/** Resolves all uses and entry points of a file. */
export function linkFile(c: Checker, file: number): FileLinks {
  const linked = c.program.file(file);
  if (!linked) return NO_LINKS;
  return c.program.using(file, () => {
    const unresolved = new UnresolvedUses(c, file);
    return {
      uses: linkUses(c, file, linked, unresolved),
      entrypoints: linkEntrypoints(c, file, linked),
      mounts: linkMounts(c, file, linked),
      unresolved: unresolved.finish(),
    };
  });
}

function linkUses(
  c: Checker,
  file: number,
  { facts }: LinkedFile,
  unresolved: UnresolvedUses,
): Int32Array<ArrayBuffer> {
  const { sites } = facts.tables;
  const rows: number[][] = [];
  for (let row = 0; row < sites.length; row += TABLES.sites.length) {
    c.begin();
    const flags = sites[row + SITE.flags]!;
    const node = sites[row + SITE.node]!;
    const targets = linkTargets(c, file, node, flags);
    unresolved.add(node, targets.length > 0 && targets.length <= MAX_TARGETS);
    for (const target of targets.slice(0, MAX_TARGETS)) {
      if (target.file !== c.program.builtin) rows.push(useRow(sites, row, target, flags));
    }
  }
  rows.sort((a, b) => a[0]! - b[0]! || a[4]! - b[4]! || a[5]! - b[5]!);
  return packRows(rows, LINK_WIDTH);
}

function linkEntrypoints(c: Checker, file: number, { facts }: LinkedFile): Int32Array<ArrayBuffer> {
  const rows: number[][] = [];
  for (let row = 0; row < facts.count("entrypoints"); row++) {
    const value = (column: number): number => facts.get("entrypoints", row, column);
    c.begin();
    const handler = value(ENTRYPOINT.handler);
    const [target] = handler === 0 ? [] : linkTargets(c, file, handler, 0);
    const symbolFile = target && target.file !== c.program.builtin ? target.file : file;
    const symbol = symbolFile === target?.file ? target.symbol : value(ENTRYPOINT.from);
    rows.push([
      value(ENTRYPOINT.kind),
      value(ENTRYPOINT.line),
      value(ENTRYPOINT.name),
      value(ENTRYPOINT.framework),
      symbolFile,
      symbol,
      value(ENTRYPOINT.router),
      value(ENTRYPOINT.from),
    ]);
  }
  rows.sort((a, b) => a[1]! - b[1]!);
  return packRows(rows, ENTRY_WIDTH);
}

function linkMounts(c: Checker, file: number, { facts }: LinkedFile): Int32Array<ArrayBuffer> {
  const rows: number[][] = [];
  for (let row = 0; row < facts.count("mounts"); row++) {
    c.begin();
    const found = mounted(c, file, facts.get("mounts", row, MOUNT.router));
    if (!found || found.file === c.program.builtin) continue;
    const [prefix, on] = [MOUNT.prefix, MOUNT.on].map((column) => facts.get("mounts", row, column));
    rows.push([prefix!, found.file, found.symbol, on!]);
  }
  return packRows(rows, MOUNT_WIDTH);
}

/** The router behind a name of another file. A module itself may be a router. */
function mounted(c: Checker, file: number, node: number): Found | undefined {
  const { code } = c.file(file);
  if (code[node] !== OP.module) return resolveName(c, file, node, false);
  const target = specifierTarget(c, file, code[node + 1]!);
  return target === undefined ? undefined : namedExport(c, target, "export=", false);
}

function packRows(rows: readonly (readonly number[])[], width: number): Int32Array<ArrayBuffer> {
  const packed = new Int32Array(rows.length * width);
  for (const [place, row] of rows.entries()) packed.set(row, place * width);
  return packed;
}

function useRow(
  sites: Int32Array,
  row: number,
  { file, symbol, how }: Target,
  flags: number,
): number[] {
  return [
    sites[row + SITE.from]!,
    file,
    symbol,
    USE_KINDS.indexOf(useKind(flags)),
    sites[row + SITE.line]!,
    sites[row + SITE.column]!,
    (flags & SITE_FLAG.typeOnly) === 0 ? 0 : 1,
    how === "scope" ? EXACT : how === "convention" ? LIKELY : DECLARED,
    RESOLUTIONS.indexOf(how),
  ];
}

function useKind(flags: number): UseKind {
  if ((flags & SITE_FLAG.import) !== 0) return "import";
  if ((flags & SITE_FLAG.inherit) !== 0) return "inherit";
  if ((flags & SITE_FLAG.register) !== 0) return "register";
  return (flags & (SITE_FLAG.call | SITE_FLAG.construct)) === 0 ? "reference" : "call";
}
