import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWaybill, defineOperation } from "@waybill/core";
import type { McpOffers } from "../client/index.ts";
import { serveMcpStdio } from "./index.ts";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number };
}

const PARAMS = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};
const HELLO = { jsonrpc: "2.0", id: 0, method: "initialize", params: PARAMS };

function callMessage(id: number | string, capability_id: string, params = {}): object {
  const args = { capability_id, params };
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "execute", arguments: args } };
}

/**
 * Writes lines to a server, ends its input, and returns everything that it writes until it
 * closes.
 */
async function talk(
  lines: readonly (object | string)[],
  graceMs = 60_000,
  upstream: readonly McpOffers[] = [],
): Promise<Message[]> {
  const operation = defineOperation({
    id: "item.late",
    description: "Answer after a moment, or never",
    effect: "write",
    input: { type: "object", properties: { never: { type: "boolean" } } },
    output: true,
    handler: ({ never }) =>
      new Promise((resolve) => {
        if (never !== true) setTimeout(() => resolve("late"), 100);
      }),
  });
  const waybill = createWaybill({ operations: [operation] });
  onTestFinished(() => waybill.close());
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const server = serveMcpStdio({
    waybill,
    version: "0.0.0",
    stdin,
    stdout,
    graceMs,
    upstream,
  });
  const said = text(stdout);
  const all = [HELLO, ...lines].map((line) =>
    typeof line === "string" ? line : JSON.stringify(line),
  );
  stdin.end(all.join("\n"));
  await server.closed;
  await server.close();
  stdout.end();
  return (await said)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Message);
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

describe("MCP over stdio, 2026-07-28", () => {
  it("a client of the stdio server is told of changes of a server behind Waybill", async () => {
    const listeners = new Set<() => void>();
    const offers: McpOffers = {
      source: "files",
      list: async () => ({ resources: [], templates: [], prompts: [] }),
      read: async () => ({ contents: [] }),
      prompt: async () => ({ messages: [] }),
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const waybill = createWaybill();
    const server = serveMcpStdio({ waybill, version: "0.0.0", stdin, stdout, upstream: [offers] });
    const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    const read = async () => JSON.parse((await lines.next()).value ?? "null") as Message;
    const ask = (id: number, method: string, params: object): void => {
      const message = { jsonrpc: "2.0", id, method, params: { ...params, _meta: META } };
      stdin.write(`${JSON.stringify(message)}\n`);
    };
    ask(1, "server/discover", {});
    expect((await read()).id).toBe(1);
    ask(2, "subscriptions/listen", { notifications: { toolsListChanged: true } });
    expect((await read()).method).toBe("notifications/subscriptions/acknowledged");
    for (const listener of listeners) listener();
    expect((await read()).method).toBe("notifications/tools/list_changed");
    await server.close();
    await waybill.close();
  });
});

describe("MCP over stdio", () => {
  it("the stdio server's error for an invalid message has the id of the message, if the message has an id", async () => {
    const answers = await talk([
      { jsonrpc: "2.0", id: 1, method: 7 },
      { jsonrpc: "1.0", id: "two", method: "ping" },
      { jsonrpc: "2.0", id: 3.5, method: "ping", params: [] },
      { jsonrpc: "2.0", id: null, method: "ping" },
      { id: 5 },
      [{ jsonrpc: "2.0", id: 6, method: "ping" }],
      { jsonrpc: "2.0", method: "notifications/none" },
      { jsonrpc: "2.0", id: 7, result: {} },
      { jsonrpc: "2.0", id: 8, method: "ping" },
    ]);
    const refused = answers.filter(({ error }) => error?.code === -32_600);
    expect(refused.map(({ id }) => id)).toEqual([1, "two", 3.5, undefined, 5, undefined]);
    expect(answers.at(-1)).toMatchObject({ id: 8, result: {} });
    expect(answers).toHaveLength(8);
  });

  it("the stdio server answers every request before the end of input, even without a last newline", async () => {
    const answers = await talk([callMessage(1, "item.late"), callMessage(2, "item.late")]);
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(answers[2]?.result?.content[0]?.text).toContain('"data":"late"');
  });

  it("the stdio server stops waiting for a call after the end of input when the time limit is over", async () => {
    const answers = await talk([callMessage(1, "item.late", { never: true })], 1_000);
    expect(answers.map(({ id }) => id)).toEqual([0]);
  });

  it("the stdio server answers a line that is too long with an error, and answers the next line", async () => {
    const long = { text: "x".repeat(12_000_000) };
    const { jsonrpc, id, ...rest } = callMessage("big", "item.late", long) as Record<
      string,
      unknown
    >;
    const answers = await talk([
      callMessage(1, "item.late"),
      callMessage(7, "item.late", long),
      { ...rest, jsonrpc, id },
      callMessage(2, "item.late"),
    ]);
    const errors = answers.filter(({ error }) => error !== undefined);
    expect(errors).toMatchObject([
      { id: 7, error: { code: -32_600 } },
      { id: "big", error: { code: -32_600 } },
    ]);
    const done = answers.filter(({ result }) => result !== undefined).map((one) => one.id);
    expect(done).toEqual([0, 1, 2]);
  });

  it("the stdio server sends an error instead of an answer that is too long for clients, and answers the next request", async () => {
    const offers: McpOffers = {
      source: "files",
      list: async () => ({ resources: [{ uri: "a://b", name: "b" }], templates: [], prompts: [] }),
      read: async (uri) => ({ contents: [{ uri, blob: "AAAA".repeat(2_700_000) }] }),
      prompt: async () => ({ messages: [] }),
      onChange: () => () => {},
    };
    const read = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "a://b" } };
    const answers = await talk([read, callMessage(2, "item.late")], 60_000, [offers]);
    const [answer] = answers.filter(({ id }) => id === 1);
    expect(answer?.error).toMatchObject({ code: -32_603 });
    expect(JSON.stringify(answer?.error)).toContain("result.read");
    expect(answers.find(({ id }) => id === 2)?.result).toBeDefined();
  });

  it("the stdio server refuses messages with duplicate names or too deep nesting", async () => {
    const call = JSON.stringify(callMessage(5, "item.late"));
    const nested = `${"[".repeat(600)}${"]".repeat(600)}`;
    const answers = await talk([
      call.replace('"method":', '"method":"ping","method":'),
      call.replace('"id":', '"id":4,"id":'),
      call.replace('"params":{}', '"params":{"id":1,"id":2}'),
      call.replace('"params":{', `"params":{"deep":${nested},`),
      call.replace('"params":{', '"params":{"value":NaN,'),
      callMessage(6, "item.late"),
    ]);
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(refused.map(({ id, error }) => [id, error?.code])).toEqual([
      [5, -32_600],
      [undefined, -32_600],
      [5, -32_600],
      [5, -32_600],
      [undefined, -32_700],
    ]);
    const done = answers.filter(({ result }) => result !== undefined);
    expect(done.map(({ id }) => id)).toEqual([0, 6]);
  });

  it("the stdio server returns parse errors for malformed lines", async () => {
    const answers = await talk(["{", "", "[1]", callMessage(1, "item.late")]);
    expect(answers.map(({ error }) => error?.code)).toEqual(
      expect.arrayContaining([-32_700, -32_600]),
    );
    expect(answers.at(-1)?.id).toBe(1);
  });
});
