import type { Waybill } from "@waybill/core";
import { toolDefinitions } from "@waybill/mcp/tools";
import type { FormatName, Toolbox } from "./toolbox.ts";

/**
 * Waybill's four tools, as a program would pass them to a provider's SDK, with the skill. Answers
 * are brief, as `setup` configures them.
 */
export async function waybillToolbox(
  waybill: Waybill,
  format: FormatName,
  skill: string,
): Promise<Toolbox> {
  const { tools, run } = await toolDefinitions(waybill, { format, brief: true });
  return { system: skill, tools, run: (name, input, signal) => run(name, input, { signal }) };
}
