import type { Stage } from "../play/stage.ts";
import { turn } from "../play/text.ts";
import { shownTool } from "../programs/mcp-session.ts";
import type { McpSession } from "../programs/mcp-session.ts";
import type { Kind, Params, Step } from "../types.ts";
import type { CallOptions, Door, Purpose, Said } from "./door.ts";

function presentOptions(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function callArguments(step: Step, { approve, after }: CallOptions): Params {
  const { capability, params, select } = step;
  const paths = Array.isArray(select) ? select : undefined;
  const options = presentOptions({ select: paths, approve }) as Params;
  return {
    capability_id: capability,
    params: after === undefined ? params : { ...params, after },
    ...(Object.keys(options).length > 0 && { options }),
  };
}

function chainStep({ capability, params, id, select }: Step): Params {
  return presentOptions({ task: capability, params, id, select }) as Params;
}

function toolCall(name: string, args: Params): string {
  return JSON.stringify({ name, arguments: args });
}

/** A call in the form that a model writes. */
export function executeCall(step: Step): string {
  return toolCall("execute", callArguments(step, {}));
}

export function chainCall(steps: readonly Step[]): string {
  return toolCall("chain", { steps: steps.map(chainStep) });
}

export function graphCall(tool: string, args: Params): string {
  return toolCall("graph", { tool, args });
}

/** The tools of `waybill serve mcp`. For questions about code, the graph's one tool. */
export async function openMcpDoor(stage: Stage, kind: Kind, isBrief: boolean): Promise<Door> {
  const session: McpSession = await stage.mcp([
    ...(kind === "code" ? ["--tools", "graph"] : []),
    ...(isBrief ? ["--brief"] : []),
  ]);
  const say = async (name: string, args: Params, purpose: Purpose): Promise<Said> => {
    const text = await session.call(name, args);
    const sent = stage.steady(toolCall(name, args));
    return { text, turn: turn(purpose, name, sent, stage.steady(text)) };
  };
  return {
    definitions: async () => session.tools.map((tool) => [`tool ${tool.name}`, shownTool(tool)]),
    execute: (step, purpose, options = {}) => say("execute", callArguments(step, options), purpose),
    chain: (steps, purpose) => say("chain", { steps: steps.map(chainStep) }, purpose),
    explain: (capability_id) => say("explain", { capability_id }, "discover"),
    list: (domain) => say("list_capabilities", { domain }, "discover"),
    graph: (tool, args, purpose) => say("graph", { tool, args }, purpose),
  };
}
