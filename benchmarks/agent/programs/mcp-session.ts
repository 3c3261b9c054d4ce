import { Client, SdkErrorCode, SdkError } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Tool } from "@modelcontextprotocol/client";
import { DEADLINE_MS, DeadlineError } from "./deadline.ts";

/** The part of a tool that a model sees. Annotations are for the client. */
export function shownTool({ name, description, inputSchema }: Tool): string {
  return JSON.stringify({ name, description, inputSchema });
}

/** Keeps the process id, because a client that gives up forgets its process before it has ended. */
class OwnedTransport extends StdioClientTransport {
  #owned: number | null = null;

  override async start(): Promise<void> {
    await super.start();
    this.#owned = this.pid;
  }

  kill(): void {
    try {
      if (this.#owned !== null) process.kill(this.#owned, "SIGKILL");
    } catch {
      // The process has already ended.
    }
  }
}

/** A session with the real server over stdio. */
export class McpSession {
  readonly #client = new Client({ name: "benchmark", version: "1.0.0" });
  readonly #deadlineMs: number;
  #transport: OwnedTransport | undefined;
  tools: Tool[] = [];

  constructor(deadlineMs = DEADLINE_MS) {
    this.#deadlineMs = deadlineMs;
  }

  /** Opens the session. If the server does not answer in time, it is stopped. */
  async open(
    command: string,
    args: string[],
    cwd: string,
    env: Record<string, string>,
  ): Promise<void> {
    const timeout = this.#deadlineMs;
    const line = [command, ...args].join(" ");
    this.#transport = new OwnedTransport({ command, args, cwd, env });
    await this.#inTime(line, this.#client.connect(this.#transport, { timeout }));
    const { tools } = await this.#inTime(line, this.#client.listTools(undefined, { timeout }));
    this.tools = tools;
  }

  async call(name: string, args: Record<string, unknown>): Promise<string> {
    const timeout = this.#deadlineMs;
    const called = this.#client.callTool({ name, arguments: args }, { timeout });
    const { content } = await this.#inTime(name, called);
    return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #inTime<Value>(what: string, work: Promise<Value>): Promise<Value> {
    try {
      return await work;
    } catch (error) {
      const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
      if (!isLate) throw error;
      this.#transport?.kill();
      await this.close();
      throw new DeadlineError(what, this.#deadlineMs);
    }
  }
}
