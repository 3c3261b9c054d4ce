import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { errorFromUnknown, fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { Lines } from "../../lines/lines.ts";
import type { LineListener } from "../../lines/lines.ts";
import { confined } from "./isolation.ts";
import type { Isolation, ServerLimits } from "./isolation.ts";
import { TextTail } from "./text-tail.ts";
import { startWatchdog } from "./watchdog.ts";
import type { Watchdog } from "./watchdog.ts";

export interface ServerProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly maxLineBytes: number;
  readonly limits?: ServerLimits | undefined;
  readonly isolated?: boolean | Isolation | undefined;
}

export interface ServerListener extends LineListener {
  /** Called when the process has ended, with its last line on standard error. */
  onEnd(lastWords: string | undefined): void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const MAX_STDERR_BYTES = 16_000;
/** Time between asking a server to end and killing it. */
const GRACE_MS = 1_000;
const POLL_MS = 20;

function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, signal);
    return true;
  } catch {
    return false;
  }
}

/** The error if the server could not be started. Nothing was applied. */
function startFailure({ command, cwd }: ServerProcessOptions, cause: unknown): CallError {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  const details = { outcome: "not_applied" } as const;
  if (code === "ENOENT" && cwd !== undefined && !existsSync(cwd)) {
    const missing = `The folder ${cwd} to run ${command} in is missing. Create it, or change cwd`;
    return fail("ADAPTER_UNSUPPORTED", missing, details);
  }
  const why = code === "ENOENT" ? "is not installed" : "could not be started";
  const hint = "Check the command of this MCP source";
  return fail("ADAPTER_UNSUPPORTED", `${command} ${why}`, { ...details, hint }, { cause });
}

/**
 * One MCP server and all processes that it started. They form a process group that ends with the
 * server.
 */
export class ServerProcess {
  readonly pid: number;
  readonly #child: Child;
  readonly #watchdog: Watchdog;
  readonly #lastWords = new TextTail(MAX_STDERR_BYTES);
  readonly #exited: Promise<unknown>;
  #ending: Promise<void> | undefined;

  private constructor(child: Child, pid: number, watchdog: Watchdog, listener: ServerListener) {
    this.pid = pid;
    this.#child = child;
    this.#watchdog = watchdog;
    this.#exited = once(child, "exit");
    child.stderr.on("data", (chunk: Buffer) => this.#lastWords.write(chunk));
    child.once("close", () => listener.onEnd(this.#lastWords.lastLine));
    // Ends the group with its leader, because children of a server keep its pipes open.
    child.once("exit", () => void this.end());
    this.#letGo();
  }

  static async start(
    options: ServerProcessOptions,
    listener: ServerListener,
  ): Promise<ServerProcess> {
    const { limits, isolated, maxLineBytes } = options;
    const { command, args, env, cwd } = await confined(options, limits, isolated);
    const watchdog = startWatchdog();
    try {
      const child = spawn(command, [...args], {
        env,
        cwd,
        detached: process.platform !== "win32",
        windowsHide: true,
        stdio: ["pipe", "pipe", "pipe"],
      });
      const { pid } = child;
      // If the process could not be started, an event with the reason follows.
      if (pid === undefined) throw (await once(child, "error"))[0];
      watchdog.guard(pid);
      child.on("error", () => {});
      child.stdin.on("error", () => {});
      const lines = new Lines(maxLineBytes, listener);
      child.stdout.on("data", (chunk: Buffer) => lines.write(chunk));
      return new ServerProcess(child, pid, watchdog, listener);
    } catch (cause) {
      watchdog.dismiss();
      throw startFailure(options, cause);
    }
  }

  /** Resolves when the pipe has accepted the line. */
  async write(line: string): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin.writable) throw new Error("The server reads no more messages");
    if (!stdin.write(line)) await Promise.race([once(stdin, "drain"), this.#exited]);
  }

  /**
   * Closes the server's input so that it ends by itself. Then asks its group to end, and then
   * kills it.
   */
  end(): Promise<void> {
    this.#ending ??= this.#end().catch((thrown: unknown) => {
      throw errorFromUnknown(thrown);
    });
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#child.stdin.end();
    if (!(await this.#isGoneWithin(GRACE_MS))) {
      signalGroup(this.pid, "SIGTERM");
      if (!(await this.#isGoneWithin(GRACE_MS))) signalGroup(this.pid, "SIGKILL");
    }
    this.#watchdog.dismiss();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  async #isGoneWithin(milliseconds: number): Promise<boolean> {
    const until = Date.now() + milliseconds;
    while (signalGroup(this.pid, 0)) {
      if (Date.now() >= until) return false;
      await sleep(POLL_MS);
    }
    return true;
  }

  /**
   * An idle server must not keep this process alive. A running call has its own timer for that.
   * The watchdog ends servers that outlive this process.
   */
  #letGo(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) {
      if ("unref" in stream && typeof stream.unref === "function") stream.unref();
    }
  }
}
