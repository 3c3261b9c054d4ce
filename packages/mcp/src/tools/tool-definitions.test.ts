import { asSchema } from "@ai-sdk/provider-utils";
import type { FlexibleSchema } from "@ai-sdk/provider-utils";
import { createWaybill, defineOperation, localEnvelope } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, onTestFinished } from "vitest";
import { toolProblems } from "../server/rules/tool-rules.ts";
import { toolDefinitions } from "./index.ts";

const ID = { type: "integer", minimum: 1 } as const;

function shop(): Waybill {
  const view = defineOperation({
    id: "item.view",
    description: "One item",
    effect: "read",
    input: { type: "object", required: ["id"], properties: { id: ID } },
    output: { type: "object", properties: { id: ID, title: { type: "string" } } },
    handler: ({ id }: { id: number }) => ({ id, title: `Item ${id}` }),
  });
  const odd = defineOperation({
    id: "item.odd",
    description: "Takes one of two",
    effect: "read",
    input: {
      anyOf: [
        { type: "object", required: ["a$b"], properties: { a$b: { type: "string" } } },
        { type: "object", required: ["list"], properties: { list: { type: "array" } } },
      ],
    },
    output: true,
    handler: (input: unknown) => input,
  });
  const slow = defineOperation({
    id: "item.slow",
    description: "Waits until it is told to stop",
    effect: "read",
    input: { type: "object" },
    output: true,
    handler: (_input: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });
  const waybill = createWaybill({ operations: [view, odd, slow] });
  onTestFinished(() => waybill.close());
  return waybill;
}

describe("toolDefinitions: the four tools", () => {
  it("the four general tools have the form that each provider's SDK expects, and cost few tokens", async () => {
    const waybill = shop();
    const { tools: anthropic } = await toolDefinitions(waybill, { format: "anthropic" });
    const { tools: openai } = await toolDefinitions(waybill, { format: "openai" });
    const { tools: vercel } = await toolDefinitions(waybill, { format: "vercel" });
    const names = ["execute", "explain", "list_capabilities", "chain"];
    expect(anthropic.map(({ name }) => name)).toEqual(names);
    expect(openai.map((tool) => [tool.type, tool.function.name])).toEqual(
      names.map((name) => ["function", name]),
    );
    expect(Object.keys(vercel)).toEqual(names);
    expect(countTokens(JSON.stringify(anthropic))).toBeLessThanOrEqual(450);
    for (const { name, description, input_schema: inputSchema } of anthropic) {
      expect(toolProblems("anthropic", { name, description, inputSchema })).toEqual([]);
    }
    for (const { function: tool } of openai) {
      expect(toolProblems("openai", { ...tool, inputSchema: tool.parameters })).toEqual([]);
    }
  });

  it.each([
    ["execute", { capability_id: "item.view", params: { id: 3 } }, '"title":"Item 3"'],
    ["execute", '{"capability_id":"item.view","params":"{\\"id\\":3}"}', '"title":"Item 3"'],
    ["explain", { capability_id: "item.view" }, "in: id:integer"],
    ["list_capabilities", {}, "item.view One item"],
    ["list_capabilities", { domain: "none" }, "Nothing matches"],
    ["chain", { steps: [{ task: "item.view", input: { id: 4 } }] }, '"title":"Item 4"'],
  ])("the answer of the tool %s to the input %j contains: %s", async (name, input, text) => {
    const { run } = await toolDefinitions(shop(), { format: "anthropic" });
    const answer = await run(name, input);
    expect(answer.isError).toBe(false);
    expect(answer.text).toContain(text);
  });

  it.each([
    ["execute", { capability_id: "item.view", params: { id: "x" } }, '"code":"VALIDATION"'],
    ["execute", { capability_id: "item.none" }, '"code":"NOT_FOUND"'],
    ["execute", { id: "item.view" }, "execute takes capability_id, params, options; not id"],
    ["execute", { capability_id: 3 }, "capability_id must be a string"],
    ["execute", { capability_id: "item.view", options: 3 }, "options must be an object"],
    ["execute", "{", '"ok":false'],
    ["explain", { capability_id: "item.none" }, '"code":"NOT_FOUND"'],
    ["chain", { steps: 3 }, '"failed"'],
    ["exceute", {}, "There is no tool exceute; did you mean execute?"],
  ])(
    "the tool %s fails for the input %j, and its answer contains: %s",
    async (name, input, text) => {
      const { run } = await toolDefinitions(shop(), { format: "openai" });
      const answer = await run(name, input);
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain(text);
    },
  );

  it("toolDefinitions returns flat functions without strict mode for the format OpenAI Responses", async () => {
    const { tools } = await toolDefinitions(shop(), { format: "openai-responses" });
    expect(tools[0]).toMatchObject({ type: "function", name: "execute", strict: false });
    expect(tools[0]?.parameters).toMatchObject({ type: "object" });
  });

  it("toolDefinitions returns one list of declarations for Gemini", async () => {
    const { tools } = await toolDefinitions(shop(), { format: "gemini" });
    const [{ functionDeclarations: all } = { functionDeclarations: [] }] = tools;
    expect(all.map(({ name }) => name)).toContain("chain");
    expect(all[0]?.parametersJsonSchema).toMatchObject({ type: "object" });
  });

  it("toolDefinitions returns functions with a schema for LangChain", async () => {
    const { tools } = await toolDefinitions(shop(), { format: "langchain", brief: true });
    const input = { capability_id: "item.view", params: { id: 3 } };
    expect(await tools[0]?.func(input)).toBe('{"id":3,"title":"Item 3"}');
  });

  it("the four general tools of toolDefinitions answer in brief text if brief is set", async () => {
    const { tools, run } = await toolDefinitions(shop(), { format: "openai", brief: true });
    expect(tools[0]?.function.description).toContain("Answers data, or the error");
    const steps = [{ task: "item.view", input: { id: 4 }, select: ["id"] }];
    expect(await run("chain", { steps })).toEqual({ text: '{"id":4}', images: [], isError: false });
    expect((await run("exceute", {})).text).toBe(
      "!NOT_FOUND There is no tool exceute; did you mean execute?",
    );
  });

  it("a warning that applies to every brief answer is shown only in the first answer", async () => {
    const warned = defineOperation({
      id: "item.count",
      description: "Count items",
      effect: "read",
      handler: () => {
        const { meta } = localEnvelope(3, "item.count");
        const warnings = ["Answered by a test, not by github.com", "3 items are hidden"];
        return { data: 3, meta: { ...meta, warnings } };
      },
    });
    const waybill = createWaybill({ operations: [warned] });
    const { run } = await toolDefinitions(waybill, { format: "gemini", brief: true });
    const input = { capability_id: "item.count" };
    const first = await run("execute", input);
    expect(first.text).toBe(
      "3\n\nwarning: Answered by a test, not by github.com\nwarning: 3 items are hidden",
    );
    expect((await run("execute", input)).text).toBe("3\n\nwarning: 3 items are hidden");
    expect((await run("chain", { steps: [{ task: "item.count" }] })).text).not.toContain("a test");
  });

  it("toolDefinitions refuses an unknown format and lists the known formats", async () => {
    const format = "mistral" as "openai";
    await expect(toolDefinitions(shop(), { format })).rejects.toThrow(
      /one of anthropic, openai, .*vercel, not "mistral"/u,
    );
  });

  it("an answer of a tool of toolDefinitions stays within maxTokens", async () => {
    const { run } = await toolDefinitions(shop(), { format: "openai", maxTokens: 200 });
    const input = { capability_id: "item.odd", params: { a$b: "word ".repeat(2_000) } };
    const { text } = await run("execute", input);
    expect(countTokens(text)).toBeLessThanOrEqual(200);
  });
});

describe("toolDefinitions: capability tools", () => {
  it("capability tools of toolDefinitions have names and schemas that providers accept, and run by those names", async () => {
    const waybill = shop();
    const tools = ["item.view", "item.odd"];
    const ready = await toolDefinitions(waybill, { format: "anthropic", tools });
    expect(ready.tools.map(({ name }) => name).toSorted()).toEqual(["item_odd", "item_view"]);
    for (const { name, description, input_schema: inputSchema } of ready.tools) {
      expect(toolProblems("anthropic", { name, description, inputSchema })).toEqual([]);
      expect(toolProblems("openai", { name, description, inputSchema })).toEqual([]);
    }
    const odd = ready.tools.find(({ name }) => name === "item_odd");
    expect(JSON.stringify(odd!.input_schema["properties"])).toContain("a_b");
    const { text } = await ready.run("item_odd", { a_b: "x" });
    expect(JSON.parse(text)).toMatchObject({ ok: true, data: { a$b: "x" } });
  });

  it("the AI SDK calls capability tools directly and can cancel them", async () => {
    const { tools } = await toolDefinitions(shop(), { format: "vercel", tools: ["item.*"] });
    const { inputSchema, execute } = tools["item_view"]!;
    const schema = asSchema(inputSchema as unknown as FlexibleSchema);
    expect(await schema.jsonSchema).toMatchObject({ properties: { id: ID } });
    expect(JSON.parse((await execute({ id: 3 })) as string)).toMatchObject({
      data: { title: "Item 3" },
    });
    const stop = new AbortController();
    const stopped = tools["item_slow"]!.execute({}, { abortSignal: stop.signal });
    stop.abort();
    expect(JSON.parse((await stopped) as string)).toMatchObject({
      ok: false,
      error: { code: "CANCELLED" },
    });
  });

  it.each([["[1]"], [[1]], ["7"], ['{"id":1,"id":2}']])(
    "capability tools of toolDefinitions refuse the input %j",
    async (input) => {
      const { run } = await toolDefinitions(shop(), { format: "openai", tools: ["item.view"] });
      const { text, isError } = await run("item_view", input);
      expect([isError, JSON.parse(text)]).toMatchObject([true, { error: { code: "VALIDATION" } }]);
    },
  );
});
