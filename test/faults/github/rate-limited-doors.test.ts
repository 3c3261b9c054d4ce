import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { serveMcpStdio } from "@waybill/mcp/server";
import { startHttpServer } from "@waybill/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEmbedded } from "../../../packages/github/src/pack/fixtures/embedded.ts";

const HELLO = { owner: "octo", name: "hello" };

/** Reads and writes in turn, on cards that prefer different APIs. */
const STEPS = Array.from({ length: 20 }, (_, index) =>
  index % 2 === 0
    ? { task: "issue.create", input: { ...HELLO, title: `Issue ${index}` } }
    : { task: "release.list", input: HELLO },
);
const CALLS = STEPS.slice(0, 10);

/** Sends one request of a protocol, and returns the parsed answer. */
interface Client {
  execute(id: string, params: object): Promise<ResultEnvelope>;
  chain(steps: readonly object[]): Promise<{ readonly results: readonly ResultEnvelope[] }>;
}

async function httpClient(waybill: Waybill): Promise<Client> {
  const server = await startHttpServer({ waybill, version: "0.0.0" });
  onTestFinished(() => server.close());
  const post = async (path: string, body: object, status: number): Promise<unknown> => {
    const response = await fetch(`${server.url}/v1/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(status);
    return response.json();
  };
  return {
    execute: async (id, params) => (await post(`execute/${id}`, { params }, 429)) as ResultEnvelope,
    chain: async (steps) =>
      (await post("chain", { steps, options: { on_error: "continue" } }, 200)) as Awaited<
        ReturnType<Client["chain"]>
      >,
  };
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
}

async function mcpClient(waybill: Waybill): Promise<Client> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const server = serveMcpStdio({ waybill, version: "0.0.0", stdin, stdout });
  onTestFinished(() => server.close());
  const waiting = new Map<number, (message: Message) => void>();
  createInterface(stdout).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  let last = 0;
  const send = (message: object): void =>
    void stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method: string, params: object): Promise<Message> => {
    const id = (last += 1);
    const answered = new Promise<Message>((resolve) => void waiting.set(id, resolve));
    send({ id, method, params });
    return answered;
  };
  const call = async (name: string, args: object): Promise<unknown> => {
    const { result } = await request("tools/call", { name, arguments: args });
    return JSON.parse(result!.content![0]!.text);
  };
  const clientInfo = { name: "test", version: "0.0.0" };
  await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  return {
    execute: async (id, params) =>
      (await call("execute", { capability_id: id, params })) as ResultEnvelope,
    chain: async (steps) =>
      (await call("chain", { steps, options: { on_error: "continue" } })) as Awaited<
        ReturnType<Client["chain"]>
      >,
  };
}

function expectLimited(results: readonly ResultEnvelope[]): void {
  for (const { error } of results) {
    expect(error?.code).toBe("RATE_LIMIT");
    expect(error?.details?.["retry_after_ms"]).toBeGreaterThan(500_000);
  }
}

const CLIENTS = { "serve http": httpClient, "serve mcp": mcpClient };

describe.each(Object.entries(CLIENTS))(
  "%s while GitHub answers with a rate limit of 600 seconds",
  (_name, connect) => {
    async function open() {
      const embedded = await startEmbedded({ clock: () => new Date() });
      onTestFinished(() => embedded.close());
      const limit = { kind: "rate-limit", limit: "secondary", retryAfter: 600 } as const;
      embedded.github.faults.inject({ ...limit, times: 1_000 });
      return { client: await connect(embedded.waybill), github: embedded.github };
    }

    it("ten calls in a row under a rate limit send GitHub one request", async () => {
      const { client, github } = await open();
      for (const { task, input } of CALLS) expectLimited([await client.execute(task, input)]);
      expect(github.requests).toHaveLength(1);
    });

    it("ten calls at once under a rate limit send GitHub one request", async () => {
      const { client, github } = await open();
      expectLimited(await Promise.all(CALLS.map(({ task, input }) => client.execute(task, input))));
      expect(github.requests).toHaveLength(1);
    });

    it("a chain of 20 steps under a rate limit sends GitHub one request", async () => {
      const { client, github } = await open();
      const { results } = await client.chain(STEPS);
      expect(results).toHaveLength(20);
      expectLimited(results);
      expect(github.requests).toHaveLength(1);
    });
  },
);
