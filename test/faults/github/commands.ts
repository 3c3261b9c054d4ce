// The interfaces of the command, each in its own process that can be killed and can have a wrong
// clock.
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { ResultEnvelope } from "@waybill/core";
import { TOKENS } from "../../../packages/github/src/emulator/world/index.ts";
import { mcpEnvelope, mcpMessages } from "./doors.ts";
import type { Door, DoorCall } from "./doors.ts";

export const COMMAND_NAMES = ["run", "chain", "serve http", "serve mcp", "serve nats"] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

/** Everything that processes of one cell share. */
export interface CommandWorld {
  /** The bundled command. */
  readonly program: string;
  /** The folder for state and configuration. */
  readonly folder: string;
  readonly socket: string;
  readonly natsUrl: string | undefined;
  /** The error of the clock in faketime's form, such as `-2h`. */
  readonly clock?: string | undefined;
  /** Called with every process that will make the write. */
  readonly onStart?: (child: ChildProcess) => void;
  /** Everything that the processes print to stderr, to explain a missing answer. */
  readonly errors: string[];
}

type Command = (world: CommandWorld, call: DoorCall) => Promise<ResultEnvelope | undefined>;

let library: string | undefined;

/**
 * Environment variables that give a process a wrong clock. A wrapper program is not used, because
 * killing it would not kill the process.
 */
function wrongClock(clock: string): Record<string, string> {
  library ??= execFileSync("faketime", ["-f", "+0", "sh", "-c", "echo $LD_PRELOAD"], {
    encoding: "utf8",
  }).trim();
  return {
    LD_PRELOAD: library,
    FAKETIME: clock,
    // Timers use this clock too, so they must not stop or run too fast.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
  };
}

/**
 * Removes the shared memory of a killed process. Otherwise a later process with the same id cannot
 * start.
 */
function forgetClock(pid: number): void {
  for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`]) {
    rmSync(join("/dev/shm", name), { force: true });
  }
}

async function start(world: CommandWorld, words: readonly string[]): Promise<ChildProcess> {
  const { program, folder, socket, clock } = world;
  await mkdir(folder, { recursive: true });
  const config = join(folder, "config.json");
  await writeFile(config, JSON.stringify({ policy: { confirm: "none" } }));
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    WAYBILL_STATE: folder,
    WAYBILL_CONFIG: config,
    WAYBILL_GITHUB: socket,
    GH_TOKEN: TOKENS.octocat,
    ...(clock !== undefined && wrongClock(clock)),
  };
  const child = spawn(process.execPath, [program, ...words], { env, cwd: folder, stdio: "pipe" });
  if (clock !== undefined) child.once("exit", () => forgetClock(child.pid!));
  child.stderr.setEncoding("utf8").on("data", (text: string) => world.errors.push(text));
  child.once("exit", (code, signal) => world.errors.push(`${words[0]} ended: ${code ?? signal}`));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Reads the JSON that a process prints until it ends; undefined if it was killed before. */
async function printed(child: ChildProcess): Promise<unknown> {
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout!)) lines.push(line);
  return lines.length === 0 ? undefined : (JSON.parse(lines.join("\n")) as unknown);
}

function optionWords({ idempotency_key, deadline_ms }: DoorCall["options"]): string[] {
  return ["--idempotency-key", idempotency_key!, "--deadline-ms", String(deadline_ms)];
}

/** A call of several steps has no route. */
function runWords({ id, params, options }: DoorCall): string[] {
  const { route } = options;
  const routeWords = route === undefined ? [] : ["--route", route];
  return ["run", id, "--input", JSON.stringify(params), ...routeWords, ...optionWords(options)];
}

const run: Command = async (world, call) => {
  const child = await start(world, runWords(call));
  world.onStart?.(child);
  return (await printed(child)) as ResultEnvelope | undefined;
};

const chain: Command = async (world, { id, params, options }) => {
  const steps = JSON.stringify([{ task: id, input: params }]);
  const child = await start(world, ["chain", "--steps", steps, ...optionWords(options)]);
  world.onStart?.(child);
  const answer = (await printed(child)) as { readonly results: ResultEnvelope[] } | undefined;
  return answer?.results[0];
};

/** The line that a server prints once it listens. */
async function firstLine(child: ChildProcess): Promise<Record<string, string>> {
  for await (const line of createInterface(child.stdout!)) {
    return JSON.parse(line) as Record<string, string>;
  }
  throw new Error("the server ended before it listened");
}

const serveHttp: Command = async (world, { id, params, options }) => {
  const child = await start(world, ["serve", "http", "--port", "0"]);
  const { url, token } = await firstLine(child);
  world.onStart?.(child);
  try {
    const response = await fetch(`${url}/v1/execute/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ params, options }),
    });
    return (await response.json()) as ResultEnvelope;
  } catch (error) {
    world.errors.push(String(error));
    return undefined;
  } finally {
    await end(child);
  }
};

const serveMcp: Command = async (world, call) => {
  const child = await start(world, ["serve", "mcp"]);
  world.onStart?.(child);
  child.stdin!.on("error", () => {});
  for (const message of mcpMessages(call)) child.stdin!.write(`${JSON.stringify(message)}\n`);
  try {
    return await mcpEnvelope(createInterface(child.stdout!));
  } finally {
    await end(child);
  }
};

const serveNats: Command = async (world, call) => {
  // The journal belongs to the NATS service, so both calls of a cell use the same service.
  const service = basename(dirname(world.folder));
  const server = world.natsUrl!;
  // The worker makes the write, while a caller in another process waits for it.
  const journal = join(world.folder, "..", "nats");
  const worker = await start(world, [
    "serve",
    "nats",
    "--server",
    server,
    "--service",
    service,
    "--open",
  ]);
  await firstLine(worker);
  world.onStart?.(worker);
  const own = { ...world, folder: journal, clock: undefined };
  const caller = await start(own, [...runWords(call), "--via", `${server}/${service}`]);
  try {
    return (await printed(caller)) as ResultEnvelope | undefined;
  } finally {
    await Promise.all([end(worker), end(caller)]);
  }
};

const COMMANDS: Readonly<Record<CommandName, Command>> = {
  run,
  chain,
  "serve http": serveHttp,
  "serve mcp": serveMcp,
  "serve nats": serveNats,
};

/** Makes calls through the command, with its own Waybill. */
export function commandDoor(name: CommandName, world: CommandWorld): Door {
  return (_waybill, call) => COMMANDS[name](world, call);
}
