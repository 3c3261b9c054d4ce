import type { Input } from "../input.ts";
import { isInputObject } from "../input.ts";
import { QueryError } from "./failure.ts";

const MAX_PAGE = 100;

/** A list whose connection or edges have extra fields. */
export class Paged {
  readonly items: readonly unknown[];
  readonly more: Readonly<Record<string, unknown>>;
  /** The edge fields of each item, in order. */
  readonly edges: readonly Readonly<Record<string, unknown>>[];

  constructor(
    items: readonly unknown[],
    more: Readonly<Record<string, unknown>>,
    edges: readonly Readonly<Record<string, unknown>>[],
  ) {
    this.items = items;
    this.more = more;
    this.edges = edges;
  }
}

export function paged<T>(
  items: readonly T[],
  more: Readonly<Record<string, unknown>> = {},
  edge: (item: T) => Readonly<Record<string, unknown>> = () => ({}),
): Paged {
  return new Paged(items, more, items.map(edge));
}

/**
 * A cursor contains the item's id, so that it stays valid when other items are added or removed.
 */
function getCursor(item: unknown, index: number): string {
  const key =
    isInputObject(item) && typeof item["nodeId"] === "string" ? item["nodeId"] : String(index);
  return Buffer.from(`cursor:v2:${key}`).toString("base64");
}

function cursorIndex(items: readonly unknown[], cursor: string): number {
  const index = items.findIndex((item, at) => getCursor(item, at) === cursor);
  if (index >= 0) return index;
  throw new QueryError(
    "INVALID_CURSOR_ARGUMENTS",
    `\`${cursor}\` does not appear to be a valid cursor.`,
  );
}

/** Like GitHub, requires `first` or `last` if items are selected, and limits their size. */
function checkSize(args: Input, field: string, wantsItems: boolean): void {
  const [first, last] = [args.number("first"), args.number("last")];
  if (wantsItems && first === undefined && last === undefined) {
    const message = `You must provide a \`first\` or \`last\` value to properly paginate the \`${field}\` connection.`;
    throw new QueryError("MISSING_PAGINATION_BOUNDARIES", message);
  }
  for (const [name, size] of Object.entries({ first, last })) {
    if (size === undefined) continue;
    if (size < 0) {
      const message = `\`${name}\` on the \`${field}\` connection cannot be less than zero.`;
      throw new QueryError("INVALID_PAGINATION", message);
    }
    if (size > MAX_PAGE) {
      const message = `Requesting ${size} records on the \`${field}\` connection exceeds the \`${name}\` limit of ${MAX_PAGE} records.`;
      throw new QueryError("EXCESSIVE_PAGINATION", message);
    }
  }
}

export interface Selection {
  /** Whether items are selected. If only the count is, no size is required. */
  readonly wantsItems: boolean;
}

export function connect(
  list: Paged,
  args: Input,
  field: string,
  { wantsItems }: Selection,
): Record<string, unknown> {
  const { items, more } = list;
  checkSize(args, field, wantsItems);
  const [after, before] = [args.text("after"), args.text("before")];
  let start = after === undefined ? 0 : cursorIndex(items, after) + 1;
  let end = before === undefined ? items.length : cursorIndex(items, before);
  const [first, last] = [args.number("first"), args.number("last")];
  if (first !== undefined) end = Math.min(end, start + first);
  if (last !== undefined) start = Math.max(start, end - last);
  const kept = items.slice(start, end);
  const cursors = kept.map((item, index) => getCursor(item, start + index));
  return {
    nodes: kept,
    edges: kept.map((node, index) => ({
      node,
      cursor: cursors[index],
      ...list.edges[start + index],
    })),
    totalCount: items.length,
    pageInfo: {
      hasNextPage: end < items.length,
      hasPreviousPage: start > 0,
      startCursor: cursors[0] ?? null,
      endCursor: cursors.at(-1) ?? null,
    },
    ...more,
  };
}
