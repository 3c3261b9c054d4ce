import type { Readable, Writable } from "node:stream";
import {
  ProtocolErrorCode,
  isJSONRPCNotification,
  isJSONRPCRequest,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { messageIdIn } from "../lines/message-id.ts";
import { Lines } from "../lines/lines.ts";
import { messageId, readMessage } from "./strict-message.ts";

export interface StdioLinesOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Maximum size of one message, in both directions. A longer one is answered with an error. */
  readonly maxLineBytes: number;
  /** How long requests that arrived before the end of input may take. */
  readonly graceMs: number;
}

/**
 * Answers stay this far below the limit. A client counts whole chunks, so it also counts the start
 * of the next message.
 */
const NEXT_CHUNK_BYTES = 131_072;

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/**
 * Messages on standard streams, one per line. An unreadable line does not affect the others, and
 * requests before the end of input are still answered.
 */
export class StdioLines implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  /** Resolves when there are no more messages. */
  readonly closed: Promise<void>;
  readonly #options: StdioLinesOptions;
  readonly #lines: Lines;
  readonly #asked = new Set<RequestId>();
  #tellClosed: () => void = () => {};
  #isClosed = false;
  #hasEnded = false;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: StdioLinesOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#tellClosed = resolve;
    });
    this.#lines = new Lines(options.maxLineBytes, {
      onLine: (line) => this.#receive(line),
      onTooLong: (head, tail) => {
        const message = `The message is longer than the limit of ${options.maxLineBytes} bytes. Send less data`;
        this.#refuse(ProtocolErrorCode.InvalidRequest, message, messageIdIn(head, tail));
      },
    });
  }

  async start(): Promise<void> {
    const { stdin, stdout } = this.#options;
    stdout.on("error", this.#fail);
    stdin.on("error", this.#fail);
    stdin.on("data", this.#read);
    stdin.on("end", this.#end);
    stdin.on("close", this.#end);
    if (stdin.readableEnded || stdin.destroyed) setImmediate(this.#end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error("The client has disconnected");
    try {
      await this.#write(message);
    } finally {
      if (!("method" in message) && message.id !== undefined) this.#settle(message.id);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#patience);
    const { stdin } = this.#options;
    stdin.off("data", this.#read);
    stdin.pause();
    this.onclose?.();
    this.#tellClosed();
  }

  readonly #read = (chunk: Buffer | string): void => {
    this.#lines.write(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  };

  readonly #fail = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };

  readonly #end = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#lines.end();
    this.#patience = setTimeout(() => void this.close(), this.#options.graceMs);
    this.#closeWhenDone();
  };

  #receive(line: string): void {
    if (line.trim() === "") return;
    const read = readMessage(line);
    if ("problem" in read) {
      const { code, message, id } = read.problem;
      this.#refuse(code, message, id);
      return;
    }
    try {
      this.#deliver(parseJSONRPCMessage(read.value));
    } catch (thrown) {
      const message = "The message is not JSON-RPC 2.0. Send one MCP message in each line";
      this.#refuse(ProtocolErrorCode.InvalidRequest, message, messageId(read.value));
      this.onerror?.(asError(thrown));
    }
  }

  #deliver(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) {
      // Does not wait for a request that only listens, because it is answered when the
      // connection ends.
      if (message.method !== "subscriptions/listen") this.#asked.add(message.id);
    } else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      const id = message.params?.["requestId"];
      if (typeof id === "string" || typeof id === "number") this.#settle(id);
    }
    this.onmessage?.(message);
  }

  #refuse(code: number, message: string, id?: RequestId): void {
    const error = { code, message };
    const answer = { jsonrpc: "2.0" as const, ...(id !== undefined && { id }), error };
    this.send(answer).catch((thrown: unknown) => this.onerror?.(asError(thrown)));
  }

  #write(message: JSONRPCMessage): Promise<void> {
    const line = this.#line(message);
    return new Promise((resolve, reject) => {
      this.#options.stdout.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** The SDK's clients disconnect when a message is too long, so they get an error instead. */
  #line(message: JSONRPCMessage): string {
    const line = JSON.stringify(message);
    const bytes = Buffer.byteLength(line);
    const limit = this.#options.maxLineBytes - NEXT_CHUNK_BYTES;
    if (bytes <= limit) return line;
    const why = `The call was made, but its answer has ${bytes} bytes, and the limit of a message on stdio is ${limit}. Read the answer in parts with result.read, or save the file with waybill run <id> --save FILE`;
    if ("method" in message) throw new Error(why);
    const error = { code: ProtocolErrorCode.InternalError, message: why };
    return JSON.stringify({ jsonrpc: "2.0", id: message.id, error });
  }

  #settle(id: RequestId): void {
    this.#asked.delete(id);
    this.#closeWhenDone();
  }

  #closeWhenDone(): void {
    if (this.#hasEnded && this.#asked.size === 0) void this.close();
  }
}
