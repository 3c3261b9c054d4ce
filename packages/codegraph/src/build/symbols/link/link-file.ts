import { CONFIDENCES, RESOLUTIONS, USE_KINDS } from "../../../graph/index.ts";
import type { UseKind } from "../../../graph/index.ts";
import { SITE_FLAG } from "../facts/ops.ts";
import { SITE, TABLES } from "../facts/symbol-facts.ts";
import type { Checker } from "./checker.ts";
import { targetsOf } from "./targets.ts";
import type { Target } from "./targets.ts";

/** The columns of a use in the links of one file; `to` is a symbol of the file `toFile`. */
export const LINK_COLUMNS = [
  "from",
  "toFile",
  "to",
  "kind",
  "line",
  "column",
  "typeOnly",
  "confidence",
  "how",
] as const;
export const LINK_WIDTH = LINK_COLUMNS.length;

/** More targets than this are no answer. */
const MAX_TARGETS = 4;

const EXACT = CONFIDENCES.indexOf("exact");
const DECLARED = CONFIDENCES.indexOf("declared");

/** What the symbols of one file use, in rows of LINK_COLUMNS, sorted by where they stand. */
export function linkFile(c: Checker, file: number): Int32Array<ArrayBuffer> {
  const linked = c.program.file(file);
  if (!linked) return new Int32Array();
  const { sites } = linked.facts.tables;
  const rows: number[][] = [];
  c.program.using(file, () => {
    for (let row = 0; row < sites.length; row += TABLES.sites.length) {
      c.begin();
      const flags = sites[row + SITE.flags]!;
      const targets = targetsOf(c, file, sites[row + SITE.node]!, flags);
      for (const target of targets.slice(0, MAX_TARGETS)) {
        if (target.file !== c.program.builtin) rows.push(useRow(sites, row, target, flags));
      }
    }
  });
  rows.sort((a, b) => a[0]! - b[0]! || a[4]! - b[4]! || a[5]! - b[5]!);
  return Int32Array.from(rows.flat());
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
    USE_KINDS.indexOf(kindOf(flags)),
    sites[row + SITE.line]!,
    sites[row + SITE.column]!,
    (flags & SITE_FLAG.typeOnly) === 0 ? 0 : 1,
    how === "scope" ? EXACT : DECLARED,
    RESOLUTIONS.indexOf(how),
  ];
}

function kindOf(flags: number): UseKind {
  if ((flags & SITE_FLAG.inherit) !== 0) return "inherit";
  if ((flags & SITE_FLAG.register) !== 0) return "register";
  return (flags & (SITE_FLAG.call | SITE_FLAG.construct)) === 0 ? "reference" : "call";
}
