import { isRecord } from "@waybill/core/schema";

/** The member of a stand-in that has the original value. */
const RAW = "dev.waybill/raw";

/**
 * Methods whose results Waybill reads itself, because the SDK refuses a result with unknown
 * parts.
 */
export const READ_RAW: ReadonlySet<string> = new Set([
  "tools/call",
  "tasks/get",
  "tasks/result",
  "tasks/update",
  "tasks/cancel",
]);

/** Whether the SDK accepts a tool. One refused tool would make it refuse the whole list. */
export type ToolGuard = (tool: unknown) => boolean;

function withRaw(value: Record<string, unknown>, raw: unknown): Record<string, unknown> {
  const meta = isRecord(value["_meta"]) ? value["_meta"] : {};
  return { ...value, _meta: { ...meta, [RAW]: raw } };
}

/** Replaces an entry that is not a tool, so that the entry can be reported. */
const NO_TOOL = { name: "dev.waybill/no-tool", inputSchema: { type: "object" } };

/** The SDK's check throws if a schema is nested deeper than the stack. */
function isAccepted(tool: unknown, isTool: ToolGuard): boolean {
  try {
    return isTool(tool);
  } catch {
    return false;
  }
}

/** The minimum of a tool that the SDK needs, together with the original tool. */
function toolStandIn(tool: unknown, isTool: ToolGuard): unknown {
  const { name, inputSchema } = isRecord(tool) ? tool : {};
  const open = { name, inputSchema: { type: "object" } };
  const accepted = [{ name, inputSchema }, open].find((each) => isAccepted(each, isTool));
  return withRaw(accepted ?? NO_TOOL, tool);
}

function listStandIn(result: Record<string, unknown>, isTool: ToolGuard): object {
  const tools = Array.isArray(result["tools"]) ? (result["tools"] as unknown[]) : [];
  return { ...result, tools: tools.map((tool) => toolStandIn(tool, isTool)) };
}

/**
 * The value that the SDK gets instead of a result. The SDK accepts or refuses a result as a
 * whole: one tool with an odd schema would lose the whole list, and a new kind of content block
 * the whole answer.
 */
export function standIn(method: string, result: unknown, isTool: ToolGuard): unknown {
  if (!isRecord(result)) return result;
  if (method === "tools/list") return listStandIn(result, isTool);
  if (!READ_RAW.has(method) || result["resultType"] === "input_required") return result;
  return withRaw({ resultType: "complete", content: [] }, result);
}

/** The original value of a stand-in. */
export function findRaw(result: unknown): Record<string, unknown> | undefined {
  const meta = isRecord(result) ? result["_meta"] : undefined;
  const raw = isRecord(meta) ? meta[RAW] : undefined;
  return isRecord(raw) ? raw : undefined;
}
