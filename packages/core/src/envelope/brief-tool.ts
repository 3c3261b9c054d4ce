import { isRecord } from "./json.ts";
import type { ToolEnvelope, ToolErrorResult, ToolMeta } from "./tool.ts";

/** The answer of a tool in few tokens. `error` is present only if the tool failed. */
export type BriefToolAnswer<T = unknown> =
  | { readonly result: T; readonly meta?: Partial<ToolMeta> }
  | ToolErrorResult;

/** Whether the answer is incomplete. Only then the suggestions are kept. */
function leavesQuestions(result: unknown, { truncated, page }: ToolMeta): boolean {
  // A member named `index` says that the code graph is outdated or still being built.
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
