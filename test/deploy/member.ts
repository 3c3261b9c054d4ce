import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** How the waybill command is started: a program and its first arguments. */
export type Command = readonly [string, ...string[]];

/** One Waybill process of a deployment: a worker or a gateway. */
export class Member {
  readonly name: string;
  readonly #command: Command;
  readonly #env: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  constructor(name: string, command: Command, env: Readonly<Record<string, string>>) {
    this.name = name;
    this.#command = command;
    this.#env = env;
  }

  /** Starts the process, and waits until it prints that it serves. */
  async start(): Promise<void> {
    const [program, ...words] = this.#command;
    const child = spawn(program, words, { env: this.#env, stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    const said: string[] = [];
    child.stderr.on("data", (chunk: Buffer) => {
      if (said.length < 100) said.push(chunk.toString());
    });
    const ended = once(child, "exit").then(() => {
      throw new Error(`${this.name} has ended: ${said.join("")}`);
    });
    await Promise.race([once(child.stdout, "data"), ended]);
    ended.catch(() => {});
    child.stdout.resume();
  }

  /** Stops the process: gracefully, or by killing it. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
}
