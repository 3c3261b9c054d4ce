import { basename } from "node:path";
import { createErrorEnvelope, createSuccessEnvelope, createWaybill, fail } from "@waybill/core";
import { toolErrorCode } from "@waybill/core/protocol";
import { nearestNames } from "@waybill/core/schema";
import type { ResultEnvelope, ToolEnvelope, WorkspaceContext } from "@waybill/core";
import type { AnswerFacts, ToolMeta } from "@waybill/core/protocol";
import { headRev } from "../git/rev.ts";
import { GRAPH_TOOLS, capabilityId } from "../query/index.ts";
import type { GraphToolName } from "../query/index.ts";
import { fitError } from "./fit-error.ts";
import type { ErrorText } from "./fit-error.ts";
import { toldInput } from "./told-inputs.ts";
import { describeTool, graphOperations } from "./operations.ts";
import type { Rendering } from "./operations.ts";
import { GraphWorkspace } from "./workspace.ts";
import type { GraphWorkspaceOptions } from "./workspace.ts";

const REV_LENGTH = 12;

/** The tools' names without a prefix, by the words they are known under. */
export const TOOLS: Readonly<Record<string, string>> = Object.freeze(
  Object.fromEntries(GRAPH_TOOLS.map((tool) => [`GRAPH_${tool.toUpperCase()}`, `graph_${tool}`])),
);

/** A tool as an agent is told of it. */
export interface GraphToolInfo {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

export function listGraphTools(prefix = ""): GraphToolInfo[] {
  return GRAPH_TOOLS.map((tool) => ({
    name: `${prefix}graph_${tool}`,
    description: describeTool(tool),
    inputSchema: toldInput(tool),
  }));
}

function contextOf(root: string, rev: string | undefined): WorkspaceContext {
  const repoName = basename(root) || root;
  return rev === undefined ? { root, repoName } : { root, repoName, rev: rev.slice(0, REV_LENGTH) };
}

/** Which tree the answers are about. */
export async function getWorkspaceContext(root: string = process.cwd()): Promise<WorkspaceContext> {
  return contextOf(root, await headRev({ cwd: root }));
}

function metaOf(facts: AnswerFacts, prefix: string): Partial<Omit<ToolMeta, "approxTokens">> {
  const { pagination, truncated = false, limits = {}, next } = facts;
  return {
    truncated,
    limits,
    ...(next !== undefined && {
      nextQuerySuggestion: next.map(({ capability_id, params, reason }) => ({
        tool: `${prefix}${capability_id.replaceAll(".", "_")}`,
        args: { ...params },
        reason,
      })),
    }),
    ...(pagination !== undefined && {
      page: {
        hasMore: pagination.has_next_page,
        ...(pagination.end_cursor !== null && { cursor: pagination.end_cursor }),
        ...(pagination.total !== undefined && { total: pagination.total }),
      },
    }),
  };
}

function toToolEnvelope(
  tool: string,
  outcome: ResultEnvelope,
  workspace: WorkspaceContext,
  prefix: string,
  maxTokens: unknown,
): ToolEnvelope {
  if (outcome.ok) {
    return createSuccessEnvelope(tool, outcome.data, workspace, metaOf(outcome.meta, prefix));
  }
  const { error } = outcome;
  const code = toolErrorCode(error);
  const envelope = ({ message, details }: ErrorText): ToolEnvelope => {
    const told = Object.keys(details).length === 0 ? undefined : { ...details };
    return createErrorEnvelope(tool, code, message, workspace, told);
  };
  const whole = { message: error.message, details: error.details ?? {} };
  return envelope(fitError(whole, maxTokens, (each) => JSON.stringify(envelope(each))));
}

export interface GraphToolsOptions extends GraphWorkspaceOptions {
  /** Before every tool's name, such as `ouroborosai_`. */
  readonly prefix?: string;
}

interface CallToolOptions {
  readonly signal?: AbortSignal;
}

/** The tools of one tree, answering in the tools' envelope. */
export interface GraphTools {
  readonly tools: readonly GraphToolInfo[];
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallToolOptions,
  ): Promise<ToolEnvelope>;
  close(): Promise<void>;
}

/** The tool that a name means: with the prefix, without it, or without `graph_`. */
function toolNamed(name: string, prefix: string): GraphToolName {
  const plain = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  const short = plain.replace(/^graph[_.]/u, "").replaceAll("-", "_");
  const tool = GRAPH_TOOLS.find((each) => each === short);
  if (tool !== undefined) return tool;
  const near = nearestNames(short, GRAPH_TOOLS);
  const meant = near.length === 0 ? "" : `; did you mean ${near[0]!}?`;
  throw fail("NOT_FOUND", `There is no graph tool ${JSON.stringify(name.slice(0, 80))}${meant}`, {
    ...(near.length > 0 && { did_you_mean: near }),
    hint: `The tools are ${GRAPH_TOOLS.join(", ")}`,
  });
}

function toolsOf(workspace: GraphWorkspace, prefix: string): GraphTools {
  let rev: string | undefined;
  const nameOf = (tool: GraphToolName): string => `${prefix}graph_${tool}`;
  const rendering: Rendering = (tool, data, facts) => {
    const context = contextOf(workspace.root, rev ?? "0".repeat(REV_LENGTH));
    const meta = metaOf(facts, prefix);
    return JSON.stringify(createSuccessEnvelope(nameOf(tool), data, context, meta));
  };
  const waybill = createWaybill({ operations: graphOperations(workspace, rendering) });
  return {
    tools: listGraphTools(prefix),
    async call(name, args = {}, { signal } = {}) {
      const tool = toolNamed(name, prefix);
      const outcome = await waybill.execute(capabilityId(tool), args, signal ? { signal } : {});
      ({ rev } = workspace);
      const context = contextOf(workspace.root, rev);
      return toToolEnvelope(nameOf(tool), outcome, context, prefix, args["maxTokens"]);
    },
    close: () => waybill.close(),
  };
}

/**
 * Opens the tools of a tree; the first call reads it. A workspace that is given is shared, and closed
 * by whoever opened it.
 */
export function openGraphTools(options: GraphToolsOptions | GraphWorkspace): GraphTools {
  if (options instanceof GraphWorkspace) return toolsOf(options, "");
  const { prefix = "", ...rest } = options;
  const workspace = new GraphWorkspace(rest);
  const tools = toolsOf(workspace, prefix);
  return {
    ...tools,
    async close() {
      await tools.close();
      await workspace.close();
    },
  };
}

export interface RunGraphToolOptions extends GraphToolsOptions, CallToolOptions {}

/** One call of one tool, from opening the tree to closing it. */
export async function runGraphTool(
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: RunGraphToolOptions,
): Promise<ToolEnvelope> {
  const tools = openGraphTools(options);
  try {
    return await tools.call(name, args, options);
  } finally {
    await tools.close();
  }
}
