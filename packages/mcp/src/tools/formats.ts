import type { NeutralTool } from "./neutral-tool.ts";

/** For `messages.create({ tools })` of Anthropic's SDK. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly type: "object"; readonly [keyword: string]: unknown };
}

/** For `chat.completions.create({ tools })` of OpenAI's SDK. */
export interface OpenaiTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
  };
}

/** For `generateText({ tools })` of the AI SDK, under the tool's name; it calls the tool itself. */
export interface VercelTool {
  readonly description: string;
  readonly inputSchema: { readonly jsonSchema: object; readonly validate: undefined };
  readonly execute: (
    input: unknown,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<string>;
}

/** What each format's tools are. */
export interface ToolsOf {
  readonly anthropic: readonly AnthropicTool[];
  readonly openai: readonly OpenaiTool[];
  readonly vercel: Readonly<Record<string, VercelTool>>;
}

export type SdkFormat = keyof ToolsOf;

export function anthropicTool({ name, description, schema }: NeutralTool): AnthropicTool {
  return { name, description, input_schema: { ...schema, type: "object" } };
}

export function openaiTool({ name, description, schema }: NeutralTool): OpenaiTool {
  return { type: "function", function: { name, description, parameters: { ...schema } } };
}

/** By this the AI SDK knows a JSON Schema, whichever copy of the SDK made it. */
const SCHEMA = Symbol.for("vercel.ai.schema");

export function vercelTool(
  { description, schema }: NeutralTool,
  execute: VercelTool["execute"],
): VercelTool {
  const inputSchema = { [SCHEMA]: true, jsonSchema: schema, validate: undefined };
  return { description, inputSchema, execute };
}
