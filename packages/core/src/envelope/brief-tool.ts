import { isRecord } from "./json.ts";
import type { ToolEnvelope, ToolErrorResult, ToolMeta } from "./tool.ts";

/** A tool's answer for a reader who pays by the word: `error` is there exactly when it failed. */
export type BriefToolAnswer<T = unknown> =
  | { readonly result: T; readonly meta?: Partial<ToolMeta> }
  | ToolErrorResult;

/** Suggestions help if there is more to learn; a complete answer needs none. */
function leavesQuestions(result: unknown, { truncated, page }: ToolMeta): boolean {
  // A result that is not as of now, or not complete yet, says so under this name.
  const isStale = isRecord(result) && result["index"] !== undefined;
  return truncated || isStale || page?.hasMore === true || page?.total === 0;
}

function remarkable(result: unknown, meta: ToolMeta): Partial<ToolMeta> {
  const { truncated, page, nextQuerySuggestion: next = [] } = meta;
  return {
    ...(truncated && { truncated }),
    ...(page?.hasMore === true && { page }),
    ...(next.length > 0 && leavesQuestions(result, meta) && { nextQuerySuggestion: next }),
  };
}

/** The same answer without the tree, the tool, the time and the size. */
export function briefToolEnvelope<T>({ success, data }: ToolEnvelope<T>): BriefToolAnswer<T> {
  if (!success) return { error: data.result.error };
  const meta = remarkable(data.result, data.meta);
  return Object.keys(meta).length === 0 ? { result: data.result } : { result: data.result, meta };
}
