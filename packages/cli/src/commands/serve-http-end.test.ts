import { once } from "node:events";
import { Agent, request } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { ResultEnvelope } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { Program } from "../fixtures/program.ts";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

const PAUSE_MS = 20;
const LANES = 6;

interface Gateway {
  readonly world: World;
  readonly program: Program;
  readonly url: string;
}

/** Starts the command in its own process, and waits until it serves. */
async function start(limits: object = {}): Promise<Gateway> {
  const world = await makeWorld(onTestFinished);
  await world.writeConfig({ sources: { demo: world.source() }, http: { limits } });
  const program = new Program(world, ["serve", "http", "--open"]);
  onTestFinished(() => void program.process.kill("SIGKILL"));
  const [said] = (await once(program.process.stdout, "data")) as [Buffer];
  return { world, program, url: (JSON.parse(said.toString()) as { url: string }).url };
}

interface Answer {
  readonly envelope: ResultEnvelope;
  /** Whether the server said that this was the last answer on the connection. */
  readonly isLast: boolean;
}

function call(url: string, id: string, params: object, agent: Agent | false): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const sent = request(
      `${url}/v1/execute/${id}`,
      { method: "POST", headers, agent },
      (answer) => {
        const isLast = answer.headers.connection === "close";
        json(answer).then(
          (envelope) => resolve({ envelope: envelope as ResultEnvelope, isLast }),
          reject,
        );
      },
    );
    sent.once("error", reject);
    sent.end(JSON.stringify({ params }));
  });
}

const READ = ["item.view", { id: 3 }] as const;
const LATE = ["item.view", { id: 202 }] as const;
const WRITE = ["item.create", { title: "new" }] as const;

/** Calls on one kept connection, until the server says that it closes it. */
async function keepCalling(url: string, name: number, answers: Answer[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  for (let turn = name, isLast = false; !isLast; turn++) {
    const [id, params] = [READ, LATE, WRITE][turn % 3]!;
    const answer = await call(url, id, params, agent);
    answers.push(answer);
    ({ isLast } = answer);
    await delay(PAUSE_MS);
  }
}

describe("waybill serve http after SIGTERM", () => {
  it("waybill serve http answers every call of a steady load after SIGTERM, on kept and on new connections", async () => {
    const { world, program, url } = await start();
    const answers: Answer[] = [];
    const lanes = Array.from({ length: LANES }, (_, name) => keepCalling(url, name, answers));
    await expect.poll(() => answers.length).toBeGreaterThan(10 * LANES);
    const late = Array.from({ length: LANES }, () => call(url, ...LATE, false));
    await expect
      .poll(() => world.upstream.seen.filter(({ url: at }) => at === "/items/202").length)
      .toBeGreaterThan(LANES);
    program.process.kill("SIGTERM");
    await Promise.all(lanes);
    answers.push(...(await Promise.all(late)));
    expect(answers.filter(({ envelope: { ok } }) => !ok)).toEqual([]);
    const writes = world.upstream.seen.filter(({ method }) => method === "POST");
    const written = answers.filter(({ envelope }) => envelope.meta.capability_id === "item.create");
    expect(written).toHaveLength(writes.length);
    expect((await program.ended).code).toBe(0);
  });

  it("waybill serve http answers running calls, also those of MCP clients, when its grace period after SIGTERM has passed", async () => {
    const { world, program, url } = await start({ grace_ms: 200 });
    const called = call(url, "item.wait", {}, false);
    const tool = fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-method": "tools/call",
        "mcp-name": "execute",
        "mcp-protocol-version": "2026-07-28",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "execute",
          arguments: { capability_id: "item.wait" },
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      }),
    });
    await expect.poll(() => world.upstream.seen).toHaveLength(2);
    program.process.kill("SIGTERM");
    const { envelope } = await called;
    expect(envelope.error).toMatchObject({ code: "NOT_READY", retryable: true });
    expect(await (await tool).text()).toContain("The server shut down before the call ended");
    expect((await program.ended).code).toBe(0);
  });

  it("waybill serve http ends at once after a second SIGTERM", async () => {
    const { world, program, url } = await start({ grace_ms: 600_000 });
    const called = call(url, "item.wait", {}, false).catch((error: unknown) => String(error));
    await expect.poll(() => world.upstream.seen).toHaveLength(1);
    program.process.kill("SIGTERM");
    await expect.poll(() => call(url, ...READ, false).catch(() => "refused")).toBe("refused");
    program.process.kill("SIGTERM");
    await program.ended;
    expect(program.process.signalCode).toBe("SIGTERM");
    expect(await called).toContain("socket hang up");
  });
});
