import { useEffect, useState } from "preact/hooks";
import { Refused } from "../api/ask.ts";
import { execute } from "../api/execute.ts";

/** A question to one of the code graph's tools. */
export interface ToolCall {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The answer of a tool: pending, found or failed. */
export type ToolAnswer<T> =
  | { readonly state: "asking" }
  | { readonly state: "there"; readonly data: T; readonly envelope: unknown }
  | { readonly state: "failed"; readonly thrown: unknown };

/**
 * The token limit for an answer. It is higher than the default for agents, because a person reads
 * the answer.
 */
const MAX_TOKENS = 8_000;

async function toolAnswer<T>({ tool, params }: ToolCall): Promise<ToolAnswer<T>> {
  try {
    const ran = await execute(`graph.${tool}`, { ...params, maxTokens: MAX_TOKENS });
    const { error, envelope } = ran;
    if (error === undefined) return { state: "there", envelope, ...(envelope as { data: T }) };
    return { state: "failed", thrown: new Refused(400, error.code, error.message, error.hint) };
  } catch (thrown) {
    return { state: "failed", thrown };
  }
}

/**
 * Calls a tool when the question changes or the code base was read again. Without a question it
 * does nothing.
 */
export function useTool<T>(call: ToolCall | undefined, version: number): ToolAnswer<T> {
  const key = call && `${version} ${call.tool} ${JSON.stringify(call.params)}`;
  const [answer, setAnswer] = useState<{
    readonly to?: string;
    readonly answer: ToolAnswer<T>;
  }>({ answer: { state: "asking" } });
  useEffect(() => {
    if (call === undefined || key === undefined) return undefined;
    let isWanted = true;
    const load = async (): Promise<void> => {
      const next = await toolAnswer<T>(call);
      if (isWanted) setAnswer({ to: key, answer: next });
    };
    void load();
    return () => {
      isWanted = false;
    };
  }, [key]);
  // An answer to an earlier question is ignored.
  return answer.to === key ? answer.answer : { state: "asking" };
}
