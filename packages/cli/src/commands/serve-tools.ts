import { GraphWorkspace, oneGraphTool, openGraphTools } from "@waybill/codegraph";
import type { McpServerOptions } from "@waybill/mcp/server";
import type { Words } from "../command.ts";
import type { Io } from "../io.ts";
import { givenOptions, listValue, numberValue } from "../words/option-values.ts";
import { skillText } from "../skill/index.ts";
import { UsageError } from "../words/usage-error.ts";
import { permittedTools } from "./graph-policy.ts";
import { getRoot } from "./graph-root.ts";

const PATTERN = /^[\w*-]+(?:\.[\w*-]+)*$/u;
/** The longest tool name, because clients allow only short ones. */
const PREFIX = /^[\w-]{0,40}$/u;
const MIN_TOKENS = 200;
/**
 * The tool that runs programs, and the tool that answers questions about code. A server can offer
 * either of them as its only tool.
 */
const CODE = "code";
const GRAPH = "graph";

export interface ServedTools {
  readonly options: Pick<
    McpServerOptions,
    "tools" | "toolbox" | "maxTokens" | "skill" | "brief" | "withoutFourTools" | "structured"
  >;
  /** Whether the tool `code` is served. */
  readonly hasCode: boolean;
  /** The code base, which tools and capabilities share. */
  readonly code: GraphWorkspace;
  close(): Promise<void>;
}

/** `graph.*` and `graph.digest` select separate tools; `graph` is one tool for all questions. */
function graphNames(patterns: readonly string[]): (name: string) => boolean {
  if (patterns.includes(GRAPH)) return () => true;
  const wanted = patterns
    .filter((pattern) => pattern.startsWith("graph."))
    .map((pattern) => pattern.replace("graph.", "").replaceAll("*", ".*"));
  const expression = new RegExp(`^(?:${wanted.join("|")})$`, "u");
  return (name) => wanted.length > 0 && expression.test(name);
}

function getPatterns(words: Words): readonly string[] {
  const patterns = listValue(words, "tools") ?? [];
  const wrong = patterns.find((pattern) => !PATTERN.test(pattern));
  if (wrong === undefined) return patterns;
  throw new UsageError(`--tools has ${JSON.stringify(wrong)}, which matches no id`, {
    hint: "--tools issue.*,pr.view,graph",
  });
}

function readPrefix({ values }: Words): string {
  const prefix = values.get("prefix") ?? "";
  if (PREFIX.test(prefix)) return prefix;
  throw new UsageError("--prefix takes letters, digits, - and _, at most 40", {
    hint: "--prefix ouroborosai_",
  });
}

function findMaxTokens(words: Words): number | undefined {
  const maxTokens = numberValue(words, "max-tokens");
  if (maxTokens === undefined || maxTokens >= MIN_TOKENS) return maxTokens;
  throw new UsageError(`--max-tokens must be at least ${MIN_TOKENS}`);
}

/**
 * If the code graph is the only tool, no skill is needed, because the tool's description is enough.
 */
function skillFor(only: string | undefined): string | undefined {
  if (only === GRAPH) return undefined;
  return skillText({ form: "lean", door: only === CODE ? "code" : "mcp" });
}

/** The tools that an MCP client gets besides the four standard ones. */
export async function servedTools(words: Words, io: Io): Promise<ServedTools> {
  const patterns = getPatterns(words);
  const maxTokens = findMaxTokens(words);
  const isGraph = graphNames(patterns);
  const code = new GraphWorkspace({ root: getRoot(words, io) });
  const prefix = readPrefix(words);
  const mayBeCalled = await permittedTools(io);
  const permits = (tool: string): boolean => isGraph(tool) && mayBeCalled(`graph_${tool}`);
  const all = openGraphTools(code, { prefix, permits });
  const toolbox = patterns.includes(GRAPH) ? oneGraphTool(all, prefix) : all;
  const [only] = patterns;
  const isAlone = patterns.length === 1 && (only === CODE || only === GRAPH);
  return {
    options: givenOptions<ServedTools["options"]>({
      tools: patterns.filter((pattern) => !/^graph(?:$|\.)/u.test(pattern) && pattern !== CODE),
      withoutFourTools: isAlone || undefined,
      toolbox: all.tools.length === 0 ? undefined : toolbox,
      maxTokens,
      brief: words.switches.has("brief") || undefined,
      structured: words.switches.has("structured") || undefined,
      skill: skillFor(isAlone ? only : undefined),
    }),
    hasCode: patterns.includes(CODE),
    code,
    async close() {
      await all.close();
      await code.close();
    },
  };
}
