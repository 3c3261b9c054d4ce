import { MIN_TOKENS } from "@waybill/core/protocol";
import { isRecord, toJson } from "@waybill/core/schema";
import type { OperationSpec, ResultEnvelope, Waybill } from "@waybill/core";
import { isInputRequiredResult } from "@modelcontextprotocol/server";
import type { CallToolResult, Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { withBlocks } from "../answers.ts";
import type { Answers } from "../answers.ts";
import { runApproved } from "../approval.ts";
import type { ContinueOptions } from "../approval.ts";
import type { Media } from "../media.ts";
import { projectInput } from "../project/project-input.ts";
import { projectOutput } from "../project/output-schema.ts";
import type { ToolFormat } from "../project/formats.ts";
import { toolDescription } from "../project/tool-description.ts";
import { toolNames } from "../project/tool-names.ts";
import type { ServedTool } from "../surface.ts";

/**
 * The hints for clients about the effect of a tool. An assumed effect is not stated, because a
 * client may skip its question to a person based on these hints.
 */
function getAnnotations({ effect, assumed, idempotent }: OperationSpec): ToolAnnotations {
  if (effect === "read") return { readOnlyHint: true };
  const isDestructive = effect === "destructive";
  return {
    ...((isDestructive || assumed !== true) && { destructiveHint: isDestructive }),
    ...(idempotent && { idempotentHint: true }),
  };
}

function getDefinition(
  name: string,
  spec: OperationSpec,
  inputSchema: object,
  outputSchema: object | undefined,
): Tool {
  return {
    name,
    description: toolDescription(spec),
    inputSchema,
    annotations: getAnnotations(spec),
    ...(outputSchema !== undefined && { outputSchema }),
  } as Tool;
}

/** The envelope, with its data as structured content if the tool declares an output schema. */
function structured(
  envelope: ResultEnvelope,
  { outputSchema }: Tool,
  answers: Answers,
): CallToolResult {
  const answer = answers.result(envelope);
  if (!envelope.ok || outputSchema === undefined) return answer;
  const data = toJson(envelope.data).value;
  return { ...answer, structuredContent: isRecord(data) ? data : { value: data } };
}

function capabilityTool(
  name: string,
  spec: OperationSpec,
  formats: readonly ToolFormat[],
  { maxTokens, answers, media, isStructured }: CapabilityToolsOptions,
): ServedTool {
  const { id } = spec;
  const input = projectInput(spec.inputSchema, formats);
  // Structured content repeats the data, so the text gets half of the token limit if that is
  // enough.
  const half = Math.floor(maxTokens / 2);
  const isTwice = isStructured && half >= MIN_TOKENS;
  const output = isTwice ? projectOutput(spec.outputSchema) : undefined;
  const definition = getDefinition(name, spec, input.schema, output);
  const max_tokens = output === undefined ? maxTokens : half;
  return {
    definition,
    async call(args, call) {
      const { waybill } = call;
      const params = input.original(args);
      const options = { max_tokens, signal: call.signal };
      const run = (more?: ContinueOptions): Promise<ResultEnvelope> =>
        waybill.execute(id, params, { ...options, ...more });
      const answer = await runApproved({ capability_id: id, params, run }, call);
      if (isInputRequiredResult(answer)) return answer;
      const told = structured(answer, definition, answers);
      return withBlocks(told, await media.blocks(answer, call.context));
    },
  };
}

export interface CapabilityToolsOptions {
  /** Ids or patterns of capabilities. */
  readonly patterns: readonly string[];
  /** Names of other tools. */
  readonly taken: readonly string[];
  readonly maxTokens: number;
  readonly answers: Answers;
  readonly media: Media;
  /** Whether data is also sent as structured content, with an output schema. */
  readonly isStructured: boolean;
}

interface Known {
  readonly specs: readonly OperationSpec[];
  readonly tools: readonly ServedTool[];
}

function areSame(a: readonly OperationSpec[], b: readonly OperationSpec[]): boolean {
  return a.length === b.length && a.every((spec, index) => spec === b[index]);
}

/**
 * Capabilities as separate tools, by id. Subscriptions are excluded, because a tool answers once.
 */
export class CapabilityTools {
  readonly #waybill: Waybill;
  readonly #options: CapabilityToolsOptions;
  /** The tools by format. Rebuilt when the operations have changed. */
  readonly #known = new Map<string, Known>();

  constructor(waybill: Waybill, options: CapabilityToolsOptions) {
    this.#waybill = waybill;
    this.#options = options;
  }

  async list(formats: readonly ToolFormat[]): Promise<readonly ServedTool[]> {
    const { patterns } = this.#options;
    if (patterns.length === 0) return [];
    const all = await this.#waybill.operations(patterns);
    const specs = all.filter(({ kind }) => kind === "call");
    const known = this.#known.get(formats.join());
    if (known !== undefined && areSame(known.specs, specs)) return known.tools;
    const tools = this.#make(specs, formats);
    this.#known.set(formats.join(), { specs, tools });
    return tools;
  }

  #make(specs: readonly OperationSpec[], formats: readonly ToolFormat[]): ServedTool[] {
    const ids = specs.map(({ id }) => id);
    const names = toolNames(ids, this.#options.taken);
    return specs.map((spec) => capabilityTool(names.get(spec.id)!, spec, formats, this.#options));
  }
}
