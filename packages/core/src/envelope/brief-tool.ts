import { isRecord } from "./json.ts";
import type { ToolEnvelope, ToolErrorResult, ToolMeta } from "./tool.ts";

/** A tool's answer in few tokens. `error` is present exactly if the tool failed. */
export type BriefToolAnswer<T = unknown> =
  | { readonly result: T; readonly meta?: Partial<ToolMeta> }
  | ToolErrorResult;

/** Suggestions are kept only if the answer is incomplete. */
function leavesQuestions(result: unknown, { truncated, page }: ToolMeta): boolean {
  // A member named `index` says that the result is outdated or not complete yet.
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

/** The same answer without the workspace, the tool, the time and the size. */
export function briefToolEnvelope<T>({ success, data }: ToolEnvelope<T>): BriefToolAnswer<T> {
  if (!success) return { error: data.result.error };
  const meta = remarkable(data.result, data.meta);
  return Object.keys(meta).length === 0 ? { result: data.result } : { result: data.result, meta };
}
