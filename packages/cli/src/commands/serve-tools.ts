import { GraphWorkspace, openGraphTools } from "@waybill/codegraph";
import type { GraphTools } from "@waybill/codegraph";
import type { McpServerOptions } from "@waybill/mcp/server";
import type { Words } from "../command.ts";
import type { Io } from "../io.ts";
import { given, listValue, numberValue } from "../option-values.ts";
import { skillText } from "../skill/index.ts";
import { UsageError } from "../usage-error.ts";
import { permittedTools } from "./graph-policy.ts";
import { rootOf } from "./graph-root.ts";

const PATTERN = /^[\w*-]+(?:\.[\w*-]+)*$/u;
/** The names of tools are short in every client. */
const PREFIX = /^[\w-]{0,40}$/u;
const MIN_TOKENS = 200;
/** The tool that runs programs. */
const CODE = "code";

export interface ServedTools {
  readonly options: Pick<
    McpServerOptions,
    "tools" | "toolbox" | "maxTokens" | "skill" | "brief" | "codeOnly" | "structured"
  >;
  /** Whether programs are among the tools. */
  readonly hasCode: boolean;
  /** The code that tools and capabilities are asked about, read once for both. */
  readonly code: GraphWorkspace;
  close(): Promise<void>;
}

/** `graph`, `graph.*` and `graph.digest` are tools of the code graph, which need no source. */
function graphNames(patterns: readonly string[]): (name: string) => boolean {
  const wanted = patterns
    .filter((pattern) => /^graph(?:$|\.)/u.test(pattern))
    .map((pattern) => pattern.replace(/^graph\.?/u, ""));
  const parts = wanted.map((word) => (word === "" ? ".*" : word.replaceAll("*", ".*")));
  const expression = new RegExp(`^graph_(?:${parts.join("|")})$`, "u");
  return (name) => parts.length > 0 && expression.test(name);
}

function only(tools: GraphTools, isWanted: (name: string) => boolean): GraphTools {
  return { ...tools, tools: tools.tools.filter(({ name }) => isWanted(name)) };
}

function patternsOf(words: Words): readonly string[] {
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

function maxTokensOf(words: Words): number | undefined {
  const maxTokens = numberValue(words, "max-tokens");
  if (maxTokens === undefined || maxTokens >= MIN_TOKENS) return maxTokens;
  throw new UsageError(`--max-tokens must be at least ${MIN_TOKENS}`);
}

/** The tools that an MCP client gets besides the four tools. */
export async function servedTools(words: Words, io: Io): Promise<ServedTools> {
  const patterns = patternsOf(words);
  const maxTokens = maxTokensOf(words);
  const isGraph = graphNames(patterns);
  const code = new GraphWorkspace({ root: rootOf(words, io) });
  const prefix = readPrefix(words);
  const all = openGraphTools(code, { prefix });
  const mayBeCalled = await permittedTools(io);
  const toolbox = only(all, (name) => {
    const own = name.slice(prefix.length);
    return isGraph(own) && mayBeCalled(own);
  });
  return {
    options: given<ServedTools["options"]>({
      tools: patterns.filter((pattern) => !/^graph(?:$|\.)/u.test(pattern) && pattern !== CODE),
      codeOnly: patterns.length === 1 && patterns[0] === CODE ? true : undefined,
      toolbox: toolbox.tools.length === 0 ? undefined : toolbox,
      maxTokens,
      brief: words.switches.has("brief") || undefined,
      structured: words.switches.has("structured") || undefined,
      skill: skillText({ form: "lean", door: "mcp" }),
    }),
    hasCode: patterns.includes(CODE),
    code,
    async close() {
      await all.close();
      await code.close();
    },
  };
}
