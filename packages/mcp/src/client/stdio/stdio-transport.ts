import { setTimeout as sleep } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { fail, isCallError } from "@waybill/core";
import { isRecord, markIntegers, unquoteDigits } from "@waybill/core/schema";
import type { CallError } from "@waybill/core";
import { messageIdIn } from "../../lines/message-id.ts";
import { ServerProcess } from "./server-process.ts";
import type { ServerProcessOptions } from "./server-process.ts";

/** How many characters at both ends of a line are searched for the id of its message. */
const END_LENGTH = 512;

/** The message in a line. Undefined for other lines, which a server may also print. */
function messageIn(line: string): JSONRPCMessage | "too long" | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(markIntegers(line));
    return isRecord(value) && value["jsonrpc"] === "2.0" ? (value as JSONRPCMessage) : undefined;
  } catch (error) {
    return isCallError(error) ? "too long" : undefined;
  }
}

/** Finds the id of the answer. The ids that Waybill sends are numbers. */
function answeredId(head: string, tail: string): number | undefined {
  const id = messageIdIn(head, tail);
  return typeof id === "number" ? id : undefined;
}

/** How long a program may take to exit after it has closed its input. */
const ENDING_MS = 1_000;

/** The error for a server that is not running. Nothing was sent. */
function notRunning(): CallError {
  return fail("NETWORK", "The MCP server has ended; the next call starts it again", {
    outcome: "not_applied",
  });
}

/** An MCP transport on the standard streams of a process. */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  /** Called if an answer was longer than allowed and was skipped. */
  onTooLong: ((id: number | undefined) => void) | undefined;
  /** The SDK recognises a stdio transport by these two members. */
  readonly stderr = null;
  readonly #options: ServerProcessOptions;
  #server: ServerProcess | undefined;
  #isClosed = false;
  #lastWords: string | undefined;
  #hasEnded = false;
  readonly #ended: Promise<void>;
  #tellEnded: () => void = () => {};

  constructor(options: ServerProcessOptions) {
    this.#options = options;
    this.#ended = new Promise((resolve) => {
      this.#tellEnded = resolve;
    });
  }

  get pid(): number | null {
    return this.#server?.pid ?? null;
  }

  /** The last line of a server that has ended. */
  get lastWords(): string | undefined {
    return this.#lastWords;
  }

  /** Whether a server was started and has ended by itself. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  async start(): Promise<void> {
    this.#server = await ServerProcess.start(this.#options, {
      onLine: (line) => this.#receive(line),
      onTooLong: (head, tail) => this.onTooLong?.(answeredId(head, tail)),
      onEnd: (lastWords) => {
        this.#lastWords = lastWords;
        this.#hasEnded = !this.#isClosed;
        this.#closed();
        this.#tellEnded();
      },
    });
    if (!this.#isClosed) return;
    await this.#server.end();
    throw notRunning();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#server === undefined || this.#isClosed) throw notRunning();
    try {
      await this.#server.write(`${unquoteDigits(JSON.stringify(message))}\n`);
    } catch (error) {
      // Waits for the exit of a program that has closed its input, because the exit says more
      // than the broken pipe.
      await Promise.race([this.#ended, sleep(ENDING_MS, undefined, { ref: false })]);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed();
    await this.#server?.end();
  }

  #receive(line: string): void {
    const message = messageIn(line);
    if (message === undefined) return;
    if (message === "too long") {
      this.onTooLong?.(answeredId(line.slice(0, END_LENGTH), line.slice(-END_LENGTH)));
      return;
    }
    try {
      this.onmessage?.(message);
    } catch (thrown) {
      this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}
