import {
  createErrorEnvelope,
  createSuccessEnvelope,
  createWaybill,
  errorFromUnknown,
  fail,
} from "@waybill/core";
import { failureResult, toResultError, toToolError } from "@waybill/core/protocol";
import { nearestNames } from "@waybill/core/schema";
import type { FailureResult, ResultEnvelope, ToolEnvelope, WorkspaceContext } from "@waybill/core";
import type { AnswerMeta, ToolMeta } from "@waybill/core/protocol";
import { GRAPH_TOOLS, capabilityId } from "../query/index.ts";
import type { GraphToolName } from "../query/index.ts";
import { fitError } from "./fit-error.ts";
import type { ErrorText } from "./fit-error.ts";
import { toldInput } from "./short-inputs.ts";
import { askedTokens, describeTool, graphOperations, tokenLimit } from "./operations.ts";
import type { Rendering } from "./operations.ts";
import { GraphWorkspace } from "./workspace.ts";
import {
  REV_LENGTH,
  getWorkspaceContext,
  makeContext,
  repositoryName,
} from "./workspace-context.ts";
import type { GraphWorkspaceOptions } from "./workspace.ts";

type ToolNames = {
  readonly [Tool in GraphToolName as `GRAPH_${Uppercase<Tool>}`]: `graph_${Tool}`;
};

/** The names of the tools without a prefix, by constant name. */
export const TOOLS: ToolNames = Object.freeze(
  Object.fromEntries(GRAPH_TOOLS.map((tool) => [`GRAPH_${tool.toUpperCase()}`, `graph_${tool}`])),
) as ToolNames;

