import type { BriefTextOptions } from "@waybill/core/protocol";
import { errorFromUnknown, fail } from "@waybill/core";
import { failureResult, toResultError } from "@waybill/core/protocol";
import { isRecord, nearestNames, parseStrictJson } from "@waybill/core/schema";
import type { HandleStore, Waybill } from "@waybill/core";
import {
  anthropicTool,
  geminiTool,
  openaiResponsesTool,
  openaiTool,
  vercelTool,
} from "./formats.ts";
import type { LangchainTool, SdkFormat, ToolTypes, VercelTool } from "./formats.ts";
import { resultAnswer } from "./four-runs.ts";
import type { RunAnswer } from "./four-runs.ts";
import { imagesIn } from "./images.ts";
import type { ImageForms } from "./images.ts";
import { capabilityTools, fourTools } from "./neutral-tool.ts";
import type { NeutralTool } from "./neutral-tool.ts";

export interface ToolDefinitionsOptions<Format extends SdkFormat> {
  readonly format: Format;
  /**
   * Ids or patterns such as `issue.*`. Each matching capability gets its own tool, instead of
   * the four tools.
   */
  readonly tools?: readonly string[];
  /** Token limit of an answer if the call sets none (default: 10,000). */
  readonly maxTokens?: number;
  /**
   * Whether answers are brief text, which `parseBrief` reads, instead of JSON (default: false). A
   * warning that applies to every answer is shown in the first one only.
   */
  readonly brief?: boolean;
  /**
   * The store of `createWaybill({ handles })`. With it, images of an answer are passed on (default:
   * no images).
   */
  readonly handles?: HandleStore;
}

/** The answer for the model. */
export interface ToolAnswer<Format extends SdkFormat = SdkFormat> {
  readonly text: string;
  readonly isError: boolean;
  /** Images for the message, in the form of this SDK. */
  readonly images: readonly ImageForms[Format][];
}

export interface RunToolOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ToolDefinitions<Format extends SdkFormat> {
  /** Pass these to the SDK unchanged. Their order is always the same. */
  readonly tools: ToolTypes[Format];
  /** Runs the tool call of the model. Never throws; errors are in the answer. */
  readonly run: (
    name: string,
    input: unknown,
    options?: RunToolOptions,
  ) => Promise<ToolAnswer<Format>>;
}

const DEFAULT_MAX_TOKENS = 10_000;

/** The warnings that the model has seen. */
type Brief = Pick<BriefTextOptions, "shown">;

/** A call that cannot be made fails with the same envelope as other calls. */
function failed(thrown: unknown, brief: Brief | undefined): RunAnswer {
  const facts = { requestId: "", isWrite: false, isRepeatable: true };
  const error = toResultError(errorFromUnknown(thrown), facts);
  return resultAnswer(failureResult(error, { capability_id: "" }), brief);
}

function unknownTool(name: string, known: readonly string[]): Error {
  const [near] = nearestNames(name, known, 1);
  const next = near === undefined ? `the tools are ${known.join(", ")}` : `did you mean ${near}?`;
  return fail("NOT_FOUND", `There is no tool ${name.slice(0, 100)}; ${next}`);
}

/**
 * Parses arguments that an SDK passes as the text of the model. If they are not an object, the
 * call is refused, because a call without inputs would be another call.
 */
function argumentsIn(input: unknown): Readonly<Record<string, unknown>> {
  const given = input === "" ? undefined : input;
  const value = typeof given === "string" ? parseStrictJson(given, { what: "input" }) : given;
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  throw fail("VALIDATION", "The input must be an object", { outcome: "not_applied" });
}

type RunTool<Format extends SdkFormat> = ToolDefinitions<Format>["run"];

function runnerFor<Format extends SdkFormat>(
  waybill: Waybill,
  tools: readonly NeutralTool[],
  options: ToolDefinitionsOptions<Format>,
): RunTool<Format> {
  const { maxTokens: max_tokens = DEFAULT_MAX_TOKENS } = options;
  const brief: Brief | undefined = options.brief === true ? { shown: new Set() } : undefined;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const answerTo = async (
    name: string,
    input: unknown,
    { signal }: RunToolOptions = {},
  ): Promise<RunAnswer> => {
    const tool = byName.get(name);
    try {
      if (tool === undefined) throw unknownTool(name, [...byName.keys()]);
      const wanted = { max_tokens, ...(brief && { brief }), ...(signal && { signal }) };
      return await tool.run(waybill, argumentsIn(input), wanted);
    } catch (thrown) {
      return failed(thrown, brief);
    }
  };
  return async (name, input, given) => {
    const { text, isError, result } = await answerTo(name, input, given);
    return { text, isError, images: await imagesIn(result, options.handles, options.format) };
  };
}

function vercelTools(tools: readonly NeutralTool[], run: RunTool<"vercel">): ToolTypes["vercel"] {
  const entries = tools.map((tool) => {
    const execute: VercelTool["execute"] = async (input, given) => {
      const { text, images } = await run(tool.name, input, { signal: given?.abortSignal });
      return images.length === 0 ? text : { text, images };
    };
    return [tool.name, vercelTool(tool, execute)] as const;
  });
  return Object.fromEntries(entries);
}

function langchainTools(
  tools: readonly NeutralTool[],
  run: RunTool<"langchain">,
): ToolTypes["langchain"] {
  return tools.map(({ name, description, schema }) => {
    const func: LangchainTool["func"] = async (input) => {
      const { text, images } = await run(name, input);
      return images.length === 0 ? text : [{ type: "text", text }, ...images];
    };
    return { name, description, schema, func };
  });
}

type Forms = {
  readonly [Format in SdkFormat]: (
    tools: readonly NeutralTool[],
    run: RunTool<Format>,
  ) => ToolTypes[Format];
};

const FORMS: Forms = {
  anthropic: (tools) => tools.map(anthropicTool),
  openai: (tools) => tools.map(openaiTool),
  "openai-responses": (tools) => tools.map(openaiResponsesTool),
  gemini: (tools) => [geminiTool(tools)],
  langchain: langchainTools,
  vercel: vercelTools,
};

function assertFormat(format: unknown): void {
  if (typeof format === "string" && Object.hasOwn(FORMS, format)) return;
  const known = Object.keys(FORMS).join(", ");
  throw fail("VALIDATION", `format must be one of ${known}, not ${JSON.stringify(format)}`);
}

/**
 * Converts a Waybill to tools of a model provider's SDK, with a function to call when the model
 * uses one.
 */
export async function toolDefinitions<Format extends SdkFormat>(
  waybill: Waybill,
  options: ToolDefinitionsOptions<Format>,
): Promise<ToolDefinitions<Format>> {
  const { format, tools: patterns, brief: isBrief = false } = options;
  assertFormat(format);
  const tools =
    patterns === undefined ? fourTools(isBrief) : await capabilityTools(waybill, patterns);
  const run = runnerFor(waybill, tools, options);
  return { tools: FORMS[format](tools, run), run };
}
