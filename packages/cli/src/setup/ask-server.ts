import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { isRecord } from "@waybill/core/schema";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** The time limit for a server, long enough for a first start on a busy machine. */
const PATIENCE_MS = 180_000;
const MAX_STDERR = 2_000;
const VERSION = "2025-11-25";

function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
}

function hello(child: Child): void {
  const clientInfo = { name: "waybill-setup", version: "1.0.0" };
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo };
  child.stdin.write(line({ id: 1, method: "initialize", params }));
}

function askForTools(child: Child): void {
  child.stdin.write(line({ method: "notifications/initialized" }));
  child.stdin.write(line({ id: 2, method: "tools/list", params: {} }));
}

function parseMessage(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // This error is reported below, together with the server's output.
  }
  throw new Error(`it printed something that is not an MCP message: ${text.slice(0, 200)}`);
}

function readServerResult(
  message: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { result, error } = message;
  if (isRecord(result)) return result;
  throw new Error(`it answers with an error: ${JSON.stringify(error).slice(0, 200)}`);
}

/** The shortest exchange that proves that a server works: initialize, then list the tools. */
async function converse(child: Child): Promise<string[]> {
  hello(child);
  for await (const text of createInterface({ input: child.stdout })) {
    const message = parseMessage(text);
    if (message["id"] === 1) {
      readServerResult(message);
      askForTools(child);
    } else if (message["id"] === 2) {
      const { tools } = readServerResult(message);
      return (Array.isArray(tools) ? tools.filter(isRecord) : []).map(({ name }) => String(name));
    }
  }
  throw new Error("it ended without an answer");
}

function waitForFailure(child: Child): Promise<never> {
  return new Promise((_, reject) => {
    child.once("error", (error) => reject(error));
  });
}

function patience(): Promise<never> {
  return new Promise((_, reject) => {
    const late = (): void => reject(new Error(`it did not answer within ${PATIENCE_MS / 1000} s`));
    setTimeout(late, PATIENCE_MS).unref();
  });
}

/** Starts a server as an agent's program would, and returns the names of its tools. */
export async function getTools({ command, args, env, cwd }: ServerCommand): Promise<string[]> {
  const child = spawn(command, [...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-MAX_STDERR);
  });
  child.stdin.on("error", () => {});
  try {
    return await Promise.race([converse(child), waitForFailure(child), patience()]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(said.trim() === "" ? why : `${why}. Its output: ${said.trim()}`, {
      cause: error,
    });
  } finally {
    child.stdin.destroy();
    child.kill();
  }
}
