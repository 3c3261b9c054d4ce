import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { isResultEnvelope } from "@waybill/core";
import type { AttackedWorld } from "./attacked-world.ts";

/** The problems, one sentence each. */
type Problems = string[];
/** Sends every attack of a world through a process that runs this file. */
export type Door = (world: AttackedWorld, main: string) => Promise<Problems>;

/** A slower answer counts as blocked. The limit is generous, because a busy machine is slow too. */
const PATIENCE_MS = 120_000;
const DEADLINE_MS = 60_000;

type Process = ChildProcessByStdio<Writable, Readable, null>;

function start({ folder, env }: AttackedWorld, main: string, words: readonly string[]): Process {
  const stdio = ["pipe", "pipe", "ignore"] as const;
  return spawn(process.execPath, [main, ...words], { cwd: folder, env, stdio: [...stdio] });
}

/** Waits for a promise, and rejects if it takes too long. */
async function patiently<Value>(what: string, waited: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no answer`)), PATIENCE_MS);
  });
  return Promise.race([waited, late]).finally(() => clearTimeout(timer));
}

function answerProblems(what: string, answer: unknown): Problems {
  if (!isResultEnvelope(answer)) return [`${what}: ${JSON.stringify(answer).slice(0, 200)}`];
  const isSound = answer.ok || ["VALIDATION", "TOO_LARGE"].includes(answer.error.code);
  return isSound ? [] : [`${what}: ${answer.error.code} ${answer.error.message}`];
}

function describeAttack({ attacks }: AttackedWorld, index: number): string {
  const { source, pattern } = attacks[index]!;
  return `${source} ${pattern}`;
}

/** Sends each attack and collects the problems, including missing answers. */
async function eachAttack(
  world: AttackedWorld,
  send: (index: number) => Promise<unknown>,
): Promise<Problems> {
  const problems: Problems = [];
  for (const index of world.attacks.keys()) {
    const what = describeAttack(world, index);
    const answer = await patiently(what, send(index)).catch((error: unknown) => String(error));
    problems.push(...answerProblems(what, answer));
  }
  return problems;
}

/** Whether a process that has just received an attack ends on request. */
async function endProblems(what: string, child: Process): Promise<Problems> {
  child.kill("SIGTERM");
  if (child.exitCode !== null) return [];
  const end = await patiently("SIGTERM", once(child, "exit")).catch(() => undefined);
  if (end === undefined) child.kill("SIGKILL");
  return end === undefined ? [`${what}: SIGTERM was not handled`] : [];
}

const run: Door = (world, main) =>
  eachAttack(world, async (index) => {
    const { id, input } = world.call(index);
    const words = ["run", id, "--input", "-", "--deadline-ms", String(DEADLINE_MS)];
    const child = start(world, main, words);
    child.stdin.end(JSON.stringify(input));
    try {
      return JSON.parse(await patiently(id, text(child.stdout))) as unknown;
    } finally {
      child.kill("SIGKILL");
    }
  });

/** Polls a server until told to stop. */
function keepAsking(ask: () => Promise<unknown>): () => Promise<Problems> {
  const problems: Problems = [];
  const stop = new AbortController();
  const asking = (async () => {
    while (!stop.signal.aborted) {
      const health = await patiently("health", ask()).catch(String);
      if (health !== true) problems.push(`health: ${String(health)}`);
    }
  })();
  return async () => {
    stop.abort();
    await asking;
    return problems;
  };
}

const http: Door = async (world, main) => {
  const child = start(world, main, ["serve", "http", "--open"]);
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  // A kept connection may be closed by the server just when a slow client uses it again.
  const headers = { "content-type": "application/json", connection: "close" };
  const send = async (index: number): Promise<unknown> => {
    const { id, input: params } = world.call(index);
    const body = JSON.stringify({ params, options: { deadline_ms: DEADLINE_MS } });
    return (await fetch(`${url}/v1/execute/${id}`, { method: "POST", headers, body })).json();
  };
  const stopAsking = keepAsking(async () => {
    const response = await fetch(`${url}/health`, { headers });
    await response.text();
    return response.ok || response.status;
  });
  const problems = await eachAttack(world, send);
  problems.push(...(await stopAsking()));
  void send(0).catch(() => {});
  return [...problems, ...(await endProblems("serve http", child))];
};

/** A minimal client of an MCP server, which only reads and writes lines. */
class LineClient {
  readonly #stdin: Writable;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #lastId = 0;

  constructor(stdin: Writable, lines: Interface) {
    this.#stdin = stdin;
    lines.on("line", (line) => {
      const { id, result, error } = JSON.parse(line) as Record<string, unknown>;
      this.#waiting.get(id as number)?.(result ?? error);
    });
  }

  ask(method: string, params: object): Promise<unknown> {
    const id = (this.#lastId += 1);
    this.#stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  tell(method: string): void {
    this.#stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method })}\n`);
  }
}

const mcp: Door = async (world, main) => {
  const child = start(world, main, ["serve", "mcp"]);
  const client = new LineClient(child.stdin, createInterface(child.stdout));
  const clientInfo = { name: "redos", version: "1" };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  await patiently("initialize", client.ask("initialize", hello));
  client.tell("notifications/initialized");
  const send = async (index: number): Promise<unknown> => {
    const { id, input: params } = world.call(index);
    const args = { capability_id: id, params, options: { deadline_ms: DEADLINE_MS } };
    const result = await client.ask("tools/call", { name: "execute", arguments: args });
    const { content } = result as { content: { text: string }[] };
    return JSON.parse(content[0]!.text) as unknown;
  };
  const stopAsking = keepAsking(async () => (await client.ask("ping", {})) !== undefined);
  const problems = await eachAttack(world, send);
  problems.push(...(await stopAsking()));
  void send(0).catch(() => {});
  return [...problems, ...(await endProblems("serve mcp", child))];
};

export const DOORS: Readonly<Record<string, Door>> = { run, "serve http": http, "serve mcp": mcp };
