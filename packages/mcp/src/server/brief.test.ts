import { createErrorEnvelope, createSuccessEnvelope } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { ERAS, call, connectTo } from "./fixtures/clients.ts";
import type { Era } from "./fixtures/clients.ts";
import { Shop } from "./fixtures/shop.ts";
import { createMcpHttpHandler } from "./index.ts";
import type { Toolbox } from "./index.ts";

const workspace = { root: "/repo", repoName: "repo" };

const toolbox: Toolbox = {
  tools: [{ name: "graph_digest", description: "Of the code", inputSchema: { type: "object" } }],
  async call(tool, { fails, breaks }) {
    if (breaks === true) throw new Error("secret");
    return fails === true
      ? createErrorEnvelope(tool, "NOT_FOUND", "gone", workspace)
      : createSuccessEnvelope(tool, { files: 2 }, workspace);
  },
};

async function open(era: Era) {
  const waybill = new Shop().waybill();
  const options = { waybill, version: "1", brief: true, tools: ["item.view"], toolbox };
  const handler = createMcpHttpHandler(options);
  onTestFinished(() => handler.close());
  const client = await connectTo(handler, era);
  return async (
    name: string,
    args: object,
  ): Promise<[isError: boolean | undefined, text: string]> => {
    const { isError, text } = await call(client, name, args);
    return [isError, text];
  };
}

const VIEW = { capability_id: "item.view", params: { id: 3 }, options: { select: ["title"] } };

describe.each(ERAS)("brief answers, protocol %s", (era) => {
  it("a brief answer of the MCP server contains only the data or the error of a call", async () => {
    const ask = await open(era);
    expect(await ask("execute", VIEW)).toEqual([false, '{"title":"Item 3"}']);
    expect(await ask("execute", { ...VIEW, params: {} })).toEqual([
      true,
      expect.stringMatching(/^!VALIDATION .*id/u),
    ]);
    expect(await ask("execute", { capability_id: 3 })).toEqual([
      true,
      expect.stringMatching(/^!VALIDATION capability_id must be a string such as issue.view/u),
    ]);
  });

  it("a brief answer of the tool chain has the result of each step", async () => {
    const ask = await open(era);
    const view = { task: "item.view", input: { id: 7 }, select: ["id"] };
    expect(await ask("chain", { steps: [view, view] })).toEqual([false, '{"id":7}\n--\n{"id":7}']);
    expect(await ask("chain", { steps: [view, { task: "no.such" }] })).toEqual([
      true,
      expect.stringMatching(/^!NOT_FOUND 1 of 2 steps failed\n--\n\{"id":7\}\n--\n!NOT_FOUND /u),
    ]);
  });

  it("an answer of the MCP server in brief mode is a full envelope if the call requests a trace", async () => {
    const ask = await open(era);
    const [, traced] = await ask("execute", { ...VIEW, options: { trace: true } });
    expect(JSON.parse(traced)).toMatchObject({ ok: true, error: null, meta: { timings: {} } });
    const steps = [{ task: "item.view", input: { id: 7 } }];
    const [, chained] = await ask("chain", { steps, options: { trace: true } });
    expect(JSON.parse(chained)).toMatchObject({
      status: "success",
      results: [{ meta: { timings: {} } }],
    });
  });

  it.each([{ trace: true }, '{"trace": true}'])(
    "the MCP server answers a refused call with a full envelope if the call requests a trace by %j",
    async (options) => {
      const ask = await open(era);
      const refused = [
        await ask("execute", { capability_id: 3, options }),
        await ask("execute", { ...VIEW, nonsense: 1, options }),
        await ask("chain", { steps: "[", options }),
      ];
      for (const [isError, answer] of refused) {
        expect(isError).toBe(true);
        expect(JSON.parse(answer)).toMatchObject({
          ok: false,
          data: null,
          error: { code: "VALIDATION" },
        });
      }
      const [, broken] = await ask("execute", { capability_id: 3, options: "{" });
      expect(broken).toMatch(/^!VALIDATION /u);
    },
  );

  it("tools of a toolbox, such as graph_digest, and capability tools answer in brief text if brief is set", async () => {
    const ask = await open(era);
    expect(await ask("graph_digest", {})).toEqual([false, '{"files":2}']);
    expect(await ask("graph_digest", { fails: true })).toEqual([true, "!NOT_FOUND gone"]);
    const [isError, broken] = await ask("graph_digest", { breaks: true });
    expect([isError, broken]).toEqual([true, expect.stringMatching(/^![A-Z_]+ /u)]);
    expect(await ask("item_view", { id: 3 })).toEqual([
      false,
      '{"id":3,"title":"Item 3","note":null}',
    ]);
  });
});
