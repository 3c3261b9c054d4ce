import type { OperationSpec, Waybill } from "@waybill/core";
import { projectInput } from "../server/project/project-input.ts";
import { toolDescription } from "../server/project/tool-description.ts";
import { toolNames } from "../server/project/tool-names.ts";
import {
  BRIEF_EXECUTE,
  CHAIN,
  EXECUTE,
  EXPLAIN,
  LIST_CAPABILITIES,
} from "../server/tools/definitions.ts";
import { resultAnswer, runChain, runExecute, runExplain, runList } from "./four-runs.ts";
import type { Run, RunAnswer } from "./four-runs.ts";

/** A tool before it is converted to the format of a provider. */
export interface NeutralTool {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
  readonly run: Run;
}

/** The four tools that every agent needs. */
export function fourTools(isBrief: boolean): NeutralTool[] {
  const four = [
    [isBrief ? BRIEF_EXECUTE : EXECUTE, runExecute],
    [EXPLAIN, runExplain],
    [LIST_CAPABILITIES, runList],
    [CHAIN, runChain],
  ] as const;
  return four.map(([{ name, description = "", inputSchema }, run]) => {
    return { name, description, schema: inputSchema, run };
  });
}

function capabilityTool(name: string, spec: OperationSpec): NeutralTool {
  // Uses a format that both providers accept, because programs often try both.
  const input = projectInput(spec.inputSchema, ["anthropic", "openai"]);
  const description = toolDescription(spec);
  const run: Run = async (waybill, args, { brief, ...options }): Promise<RunAnswer> =>
    resultAnswer(await waybill.execute(spec.id, input.original(args), options), brief);
  return { name, description, schema: input.schema, run };
}

/** Capabilities as separate tools, by ids or patterns. Subscriptions are excluded. */
export async function capabilityTools(
  waybill: Waybill,
  patterns: readonly string[],
): Promise<NeutralTool[]> {
  const specs = (await waybill.operations(patterns)).filter(({ kind }) => kind === "call");
  const names = toolNames(
    specs.map(({ id }) => id),
    [],
  );
  return specs.map((spec) => capabilityTool(names.get(spec.id)!, spec));
}