/** A tool as it is described to an agent. */
export interface GraphToolInfo {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

export function listGraphTools(
  prefix = "",
  tools: readonly GraphToolName[] = GRAPH_TOOLS,
): GraphToolInfo[] {
  return tools.map((tool) => ({
    name: `${prefix}graph_${tool}`,
    description: describeTool(tool),
    inputSchema: toldInput(tool),
  }));
}

function getMeta(
  facts: AnswerMeta,
  prefix: string,
  maxTokens: number,
): Partial<Omit<ToolMeta, "approxTokens">> {
  const { pagination, truncated = false, limits, next } = facts;
  return {
    truncated,
    limits: { ...limits, maxTokens },
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
  { maxTokens, asked }: { readonly maxTokens: number; readonly asked?: number | undefined },
): ToolEnvelope {
  if (outcome.ok) {
    const meta = getMeta(outcome.meta, prefix, maxTokens);
    return createSuccessEnvelope(tool, outcome.data, workspace, meta);
  }
  const { code, ...whole } = toToolError(outcome.error);
  const envelope = ({ message, details }: ErrorText): ToolEnvelope => {
    const told = Object.keys(details).length === 0 ? undefined : { ...details };
    return createErrorEnvelope(tool, code, message, workspace, told);
  };
  return envelope(fitError(whole, asked, (each) => JSON.stringify(envelope(each))));
}

export interface GraphToolsOptions extends GraphWorkspaceOptions {
  /** Prefix of every tool's name, such as `ouroborosai_`. */
  readonly prefix?: string;
  /** Whether a tool may be listed and called (default: all may). */
  readonly permits?: (tool: GraphToolName) => boolean;
}

interface CallToolOptions {
  readonly signal?: AbortSignal;
}

/** The tools of one tree. They answer in their own envelope. */
export interface GraphTools {
  readonly tools: readonly GraphToolInfo[];
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallToolOptions,
  ): Promise<ToolEnvelope>;
  close(): Promise<void>;
}

/** The tool for a name: with any prefix, without one, or without `graph_`. */
function toolNamed(name: string, tools: readonly GraphToolName[]): GraphToolName {
  const short = name.replaceAll("-", "_").replace(/^(?:\w*_)?graph[_.]/u, "");
  const tool = tools.find((each) => each === short);
  if (tool !== undefined) return tool;
  const near = nearestNames(short, tools);
  const meant = near.length === 0 ? "" : `; did you mean ${near[0]!}?`;
  throw fail("NOT_FOUND", `There is no graph tool ${JSON.stringify(name.slice(0, 80))}${meant}`, {
    ...(near.length > 0 && { did_you_mean: near }),
    hint: `The tools are ${tools.join(", ")}`,
  });
}

/** The value, or the envelope of a thrown error. */
function orFailure<T>(make: () => T): T | FailureResult {
  try {
    return make();
  } catch (thrown) {
    const facts = { requestId: "", isWrite: false, isRepeatable: true };
    const error = toResultError(errorFromUnknown(thrown), facts);
    return failureResult(error, { capability_id: "" });
  }
}

/** The answer for a failure before any question was asked. */
function failedAnswer(
  outcome: FailureResult,
  name: string,
  root: string,
  prefix: string,
): ToolEnvelope {
  return toToolEnvelope(name, outcome, getWorkspaceContext(root), prefix, { maxTokens: 0 });
}

/** Tools for a root that is not a folder. Every call returns the error. */
function toolsWithoutRoot(outcome: FailureResult, root: string, prefix: string): GraphTools {
  return {
    tools: listGraphTools(prefix),
    call: async (name) => failedAnswer(outcome, name, root, prefix),
    close: async () => {},
  };
}

function getTools(
  workspace: GraphWorkspace,
  prefix: string,
  permits: GraphToolsOptions["permits"] = () => true,
): GraphTools {
  const permitted = GRAPH_TOOLS.filter(permits);
  let rev: string | undefined;
  let repoName = "";
  const nameOf = (tool: GraphToolName): string => `${prefix}graph_${tool}`;
  const rendering: Rendering = (tool, data, facts, maxTokens) => {
    const context = makeContext(workspace.root, rev ?? "0".repeat(REV_LENGTH), repoName);
    const meta = getMeta(facts, prefix, maxTokens);
    return JSON.stringify(createSuccessEnvelope(nameOf(tool), data, context, meta));
  };
  const waybill = createWaybill({ operations: graphOperations(workspace, rendering) });
  return {
    tools: listGraphTools(prefix, permitted),
    async call(name, args = {}, { signal } = {}) {
      const tool = orFailure(() => toolNamed(name, permitted));
      if (typeof tool !== "string") return failedAnswer(tool, name, workspace.root, prefix);
      repoName = repositoryName(workspace.root);
      const outcome = await waybill.execute(capabilityId(tool), args, signal ? { signal } : {});
      ({ rev } = workspace);
      const { root } = workspace;
      const context = workspace.isOpen
        ? makeContext(root, rev, repoName)
        : getWorkspaceContext(root);
      const budget = { maxTokens: tokenLimit(tool, args), asked: askedTokens(args) };
      return toToolEnvelope(nameOf(tool), outcome, context, prefix, budget);
    },
    close: () => waybill.close(),
  };
}

/**
 * Opens the tools of a tree. The first call reads it. A workspace that is passed in is shared, and
 * stays open when the tools are closed. Every failed call returns an ErrorEnvelope.
 */
export function openGraphTools(
  options: GraphToolsOptions | GraphWorkspace,
  {
    prefix: shared = "",
    permits: sharedPermits,
  }: Pick<GraphToolsOptions, "prefix" | "permits"> = {},
): GraphTools {
  if (options instanceof GraphWorkspace) return getTools(options, shared, sharedPermits);
  const { prefix = shared, permits = sharedPermits, ...rest } = options;
  const workspace = orFailure(() => new GraphWorkspace(rest));
  if (!(workspace instanceof GraphWorkspace)) return toolsWithoutRoot(workspace, rest.root, prefix);
  const tools = getTools(workspace, prefix, permits);
  return {
    ...tools,
    async close() {
      await tools.close();
      await workspace.close();
    },
  };
}

export interface RunGraphToolOptions extends GraphToolsOptions, CallToolOptions {}

/** Runs one tool once: opens the tree, asks, and closes it. */
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
