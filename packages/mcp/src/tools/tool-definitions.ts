import { errorFromUnknown, fail } from "@waybill/core";
import { failureResult, toResultError } from "@waybill/core/protocol";
import { isRecord, nearestNames, parseStrictJson } from "@waybill/core/schema";
import type { Waybill } from "@waybill/core";
import { anthropicTool, openaiTool, vercelTool } from "./formats.ts";
import type { SdkFormat, ToolsOf } from "./formats.ts";
import type { ToolAnswer } from "./four-runs.ts";
import { capabilityTools, fourTools } from "./neutral-tool.ts";
import type { NeutralTool } from "./neutral-tool.ts";

export interface ToolDefinitionsOptions<Format extends SdkFormat> {
  readonly format: Format;
  /** Ids or patterns such as `issue.*`: these as tools of their own, in place of the four. */
  readonly tools?: readonly string[];
  /** How many tokens an answer may have that asks for no other number; 10,000 unless given. */
  readonly maxTokens?: number;
}

export interface RunToolOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ToolDefinitions<Format extends SdkFormat> {
  /** To be handed to the SDK as they are, in the same order every time. */
  readonly tools: ToolsOf[Format];
  /** Does what the model asked for. Never throws: what is wrong is in the answer. */
  readonly run: (name: string, input: unknown, options?: RunToolOptions) => Promise<ToolAnswer>;
}

const DEFAULT_MAX_TOKENS = 10_000;

/** What could not even be called fails in the same envelope as a call. */
function failed(thrown: unknown): ToolAnswer {
  const facts = { requestId: "", isWrite: false, isRepeatable: true };
  const error = toResultError(errorFromUnknown(thrown), facts);
  return { text: JSON.stringify(failureResult(error, { capability_id: "" })), isError: true };
}

function unknownTool(name: string, known: readonly string[]): ToolAnswer {
  const [near] = nearestNames(name, known, 1);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  const message = `There is no tool ${name.slice(0, 100)}${hint}`;
  const error = { code: "NOT_FOUND", message, retryable: false } as const;
  return { text: JSON.stringify(failureResult(error, { capability_id: "" })), isError: true };
}

/**
 * Some SDKs hand over the arguments as the text that the model wrote. Where they are no object, the
 * call that was meant is not known: one without any inputs would be another.
 */
function argumentsIn(input: unknown): Readonly<Record<string, unknown>> {
  const given = input === "" ? undefined : input;
  const value = typeof given === "string" ? parseStrictJson(given, { what: "input" }) : given;
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  throw fail("VALIDATION", "The input must be an object", { outcome: "not_applied" });
}

type RunTool = ToolDefinitions<SdkFormat>["run"];

function runnerOf(waybill: Waybill, tools: readonly NeutralTool[], max_tokens: number): RunTool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return async (name, input, { signal } = {}) => {
    const tool = byName.get(name);
    if (tool === undefined) return unknownTool(name, [...byName.keys()]);
    try {
      const options = { max_tokens, ...(signal && { signal }) };
      return await tool.run(waybill, argumentsIn(input), options);
    } catch (thrown) {
      return failed(thrown);
    }
  };
}

function vercelTools(tools: readonly NeutralTool[], run: RunTool): ToolsOf["vercel"] {
  const entries = tools.map((tool) => {
    const execute = async (input: unknown, given?: { abortSignal?: AbortSignal | undefined }) =>
      (await run(tool.name, input, { signal: given?.abortSignal })).text;
    return [tool.name, vercelTool(tool, execute)] as const;
  });
  return Object.fromEntries(entries);
}

/** In every form, for each costs next to nothing to make. */
function inForms(tools: readonly NeutralTool[], run: RunTool): ToolsOf {
  return {
    anthropic: tools.map(anthropicTool),
    openai: tools.map(openaiTool),
    vercel: vercelTools(tools, run),
  };
}

/** A Waybill as tools of a model provider's SDK, and what to call when the model uses one. */
export async function toolDefinitions<Format extends SdkFormat>(
  waybill: Waybill,
  options: ToolDefinitionsOptions<Format>,
): Promise<ToolDefinitions<Format>> {
  const { format, tools: patterns, maxTokens = DEFAULT_MAX_TOKENS } = options;
  const tools = patterns === undefined ? fourTools() : await capabilityTools(waybill, patterns);
  const run = runnerOf(waybill, tools, maxTokens);
  return { tools: inForms(tools, run)[format], run };
}
