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
  ): Promise<[isError: boolean | undefined, answer: unknown]> => {
    const { isError, text } = await call(client, name, args);
    return [isError, JSON.parse(text) as unknown];
  };
}

const VIEW = { capability_id: "item.view", params: { id: 3 }, options: { select: ["title"] } };

describe.each(ERAS)("brief answers in the era of %s", (era) => {
  it("are data of a call, and its error", async () => {
    const ask = await open(era);
    expect(await ask("execute", VIEW)).toEqual([false, { data: { title: "Item 3" } }]);
    const [isError, answer] = await ask("execute", { ...VIEW, params: {} });
    expect([isError, Object.keys(answer as object)]).toEqual([true, ["error"]]);
    expect(await ask("execute", { capability_id: 3 })).toMatchObject([
      true,
      { error: { code: "VALIDATION", message: "capability_id must be a text such as issue.view" } },
    ]);
  });

  it("are results of a chain", async () => {
    const ask = await open(era);
    const view = { task: "item.view", input: { id: 7 }, select: ["id"] };
    const results = [{ data: { id: 7 } }, { data: { id: 7 } }];
    expect(await ask("chain", { steps: [view, view] })).toEqual([false, { results }]);
    expect(await ask("chain", { steps: [view, { task: "no.such" }] })).toMatchObject([
      true,
      { status: "partial", results: [{ data: { id: 7 } }, { error: { code: "NOT_FOUND" } }] },
    ]);
  });

  it("are whole where a trace is asked for", async () => {
    const ask = await open(era);
    const [, traced] = await ask("execute", { ...VIEW, options: { trace: true } });
    expect(traced).toMatchObject({ ok: true, error: null, meta: { timings: {} } });
    const steps = [{ task: "item.view", input: { id: 7 } }];
    const [, chained] = await ask("chain", { steps, options: { trace: true } });
    expect(chained).toMatchObject({ status: "success", results: [{ meta: { timings: {} } }] });
  });

  it.each([{ trace: true }, '{"trace": true}'])(
    "are whole where a call is refused that asks for a trace by %j",
    async (options) => {
      const ask = await open(era);
      const refused = [
        await ask("execute", { capability_id: 3, options }),
        await ask("execute", { ...VIEW, nonsense: 1, options }),
        await ask("chain", { steps: "[", options }),
      ];
      for (const [isError, answer] of refused) {
        expect(isError).toBe(true);
        expect(answer).toMatchObject({ ok: false, data: null, error: { code: "VALIDATION" } });
      }
      const [, broken] = await ask("execute", { capability_id: 3, options: "{" });
      expect(Object.keys(broken as object)).toEqual(["error"]);
    },
  );

  it("are those of ready tools and of capabilities that are tools", async () => {
    const ask = await open(era);
    expect(await ask("graph_digest", {})).toEqual([false, { result: { files: 2 } }]);
    const error = { code: "NOT_FOUND", message: "gone" };
    expect(await ask("graph_digest", { fails: true })).toEqual([true, { error }]);
    const [isError, broken] = await ask("graph_digest", { breaks: true });
    expect([isError, Object.keys(broken as object)]).toEqual([true, ["error"]]);
    expect(await ask("item_view", { id: 3 })).toEqual([
      false,
      { data: { id: 3, title: "Item 3", note: null } },
    ]);
  });
});
