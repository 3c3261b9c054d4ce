import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { readFile, rename, stat, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { start } from "../fixtures/program.ts";
import { jsonOf, makeWorld } from "../fixtures/world.ts";
import type { Ended, World } from "../fixtures/world.ts";
import { version } from "../version.ts";
import { askUp } from "./ask.ts";
import { afterLost } from "./lost-command.ts";
import { runInUp, upSocket } from "./client.ts";
import type { UpEnd } from "./client.ts";
import { socketPath } from "./socket-path.ts";
import { PATHS } from "./wire.ts";

/** Runs `waybill up` in this process and waits until it listens. */
async function goUp(world: World): Promise<{ readonly stopped: Promise<Ended> }> {
  const end = new AbortController();
  const stopped = world.run(["up", "--foreground"], { signal: end.signal });
  onTestFinished(async () => {
    end.abort();
    await stopped;
  });
  const isListening = () => stat(socketPath(world.env)!).then(({ mode }) => mode & 0o777);
  await expect.poll(isListening).toBe(0o600);
  return { stopped };
}

interface Asked extends Pick<Ended, "stdout" | "stderr"> {
  readonly end: UpEnd;
}

/** Sends a command to `waybill up`, as the client in the command line does. */
async function ask(
  world: World,
  argv: readonly string[],
  change: object = {},
  signal = new AbortController().signal,
): Promise<Asked> {
  let [stdout, stderr] = ["", ""];
  const socket = upSocket(argv, world.env);
  if (socket === undefined) throw new Error("nobody listens");
  const request = { version: version(), argv, cwd: world.project, env: world.env, isTTY: false };
  const streams = {
    out: (text: string) => void (stdout += text),
    err: (text: string) => void (stderr += text),
  };
  const end = await runInUp(socket, { ...request, ...change }, streams, signal);
  return { end, stdout, stderr };
}

/** An MCP server that counts its calls and writes each of its starts to a file. */
function counter(log: string): string {
  const tools = `[{ name: "next", description: "Counts", inputSchema: { type: "object" } }]`;
  return `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
appendFileSync(${JSON.stringify(log)}, "started\\n");
let count = 0;
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "counter", version: "1" },
  }),
  "tools/list": () => ({ tools: ${tools} }),
  "tools/call": () => ({ content: [{ type: "text", text: String(++count) }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = answers[method];
  const error = { code: -32601, message: "unknown" };
  const body = answer === undefined ? { error } : { result: answer(params ?? {}) };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
}
`;
}

async function counterWorld(): Promise<{ world: World; log: string }> {
  const world = await makeWorld(onTestFinished);
  const log = join(world.folder, "starts.log");
  writeFileSync(log, "");
  await world.write("project/counter.mjs", counter(log));
  const args = [join(world.project, "counter.mjs")];
  const source = { kind: "mcp", command: process.execPath, args };
  await world.writeUserConfig({ sources: { counter: source } });
  return { world, log };
}

/** An API with one operation, which creates an order. It responds only after `answer` is called. */
async function startOrders(world: World) {
  const requests: string[] = [];
  const open: (() => void)[] = [];
  const server = createServer((request, response) => {
    requests.push(request.method ?? "");
    open.push(() => response.writeHead(201, { "content-type": "application/json" }).end("{}"));
    server.emit("asked");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const make = { operationId: "make", summary: "Make", responses: { 201: { description: "" } } };
  await world.write("project/orders.json", {
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    servers: [{ url }],
    paths: { "/orders": { post: make, get: { ...make, operationId: "look" } } },
  });
  const document = join(world.project, "orders.json");
  const source = { kind: "openapi", document, allow_private: true };
  await world.writeUserConfig({ sources: { orders: source } });
  return { requests, asked: () => once(server, "asked"), answer: () => open.forEach((go) => go()) };
}

/** Runs `waybill up` in a separate process, which can be killed. */
async function goUpApart(world: World): Promise<() => Promise<void>> {
  const { process: child } = start(world, ["up", "--foreground"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  expect(said.toString()).toBe(`waybill is up (process ${child.pid})\n`);
  return async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
}

/** Runs the code that handles a command whose background process was lost. */
function lostRun(world: World, argv: readonly string[]): Promise<Ended> {
  return world.run(argv, {}, (io) => afterLost(io, false));
}

describe("waybill up", () => {
  it("waybill up keeps an MCP server open between commands until waybill down", async () => {
    const { world, log } = await counterWorld();
    const { stopped } = await goUp(world);
    const first = await ask(world, ["run", "counter.next"]);
    const second = await ask(world, ["run", "counter.next"]);
    expect(first.end).toEqual({ kind: "ended", code: 0 });
    expect(JSON.stringify(jsonOf(first).data)).toContain("1");
    expect(JSON.stringify(jsonOf(second).data)).toContain("2");
    expect(await readFile(log, "utf8")).toBe("started\n");
    expect((await world.run(["status"])).stdout).toContain(`open for ${world.project}`);
    expect((await world.run(["up"])).stdout).toContain(`waybill is up (process ${process.pid})`);
    expect((await world.run(["down"])).stdout).toBe("stopped waybill up\n");
    expect((await stopped).code).toBe(0);
    expect(upSocket(["run"], world.env)).toBeUndefined();
    expect((await world.run(["status"])).code).toBe(1);
  });

  it("without waybill up every command starts its own MCP server", async () => {
    const { world, log } = await counterWorld();
    await world.run(["run", "counter.next"]);
    const { stdout } = await world.run(["run", "counter.next"]);
    expect(JSON.stringify(jsonOf({ stdout }).data)).toContain("1");
    expect(await readFile(log, "utf8")).toMatch(/^(?:started\n){2}/u);
  });

  it("a command prints the same text with and without waybill up, and reads the caller's files and input", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/input.json", { id: 7 });
    const argv = ["run", "item.view", "--params", "@input.json"];
    const alone = await world.run(argv);
    await goUp(world);
    const asked = await ask(world, argv);
    expect(asked.end).toEqual({ kind: "ended", code: 0 });
    expect(jsonOf(asked)).toEqual(jsonOf(alone));
    const stdin = Buffer.from('{"id":7}').toString("base64");
    const piped = await ask(world, ["run", "item.view", "--params", "-"], { stdin });
    expect(jsonOf(piped)).toEqual(jsonOf(alone));
    const wrong = await ask(world, ["run", "item.veiw"]);
    expect(wrong.end).toEqual({ kind: "ended", code: 1 });
    expect(jsonOf(wrong).error.details["did_you_mean"]).toContain("item.view");
  });

  it("waybill up reads a changed configuration for the next command", async () => {
    const world = await makeWorld(onTestFinished);
    await goUp(world);
    expect((await ask(world, ["run", "item.view", "id=7"])).end).toMatchObject({ code: 0 });
    await world.writeConfig({ sources: {} });
    const gone = await ask(world, ["run", "item.view", "id=7"]);
    expect(jsonOf(gone).error.code).toBe("NOT_FOUND");
  });

  it("waybill up refuses a command of another version, which then runs in its own process", async () => {
    const world = await makeWorld(onTestFinished);
    await goUp(world);
    const { end, stdout } = await ask(world, ["run", "item.view", "id=7"], { version: "0.0.1" });
    expect({ end, stdout }).toEqual({ end: { kind: "unreached" }, stdout: "" });
  });

  it("a command connects only to a socket of its own user, and not to a symbolic link", async () => {
    const world = await makeWorld(onTestFinished);
    await goUp(world);
    const path = socketPath(world.env)!;
    const other = vi.spyOn(process, "getuid").mockReturnValue(54_321);
    expect(upSocket(["run"], world.env)).toBeUndefined();
    other.mockRestore();
    expect(upSocket(["run"], world.env)).toBe(path);
    await rename(path, `${path}.moved`);
    await symlink(`${path}.moved`, path);
    expect(upSocket(["run"], world.env)).toBeUndefined();
    await rename(`${path}.moved`, path);
  });

  it("waybill up still counts a running command after it refuses a second command", async () => {
    const world = await makeWorld(onTestFinished);
    await goUp(world);
    const interruption = new AbortController();
    const asking = ask(world, ["run", "item.wait"], {}, interruption.signal);
    await world.upstream.next();
    await ask(world, ["run", "item.view"], { version: "0.0.1" });
    const status = await askUp(socketPath(world.env)!, "GET", PATHS.status);
    expect(status?.running).toBe(1);
    interruption.abort();
    await asking;
  });

  it("waybill up refuses an idle time that no timer can wait for", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["up", "--foreground", "--idle", "60000"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("between 1 and 35000")]);
  });

  it("an interrupted command through waybill up gets its envelope", async () => {
    const world = await makeWorld(onTestFinished);
    await goUp(world);
    const interruption = new AbortController();
    const asking = ask(world, ["run", "item.wait"], {}, interruption.signal);
    await world.upstream.next();
    interruption.abort();
    expect(jsonOf(await asking).error.code).toBe("CANCELLED");
  });

  it("waybill source list does not use waybill up, and waybill run does not if WAYBILL_UP is off", async () => {
    const world = await makeWorld(onTestFinished);
    await goUp(world);
    expect(upSocket(["run"], world.env)).toBe(socketPath(world.env));
    expect(upSocket(["source", "list"], world.env)).toBeUndefined();
    expect(upSocket(["run"], { ...world.env, WAYBILL_UP: "off" })).toBeUndefined();
    const long = { ...world.env, WAYBILL_STATE: `/${"x".repeat(120)}` };
    expect(upSocket(["run"], long)).toBeUndefined();
  });

  it("a write through waybill up is not sent twice if the process dies during the call", async () => {
    const world = await makeWorld(onTestFinished);
    const orders = await startOrders(world);
    const kill = await goUpApart(world);
    const argv = ["run", "orders.make", "--idempotency-key", "one"];
    const asking = ask(world, argv);
    await orders.asked();
    await kill();
    expect((await asking).end).toEqual({ kind: "lost", hasPrinted: false });
    const after = await lostRun(world, argv);
    expect(jsonOf(after).error.details["outcome"]).toBe("unknown");
    expect(orders.requests).toEqual(["POST"]);
    const unkeyed = await lostRun(world, ["run", "orders.make"]);
    expect(jsonOf(unkeyed).error).toMatchObject({
      code: "NETWORK",
      details: { outcome: "unknown" },
    });
    expect(orders.requests).toEqual(["POST"]);
    const reading = lostRun(world, ["run", "orders.look"]);
    await orders.asked();
    orders.answer();
    expect((await reading).code).toBe(0);
  });
});
