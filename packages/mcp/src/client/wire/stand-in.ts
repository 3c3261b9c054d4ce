import { isRecord } from "@waybill/core/schema";

/** Where a stand-in keeps what really came. */
const RAW = "dev.waybill/raw";

/** Results that are read here as they came; the SDK would refuse one that it does not know whole. */
export const READ_RAW: ReadonlySet<string> = new Set([
  "tools/call",
  "tasks/get",
  "tasks/result",
  "tasks/update",
  "tasks/cancel",
]);

/** How a tool must look for the SDK to take the list that it stands in. */
export type ToolGuard = (tool: unknown) => boolean;

function withRaw(value: Record<string, unknown>, raw: unknown): Record<string, unknown> {
  const meta = isRecord(value["_meta"]) ? value["_meta"] : {};
  return { ...value, _meta: { ...meta, [RAW]: raw } };
}

/** For what is no tool, so that it can be told that it was there. */
const NO_TOOL = { name: "dev.waybill/no-tool", inputSchema: { type: "object" } };

/** The least of a tool that the SDK needs, beside the tool as it came. */
function toolStandIn(tool: unknown, isTool: ToolGuard): unknown {
  const { name, inputSchema } = isRecord(tool) ? tool : {};
  const open = { name, inputSchema: { type: "object" } };
  return withRaw([{ name, inputSchema }, open].find(isTool) ?? NO_TOOL, tool);
}

function listStandIn(result: Record<string, unknown>, isTool: ToolGuard): object {
  const tools = Array.isArray(result["tools"]) ? (result["tools"] as unknown[]) : [];
  return { ...result, tools: tools.map((tool) => toolStandIn(tool, isTool)) };
}

/**
 * The value that the SDK gets instead of a result. Its checks are all or nothing: one tool with an
 * odd schema would lose the list, and a content block of a newer kind the whole answer.
 */
export function standIn(method: string, result: unknown, isTool: ToolGuard): unknown {
  if (!isRecord(result)) return result;
  if (method === "tools/list") return listStandIn(result, isTool);
  if (!READ_RAW.has(method) || result["resultType"] === "input_required") return result;
  return withRaw({ resultType: "complete", content: [] }, result);
}

/** The original of a stand-in. */
export function findRaw(result: unknown): Record<string, unknown> | undefined {
  const meta = isRecord(result) ? result["_meta"] : undefined;
  const raw = isRecord(meta) ? meta[RAW] : undefined;
  return isRecord(raw) ? raw : undefined;
}
