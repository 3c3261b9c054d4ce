import { GRAPH_TOOLS, graphCapabilityId, graphSource } from "@waybill/codegraph";
import type { GraphToolName } from "@waybill/codegraph";
import { mayCall } from "@waybill/core/cards";
import { findProjectConfig, findUserConfig, loadConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import { orUsageError } from "../waybill/index.ts";

/**
 * Whether the policy allows a code graph tool. It is treated like the capability of the same name.
 */
export async function permittedTools(io: Io): Promise<(tool: string) => boolean> {
  const isConfigured = (findProjectConfig(io.cwd, io.env) ?? findUserConfig(io.env)) !== undefined;
  if (!isConfigured) return () => true;
  const { policy } = await orUsageError(loadConfig(io));
  const source = graphSource({ root: io.cwd });
  const isPermitted = (tool: GraphToolName): boolean =>
    mayCall(policy, source.describe(graphCapabilityId(tool)));
  const permitted = new Set(GRAPH_TOOLS.filter(isPermitted).map((tool) => `graph_${tool}`));
  return (name) => permitted.has(name);
}
