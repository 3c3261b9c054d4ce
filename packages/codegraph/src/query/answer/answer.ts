import type { GraphToolName } from "./tool-names.ts";

/** A question that follows from an answer. It always works when it is asked. */
export interface FollowUp {
  readonly tool: GraphToolName;
  readonly args: Readonly<Record<string, unknown>>;
  readonly reason: string;
}

/**
 * The result of a question before it is cut to a page and a token limit. `render` shows the first
 * items; a higher level leaves out more of the other fields.
 */
export interface Answer<Item = unknown> {
  /** All that there is, from the first page on. */
  readonly items: readonly Item[];
  /** How many a page has at most. */
  readonly limit: number;
  render(items: readonly Item[], level: number): object;
  /** Fewer tokens than an item can take at a level, so that hopeless pages are not made. */
  weigh?(item: Item, level: number): number;
  /** How many levels `render` knows beside the full one. */
  readonly levels?: number;
  readonly limits?: { readonly maxItems?: number; readonly maxDepth?: number };
  readonly next?: readonly FollowUp[];
  /** Puts in what is known only once the text is made, without making it longer. */
  finish?(result: object): object;
  /** The question stopped looking before the end. */
  readonly isCut?: boolean;
}

/** An answer that has no pages. */
export function plainAnswer(
  render: (level: number) => object,
  options: Omit<Partial<Answer>, "items" | "render"> = {},
): Answer {
  return { items: [], limit: 0, ...options, render: (_items, level) => render(level) };
}
