import { setOwn } from "../envelope/index.ts";
import type { BriefMeta, ToolMeta } from "../envelope/index.ts";
import { cellText, readCell } from "./cell.ts";

/** The metadata of a brief answer, from a capability or a tool. */
export type ShownMeta = BriefMeta | Partial<ToolMeta>;

const NAME = /^[a-zA-Z_]+$/u;
const AFTER_NAME = ": ";

function line(name: string, value: unknown): string {
  return `${name}${AFTER_NAME}${cellText(value)}`;
}

function pageLines(pagination: BriefMeta["pagination"]): string[] {
  if (pagination === undefined) return [];
  const { end_cursor, total } = pagination;
  return [line("more", end_cursor), ...(total === undefined ? [] : [line("total", total)])];
}

/** Writes the facts about an answer, one on each line. */
export function metaLines(meta: ShownMeta): string[] {
  const { pagination, warnings = [], ...others } = meta as BriefMeta;
  const rest = Object.entries(others).filter(([, value]) => value !== undefined);
  return [
    ...pageLines(pagination),
    ...warnings.map((warning) => line("warning", warning)),
    ...rest.map(([name, value]) => line(name, value)),
  ];
}

/** Reads the metadata that `metaLines` wrote. */
export function readMetaLines(lines: readonly string[]): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  const warnings: unknown[] = [];
  const page: Record<string, unknown> = {};
  for (const text of lines) {
    const end = text.indexOf(AFTER_NAME);
    const name = text.slice(0, Math.max(0, end));
    if (!NAME.test(name)) continue;
    const value = readCell(text.slice(end + AFTER_NAME.length));
    if (name === "warning") warnings.push(value);
    else if (name === "more") Object.assign(page, { has_next_page: true, end_cursor: value });
    else if (name === "total") page["total"] = value;
    else setOwn(meta, name, value);
  }
  return {
    ...(Object.keys(page).length > 0 && { pagination: page }),
    ...(warnings.length > 0 && { warnings }),
    ...meta,
  };
}
