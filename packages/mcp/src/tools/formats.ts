import type { OpenaiImage, VercelImage } from "./images.ts";
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

/** For `responses.create({ tools })` of OpenAI's SDK. */
export interface OpenaiResponsesTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  /**
   * Switches off strict mode, which does not support optional inputs. Waybill validates every
   * input itself.
   */
  readonly strict: false;
}

/** For `config.tools` of Google's Gen AI SDK. */
export interface GeminiTool {
  readonly functionDeclarations: readonly {
    readonly name: string;
    readonly description: string;
    readonly parametersJsonSchema: object;
  }[];
}

/** For `tool(func, fields)` or `new DynamicStructuredTool(fields)` of LangChain. */
export interface LangchainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
  /** Runs the tool. Returns text, or the content blocks of a message if there are images. */
  readonly func: (
    input: unknown,
  ) => Promise<
    string | readonly ({ readonly type: "text"; readonly text: string } | OpenaiImage)[]
  >;
}

/** Text, or text and images. */
type VercelOutput = string | { readonly text: string; readonly images: readonly VercelImage[] };

/**
 * For `generateText({ tools })` of the AI SDK, keyed by the tool's name. The SDK calls it itself.
 */
export interface VercelTool {
  readonly description: string;
  readonly inputSchema: { readonly jsonSchema: object; readonly validate: undefined };
  readonly execute: (
    input: unknown,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<VercelOutput>;
  /** Converts an output to the text and images that the SDK expects. */
  readonly toModelOutput: (options: { readonly output: VercelOutput }) =>
    | { readonly type: "text"; readonly value: string }
    | {
        readonly type: "content";
        readonly value: ({ readonly type: "text"; readonly text: string } | VercelImage)[];
      };
}

/** The tools, by format. */
export interface ToolTypes {
  readonly anthropic: readonly AnthropicTool[];
  readonly openai: readonly OpenaiTool[];
  readonly "openai-responses": readonly OpenaiResponsesTool[];
  readonly gemini: readonly GeminiTool[];
  readonly langchain: readonly LangchainTool[];
  readonly vercel: Readonly<Record<string, VercelTool>>;
}

export type SdkFormat = keyof ToolTypes;

export function anthropicTool({ name, description, schema }: NeutralTool): AnthropicTool {
  return { name, description, input_schema: { ...schema, type: "object" } };
}

export function openaiTool({ name, description, schema }: NeutralTool): OpenaiTool {
  return { type: "function", function: { name, description, parameters: { ...schema } } };
}

export function openaiResponsesTool(tool: NeutralTool): OpenaiResponsesTool {
  const { name, description, schema } = tool;
  return { type: "function", name, description, parameters: { ...schema }, strict: false };
}

export function geminiTool(tools: readonly NeutralTool[]): GeminiTool {
  return {
    functionDeclarations: tools.map(({ name, description, schema }) => {
      return { name, description, parametersJsonSchema: schema };
    }),
  };
}

/** The AI SDK recognises a JSON Schema by this symbol, from any copy of the SDK. */
const SCHEMA = Symbol.for("vercel.ai.schema");

export function vercelTool(
  { description, schema }: NeutralTool,
  execute: VercelTool["execute"],
): VercelTool {
  const inputSchema = { [SCHEMA]: true, jsonSchema: schema, validate: undefined };
  return { description, inputSchema, execute, toModelOutput: vercelOutput };
}

const vercelOutput: VercelTool["toModelOutput"] = ({ output }) =>
  typeof output === "string"
    ? { type: "text", value: output }
    : { type: "content", value: [{ type: "text", text: output.text }, ...output.images] };
