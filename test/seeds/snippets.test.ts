import { describe, expect, it } from "vitest";
import * as agentic from "./snippets/agentic-interface-spec.ts";
import * as graph from "./snippets/code-graph-envelope.ts";
import * as responses from "./snippets/response-envelopes.ts";
import * as results from "./snippets/result-envelope.ts";
import * as routing from "./snippets/routing.ts";
import { useEmbeddedGithub } from "./support/embedded-github.ts";

describe("the code blocks of the documents do what their text says", () => {
  it("reads, handles and repeats results", async () => {
    await useEmbeddedGithub();
    expect(await results.successCase()).toBe("octo/hello via graphql");
    expect(await results.errorCase()).toEqual([
      "Resource not found: Repository octo/nope was not found",
    ]);
    const missing = await results.executeWithRetry("repo.view", { owner: "octo" });
    expect(results.advice(missing)).toContain("Invalid input");
    expect(() => results.throwIfError(missing)).toThrow("[VALIDATION]");
  });

  it("tells which route was used", async () => {
    await useEmbeddedGithub();
    const input = { owner: "octo", name: "hello" };
    expect(await routing.whichRoute("repo.view", input)).toEqual(["Executed via GraphQL"]);
  });

  it("makes the results of a tool", () => {
    const [block] = graph.success({ files: 1 }).content;
    expect(JSON.parse(block!.text)).toMatchObject({
      success: true,
      data: { tool: "graph_digest", workspace: { root: process.cwd() } },
    });
    expect(graph.failure({ scope: "x" }).isError).toBe(true);
  });

  it("declares cards, codes and metadata", () => {
    expect([agentic.routes.length, agentic.reasons.length, agentic.codes.length]).toEqual([
      3, 6, 8,
    ]);
    expect(agentic.failed.meta.attempts).toEqual([agentic.attempt]);
    expect(agentic.card.capability_id).toBe(agentic.meta.capability_id);
    expect(agentic.error.retryable).toBe(false);
  });

  it("makes envelopes of a tool's result and of a response", async () => {
    const structuredContent = { total: 3 };
    const tool = responses.fromTool({ content: [{ type: "text", text: "3" }], structuredContent });
    expect([responses.readSource(tool), responses.dataIn(tool)]).toEqual([
      "mcp",
      structuredContent,
    ]);
    const http = await responses.fromHttp(Response.json({ id: 1 }));
    expect([responses.readSource(http), responses.dataIn(http)]).toEqual(["http", { id: 1 }]);
    const gone = responses.fromHttp(new Response("", { status: 404 }));
    await expect(gone).rejects.toMatchObject({ code: "EXECUTION_ERROR" });
  });
});
