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

/** The facts of a tool call besides the arguments. */
export interface ToolCall {
  /** As the caller may use it. */
  readonly waybill: Waybill;
  /** Aborted when the client cancels. */
  readonly signal: AbortSignal;
  /** Whether the client can put a question to a person. */
  readonly canAsk: boolean;
  /** The user's answer to the question of an earlier round. */
  readonly answer: Answer | undefined;
  /** The verified state from an earlier round; undefined in the first. */
  readonly state: string | undefined;
  /** Protects what the client is to hand back in the next round. */
  seal(state: string): Promise<string>;
  /** The request as the SDK has it. */
  readonly context: ServerContext;
}

export interface Answer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content: Readonly<Record<string, unknown>>;
}

export type ToolAnswer = CallToolResult | InputRequiredResult;

/** A tool as it is listed, and what it does. */
export interface ServedTool {
  readonly definition: Tool;
  call(args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<ToolAnswer>;
}

/** Everything one client is offered. */
export interface Surface {
  /** How answers are written. */
  readonly answers: Answers;
  /** In the order in which they are listed, which is the same every time. */
  tools(client: Implementation | undefined): Promise<readonly ServedTool[]>;
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  /** Undefined when there is nothing under the address. */
  read(
    uri: string,
    waybill: Waybill,
    context: ServerContext,
  ): Promise<ReadResourceResult | undefined>;
  readonly prompts: readonly Prompt[];
  /** Undefined when there is no prompt of that name. */
  prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    context: ServerContext,
  ): GetPromptResult | InputRequiredResult | undefined;
  /** Resources and prompts of other servers. */
  readonly upstream?: Upstream | undefined;
}
