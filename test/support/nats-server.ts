import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "@nats-io/transport-node";
import type { NatsConnection } from "@nats-io/transport-node";
import { freePort } from "./free-port.ts";

/** The test runner's hook for clean-up after a test, such as `onTestFinished`. */
export type CleanUp = (undo: () => Promise<void>) => void;

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("data", () => resolve(true)).once("error", () => resolve(false));
    socket.once("data", () => socket.destroy());
  });
}

/** A real nats-server on loopback, with a separate folder for its data. */
export class NatsServer {
  readonly port: number;
  readonly #folder: string;
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;

  constructor(port: number, folder: string, flags: readonly string[]) {
    this.port = port;
    this.#folder = folder;
    this.#flags = flags;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const where = ["-a", "127.0.0.1", "-p", String(this.port), "-sd", this.#folder];
    this.#process = spawn("nats-server", [...where, ...this.#flags], { stdio: "ignore" });
    const end = Date.now() + 300_000;
    while (!(await answers(this.port))) {
      if (Date.now() > end) throw new Error("nats-server does not answer");
      await delay(20);
    }
  }

  /** Stops the server and starts it again with an empty disk. */
  async loseDisk(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
    await this.start();
  }

  async stop(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
}

/** Starts a server and stops it after the test (default flags: `-js`). */
export async function startServer(cleanUp: CleanUp, flags = ["-js"]): Promise<NatsServer> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-nats-"));
  const server = new NatsServer(await freePort(), folder, flags);
  cleanUp(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  await server.start();
  return server;
}

/** Waits until every server takes part: a cluster that still forms refuses or reduces what is stored. */
async function waitForAll(servers: readonly NatsServer[]): Promise<void> {
  const connection = await connect({ servers: servers.map(({ url }) => url) });
  const trial = { name: "trial", subjects: ["trial"], num_replicas: servers.length };
  const end = Date.now() + 300_000;
  while (!(await isAnswered(connection, "STREAM.CREATE.trial", trial))) {
    if (Date.now() > end) throw new Error("the servers do not form a cluster");
    await delay(50);
  }
  await isAnswered(connection, "STREAM.DELETE.trial", {});
  await connection.close();
}

async function isAnswered(to: NatsConnection, call: string, body: object): Promise<boolean> {
  const answer = await to.request(`$JS.API.${call}`, JSON.stringify(body)).catch(() => undefined);
  return answer !== undefined && !("error" in answer.json<object>());
}

/** Three servers that form one JetStream cluster. */
export async function startCluster(cleanUp: CleanUp): Promise<NatsServer[]> {
  const ports = await Promise.all([0, 1, 2].map(freePort));
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`);
  const servers = await Promise.all(
    routes.map((route, index) =>
      startServer(cleanUp, [
        "-js",
        "-n",
        `node${index}`,
        "--cluster_name",
        "storm",
        "--cluster",
        route,
        "--routes",
        routes.filter((other) => other !== route).join(","),
      ]),
    ),
  );
  await waitForAll(servers);
  return servers;
}
