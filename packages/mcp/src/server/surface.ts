import type {
  CallToolResult,
  GetPromptResult,
  Implementation,
  InputRequiredResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerContext,
  Tool,
} from "@modelcontextprotocol/server";
import type { Waybill } from "@waybill/core";
import type { Answers } from "./answers.ts";
import type { Upstream } from "./upstream.ts";

/** Data about a tool call besides its arguments. */
export interface ToolCall {
  /** The Waybill with the rights of the caller. */
  readonly waybill: Waybill;
  /** Aborted if the client cancels. */
  readonly signal: AbortSignal;
  /** Whether the client can ask a person. */
  readonly canAsk: boolean;
  /**
   * The user's answer to a question that an earlier request of this call asked. Undefined if there
   * was none.
   */
  readonly answer: Answer | undefined;
  /** The verified state that the client returned from an earlier request of this call. */
  readonly state: string | undefined;
  /** Signs the state that the client must return in its next request of this call. */
  seal(state: string): Promise<string>;
  /** The request in the form of the SDK. */
  readonly context: ServerContext;
}

export interface Answer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content: Readonly<Record<string, unknown>>;
}

export type ToolAnswer = CallToolResult | InputRequiredResult;

/** A tool: its definition and its function. */
export interface ServedTool {
  readonly definition: Tool;
  call(args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<ToolAnswer>;
}

/** Everything that one client can use. */
export interface Surface {
  /** How answers are written. */
  readonly answers: Answers;
  /** The tools, always in the same order. */
  tools(client: Implementation | undefined): Promise<readonly ServedTool[]>;
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  /** Undefined if there is nothing at this URI. */
  read(
    uri: string,
    waybill: Waybill,
    context: ServerContext,
  ): Promise<ReadResourceResult | undefined>;
  readonly prompts: readonly Prompt[];
  /** Undefined if there is no prompt with this name. */
  prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    context: ServerContext,
  ): GetPromptResult | InputRequiredResult | undefined;
  /** Resources and prompts of other servers. */
  readonly upstream?: Upstream | undefined;
}
