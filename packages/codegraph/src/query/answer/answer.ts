import type { GraphToolName } from "./tool-names.ts";

/** A suggested next question. Its inputs are always valid. */
export interface FollowUp {
  readonly tool: GraphToolName;
  readonly args: Readonly<Record<string, unknown>>;
  readonly reason: string;
}

/**
 * The result of a question before it is cut to a page and a token limit. `render` shows the first
 * items; a higher level omits more of the other fields.
 */
export interface Answer<Item = unknown> {
  /** All items of all pages. */
  readonly items: readonly Item[];
  /** The most items on a page. */
  readonly limit: number;
  render(items: readonly Item[], level: number): object;
  /** A lower bound of the tokens of an item at a level, to skip pages that cannot fit. */
  weigh?(item: Item, level: number): number;
  /** How many levels `render` has besides the full one. */
  readonly levels?: number;
  readonly limits?: { readonly maxItems?: number; readonly maxDepth?: number };
  readonly next?: readonly FollowUp[];
  /** Fills in values that are known only when the text is complete, without making it longer. */
  finish?(result: object): object;
  /** Whether the search for items stopped before the end, so that items may be missing. */
  readonly isCut?: boolean;
}

/** An answer without pages. */
export function plainAnswer(
  render: (level: number) => object,
  options: Omit<Partial<Answer>, "items" | "render"> = {},
): Answer {
  return { items: [], limit: 0, ...options, render: (_items, level) => render(level) };
}
