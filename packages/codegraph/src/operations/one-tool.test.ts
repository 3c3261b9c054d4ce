import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { GRAPH_TOOLS } from "../query/index.ts";
import type { GraphToolName } from "../query/index.ts";
import { oneGraphTool, openGraphTools } from "./index.ts";
import type { GraphTools } from "./index.ts";

const FILES = {
  "src/greet.ts": "export function greet(name: string) {\n  return name;\n}\n",
  "src/main.ts": 'import { greet } from "./greet.ts";\ngreet("Mona");\n',
};

function open(permits?: (tool: GraphToolName) => boolean, prefix = ""): GraphTools {
  const root = temporaryTree(FILES);
  const options = { root, prefix, patienceMs: 60_000, ...(permits && { permits }) };
  const tools = oneGraphTool(openGraphTools(options), prefix);
  onTestFinished(() => tools.close());
  return tools;
}

it("the one graph tool describes all questions about code in at most 350 tokens", () => {
  const { tools } = open();
  const [definition, ...others] = tools;
  expect(others).toEqual([]);
  expect(countTokens(JSON.stringify(definition))).toBeLessThanOrEqual(350);
  const [, index = ""] = definition?.description.split("cursor. ") ?? [];
  const signatures = index.split(" ");
  expect(signatures.map((each) => each.replace(/\(.*/u, ""))).toEqual([...GRAPH_TOOLS]);
  expect(signatures).toContain("call_hierarchy(symbol,direction?:incoming|outgoing|both,depth?)");
});

it("the one graph tool accepts the inputs of a question in args or beside the question's name", async () => {
  const tools = open();
  const args = { symbol: "greet" };
  const within = await tools.call("graph", { tool: "references", args });
  const beside = await tools.call("graph", { tool: "graph_references", ...args });
  expect(within.success).toBe(true);
  expect(JSON.stringify(within.data.result)).toContain("src/main.ts");
  expect(beside.data.result).toEqual(within.data.result);
});

it("the one graph tool suggests the right name for an unknown question", async () => {
  const tools = open();
  const wrong = await tools.call("graph", { tool: "reference", args: {} });
  expect(JSON.stringify(wrong)).toContain("did you mean references?");
  const unnamed = await tools.call("graph", { args: {} });
  expect(unnamed.success).toBe(false);
});

it("the one graph tool neither lists nor answers a question that is not permitted", async () => {
  const tools = open((tool) => tool !== "rename_apply", "my_");
  expect(tools.tools[0]?.name).toBe("my_graph");
  expect(tools.tools[0]?.description).not.toContain("rename_apply");
  const refused = await tools.call("my_graph", {
    tool: "rename_apply",
    args: { symbol: "greet", to: "hail" },
  });
  expect(JSON.stringify(refused)).toContain('There is no graph tool \\"rename_apply\\"');
});
