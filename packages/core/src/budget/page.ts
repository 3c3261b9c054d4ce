import { isRecord } from "../envelope/index.ts";
import { formatCursor } from "./cursor.ts";
import type { ReadPosition } from "./cursor.ts";
import { fitTokens } from "./fit.ts";
import type { Fitted } from "./fit.ts";
import type { Cut } from "./cutter.ts";
import { formatPath, joinPath, parsePath } from "./path.ts";

/** A position inside a page where data was removed, and how to read it. */
interface PageCut {
  readonly path: string;
  readonly shown: number;
  readonly total: number;
  readonly cursor: string;
}

export interface ResultPage {
  readonly path: string;
  readonly value: unknown;
  /** The range of items, members or characters shown. */
  readonly from: number;
  readonly to: number;
  readonly total: number;
  /** The cursor of the next page. Null if there is none. */
  readonly cursor: string | null;
  readonly cuts?: readonly PageCut[];
}

const MAX_CUTS = 5;

function itemCount(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : 1;
}

function readSlice(value: unknown, from: number, to: number): unknown {
  if (typeof value === "string" || Array.isArray(value)) return value.slice(from, to);
  return isRecord(value) ? Object.fromEntries(Object.entries(value).slice(from, to)) : value;
}

/** A cursor to the removed data: after the shown part, or before it if the end is shown. */
export function cursorFor(scope: string, cut: Cut, tokens: number): string {
  const isBack = cut.kept === "end";
  const at = isBack ? cut.total - cut.shown : cut.shown;
  return formatCursor(scope, { path: cut.path, at, isBack, tokens });
}

/** Converts item numbers within a page to paths in the whole list. */
function placeCut(cut: Cut, path: string, shift: number): Cut {
  const [first = "", ...rest] = parsePath(cut.path);
  const inner = shift === 0 ? cut.path : formatPath([String(Number(first) + shift), ...rest]);
  return { ...cut, path: joinPath(path, inner) };
}

function innerCuts(fitted: Fitted, scope: string, path: string, shift: number, tokens: number) {
  return fitted.cuts
    .filter((cut) => cut.path !== "")
    .slice(0, MAX_CUTS)
    .map((cut) => placeCut(cut, path, shift))
    .map((cut) => ({
      path: cut.path,
      shown: cut.shown,
      total: cut.total,
      cursor: cursorFor(scope, cut, tokens),
    }));
}

/**
 * Returns one page of a value. It starts at the cursor's position and keeps to the cursor's
 * token limit.
 */
export function readPage(value: unknown, position: ReadPosition, scope: string): ResultPage {
  const { path, isBack, tokens } = position;
  const total = itemCount(value);
  const at = Math.min(position.at, total);
  const rest = isBack ? readSlice(value, 0, at) : readSlice(value, at, total);
  const fitted = fitTokens(rest, tokens, isBack ? { tail: [""] } : {});
  const available = isBack ? at : total - at;
  // Skips an item that is too large to be shown. Otherwise the next page would be the same.
  const shown = Math.max(fitted.cuts.find((cut) => cut.path === "")?.shown ?? available, 1);
  const from = isBack ? Math.max(0, at - shown) : at;
  const to = isBack ? at : Math.min(total, at + shown);
  const hasMore = isBack ? from > 0 : to < total;
  const next = { ...position, at: isBack ? from : to };
  const cuts = innerCuts(fitted, scope, path, Array.isArray(value) && !isBack ? at : 0, tokens);
  return {
    path,
    value: fitted.data,
    from,
    to,
    total,
    cursor: hasMore ? formatCursor(scope, next) : null,
    ...(cuts.length > 0 && { cuts }),
  };
}
