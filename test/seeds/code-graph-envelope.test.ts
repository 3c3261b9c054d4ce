import { basename } from "node:path";
import {
  getWorkspaceContext,
  listGraphTools,
  openGraphTools,
  runGraphTool,
} from "@waybill/codegraph";
import type { ErrorEnvelope, SuccessEnvelope, ToolEnvelope } from "@waybill/core";
import { TOOL_ERROR_CODES, toolErrorCode } from "@waybill/core/protocol";
import { ToolEnvelopeSchema, loadChecker } from "@waybill/core/schema";
import { describe, expect, it, onTestFinished } from "vitest";
import { failure, success } from "./snippets/code-graph-envelope.ts";
import { makeCodeBase } from "./support/code-base.ts";
import { runWaybill } from "./support/run-waybill.ts";

const PREFIX = "ouroborosai_";

const schema = (await loadChecker()).compile(ToolEnvelopeSchema);

function open(root: string, prefix = PREFIX) {
  const tools = openGraphTools({ root, prefix, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return tools;
}

function errorIn({ data }: ToolEnvelope) {
  return (data as ErrorEnvelope["data"]).result.error;
}

describe("Envelope Structure", () => {
  it("a success envelope of the code graph has every declared field", async () => {
    const root = makeCodeBase("https://github.com/octo/shop.git");
    const envelope = await open(root).call("graph_digest");
    expect(schema.check(envelope)).toBe(true);
    expect(envelope).toMatchObject({
      success: true,
      data: {
        tool: "ouroborosai_graph_digest",
        version: "1.0",
        requestId: expect.stringMatching(/^[\w-]{8}$/u) as string,
        workspace: {
          root,
          repoName: "shop",
          rev: expect.stringMatching(/^[0-9a-f]{12}$/u) as string,
        },
        meta: {
          truncated: false,
          limits: { maxItems: 10, maxTokens: expect.any(Number) as number },
        },
      },
    });
    expect(new Date(envelope.data.generatedAt).toISOString()).toBe(envelope.data.generatedAt);
  });

  it("an error envelope of the code graph has the commit and repository name in its workspace", async () => {
    const root = makeCodeBase("git@github.com:octo/shop.git");
    const { workspace } = (await open(root).call("graph_issues", { kind: "NOPE" })).data;
    expect(workspace).toEqual({ root, repoName: "shop", rev: getWorkspaceContext(root).rev });
    expect(workspace.rev).toHaveLength(12);
  });

  it("a code graph envelope has the folder's name as repoName if the repository has no remote", () => {
    const root = makeCodeBase();
    expect(getWorkspaceContext(root).repoName).toBe(basename(root));
  });

  it("the meta of a code graph envelope shows the applied limits and the page", async () => {
    const tools = open(makeCodeBase());
    const { meta } = (await tools.call("graph_search", { query: "s", limit: 1 })).data;
    expect(meta).toMatchObject({ limits: { maxItems: 1 }, page: { hasMore: true } });
    expect(meta.page?.cursor).toEqual(expect.any(String));
    const { limits } = (await tools.call("graph_digest", { maxTokens: 900 })).data.meta;
    expect(limits.maxTokens).toBe(900);
    const path = await tools.call("graph_impact", { target: "src/db.ts", depth: 2 });
    expect(path.data.meta.limits.maxDepth).toBe(2);
  });
});

describe("Error Codes", () => {
  it.each([
    ["INVALID_INPUT", "graph_issues", { kind: "NOPE" }],
    ["MISSING_PARAMS", "graph_path", {}],
    ["UNKNOWN_ACTION", "graph_annotations", { action: "explode" }],
    ["NOT_FOUND", "graph_nope", {}],
  ])("the code graph returns %s in an ErrorEnvelope", async (code, tool, args) => {
    const envelope = await open(makeCodeBase()).call(tool, args);
    expect(schema.check(envelope)).toBe(true);
    expect(envelope.success).toBe(false);
    expect(errorIn(envelope).code).toBe(code);
    expect(TOOL_ERROR_CODES).toContain(code);
  });

  it.each([
    ["SERVER", "INTERNAL_ERROR"],
    ["UNKNOWN", "INTERNAL_ERROR"],
    ["NOT_READY", "NOT_AVAILABLE"],
    ["TIMEOUT", "NOT_AVAILABLE"],
  ] as const)("a code graph envelope has for the error code %s the code %s", (code, expected) => {
    expect(toolErrorCode({ code, message: "", retryable: false })).toBe(expected);
  });

  it("the code graph returns an ErrorEnvelope for a root that is not a folder", async () => {
    const options = { root: "/nonexistent/folder", prefix: PREFIX };
    const envelopes = [
      await openGraphTools(options).call("graph_digest"),
      await runGraphTool("graph_digest", {}, options),
    ];
    for (const envelope of envelopes) {
      expect(envelope.success).toBe(false);
      expect(errorIn(envelope)).toMatchObject({ code: "INVALID_INPUT" });
      expect(errorIn(envelope).message).toContain("is not a folder");
    }
  });

  it.each([
    ["an unknown tool", ["bogus"], "NOT_FOUND", "bogus"],
    ["a root that is no folder", ["digest", "--root", "/nope"], "INVALID_INPUT", "graph_digest"],
    ["arguments that are not JSON", ["digest", "--args", "{"], "INVALID_INPUT", "graph_digest"],
    [
      "a wrong input of a tool with a prefix",
      ["x_graph_tree", "--prefix", "x_", "--args", "{"],
      "INVALID_INPUT",
      "x_graph_tree",
    ],
  ])("waybill graph prints an ErrorEnvelope for %s", async (_, words, code, tool) => {
    const { exit, stdout } = await runWaybill(["graph", ...words], makeCodeBase());
    const envelope = JSON.parse(stdout) as ErrorEnvelope;
    expect(exit).toBe(2);
    expect(schema.check(envelope)).toBe(true);
    expect([errorIn(envelope).code, envelope.data.tool]).toEqual([code, tool]);
    expect(envelope.data.workspace.rev).toHaveLength(12);
  });
});

describe("Example Responses", () => {
  it("graph.digest returns the fields of the specification's example", async () => {
    const { data } = await open(makeCodeBase()).call("graph_digest");
    expect(data.result).toMatchObject({
      summary: { files: 6, modules: 5, entrypoints: 1, edges: expect.any(Number) as number },
      entrypoints: { routes: [], commands: [], pages: [], jobs: [] },
      hotspots: [{ path: expect.any(String) as string, importers: 1, exports: 1 }, {}],
      issues: { DYNAMIC_EDGE_UNKNOWN: 1 },
      meta: { lastIndexed: expect.any(String) as string },
    });
    expect(data.meta.nextQuerySuggestion?.[0]).toMatchObject({
      tool: "ouroborosai_graph_issues",
      args: { severity: expect.any(String) as string },
      reason: expect.any(String) as string,
    });
  });

  it("the error of graph.issues names the allowed kinds and the path of the wrong input", async () => {
    const error = errorIn(await open(makeCodeBase()).call("graph_issues", { kind: "NOPE" }));
    expect(error.code).toBe("INVALID_INPUT");
    expect(error.message).toMatch(
      /^Invalid input: kind must be one of HANDLER_UNREACHABLE, DYNAMIC_EDGE_UNKNOWN, BROKEN_EXPORT_CHAIN/u,
    );
    expect(error.details?.["errors"]).toEqual([
      { path: ["kind"], message: expect.any(String) as string },
    ]);
  });

  it("graph.issues accepts each issue kind of the specification", async () => {
    const tools = open(makeCodeBase());
    for (const kind of ["HANDLER_UNREACHABLE", "DYNAMIC_EDGE_UNKNOWN", "BROKEN_EXPORT_CHAIN"]) {
      expect(await tools.call("graph_issues", { kind })).toMatchObject({ success: true });
    }
  });
});

describe("Usage Guidelines", () => {
  it("an agent can check success, respect truncated and follow a suggestion in a code graph envelope", async () => {
    const tools = open(makeCodeBase());
    const digest = await tools.call("ouroborosai_graph_digest");
    if (!digest.success) throw new Error(digest.data.result.error.message);
    const [next] = digest.data.meta.nextQuerySuggestion ?? [];
    expect(await tools.call(next!.tool, next!.args)).toMatchObject({ success: true });
    const small = await tools.call("graph_digest", { maxTokens: 200 });
    expect(small.data.meta.truncated).toBe(true);
  });

  it("the specification's code for implementers of an MCP tool returns one text block", () => {
    expect(success({ files: 1 }).isError).toBe(false);
    expect(failure({ scope: "x" }).isError).toBe(true);
    const { data } = JSON.parse(success({ files: 1 }).content[0]!.text) as SuccessEnvelope;
    expect(data.workspace).toEqual(getWorkspaceContext());
    expect(data.workspace.root).toBe(process.cwd());
  });
});

describe("Token Estimation", () => {
  it("the code graph estimates approxTokens and tokensEstimate as a quarter of the length, rounded up", async () => {
    const envelope = await open(makeCodeBase()).call("graph_digest");
    const { meta, result } = envelope.data;
    expect(meta.approxTokens).toBe(Math.ceil(JSON.stringify(envelope).length / 4));
    const { tokensEstimate } = (result as { meta: { tokensEstimate: number } }).meta;
    expect(tokensEstimate).toBe(Math.ceil(JSON.stringify(result).length / 4));
    expect(tokensEstimate).toBeLessThan(meta.approxTokens);
  });
});

describe("All tools use this envelope format", () => {
  it("every code graph tool answers in the code graph envelope under its prefixed name", async () => {
    const tools = open(makeCodeBase());
    const names = listGraphTools(PREFIX).map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(8);
    for (const name of names) {
      const envelope = await tools.call(name, {});
      expect([name, schema.check(envelope), envelope.data.tool]).toEqual([name, true, name]);
    }
  });

  it("waybill graph accepts a prefixed tool name", async () => {
    const words = ["graph", "ouroborosai_graph_digest", "--prefix", PREFIX];
    const { exit, stdout } = await runWaybill(words, makeCodeBase());
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ data: { tool: "ouroborosai_graph_digest" } });
  });

  it("the MCP server adds a prefix to its code graph tools if one is configured", async () => {
    const words = ["serve", "mcp", "--tools", "graph.*", "--prefix", PREFIX];
    const asks = [
      {
        method: "initialize",
        id: 1,
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "seed", version: "1" },
        },
      },
      { method: "notifications/initialized" },
      { method: "tools/list", id: 2, params: {} },
    ];
    const input = asks.map((ask) => `${JSON.stringify({ jsonrpc: "2.0", ...ask })}\n`).join("");
    const { stdout } = await runWaybill(words, makeCodeBase(), input);
    expect(stdout).toContain('"name":"ouroborosai_graph_digest"');
  });
});
