import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { garbage, secondaryLimit, statusReply } from "../faults/index.ts";
import type { Fault } from "../faults/index.ts";
import { failure } from "../rest/reply.ts";
import type { Reply } from "../rest/reply.ts";
import type { Door, Listening } from "./addresses.ts";
import { operationsIn } from "./github.ts";
import type { Github } from "./github.ts";
import { readRequest } from "./request.ts";
import type { WireRequest } from "./request.ts";
import { toWire, writeReply, writeCut } from "./wire.ts";
import type { WireReply } from "./wire.ts";

/** One entry of the request log that tests read. It contains no secrets. */
export interface RequestRecord {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly operations: readonly string[];
  /**
   * Whether the request may change something: a mutation, or a REST method other than GET and HEAD.
   */
  readonly isWrite: boolean;
  /** The fault that was injected. */
  fault?: Fault["kind"];
  /** The status; absent while the request runs, and if the connection was dropped. */
  status?: number;
}

/** A request with its answer, including the bodies. */
export interface Exchange {
  readonly kind: Door["kind"];
  readonly method: string;
  /** The path without the prefix of an enterprise host. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: Buffer;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: Buffer;
}

export type OnExchange = (exchange: Exchange) => void;

const MAX_RECORDS = 10_000;
const READS: readonly string[] = ["GET", "HEAD", "OPTIONS"];
const MINUTE = 60;

/** Turns the messages of one listener into requests, and applies the injected faults. */
export class Serving {
  readonly requests: RequestRecord[] = [];
  readonly #github: Github;
  readonly #onExchange: OnExchange;
  readonly #closing = new AbortController();
  #count = 0;

  constructor(github: Github, onExchange: OnExchange = () => {}) {
    this.#github = github;
    this.#onExchange = onExchange;
  }

  close(): void {
    this.#closing.abort();
  }

  handler(listening: Listening): (message: IncomingMessage, response: ServerResponse) => void {
    return (message, response) => {
      this.#serve(message, response, listening).catch((error: unknown) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        if (response.headersSent || response.destroyed) response.destroy();
        else response.writeHead(500, { "content-type": "text/plain" }).end(text);
      });
    };
  }

  async #serve(
    message: IncomingMessage,
    response: ServerResponse,
    listening: Listening,
  ): Promise<void> {
    const request = await readRequest(message, listening.scheme);
    const door = this.#github.door(request, listening);
    const record = this.#record(request, door);
    const fault = this.#github.faults.take(record);
    if (fault !== undefined) record.fault = fault.kind;
    if (fault?.delayMs !== undefined) await this.#wait(fault.delayMs);
    const reply = await this.#reply(request, door, fault);
    if (reply === undefined) {
      response.socket?.destroy();
      return;
    }
    const wired = toWire(reply, request, this.#nextId());
    record.status = wired.status;
    this.#onExchange(getExchange(request, door, wired));
    if (fault?.kind === "cut")
      writeCut(response, wired, fault.bytes ?? Math.floor(wired.body.length / 2));
    else writeReply(response, wired);
  }

  /** The answer, correct or faulty; undefined if none is sent. */
  async #reply(
    request: WireRequest,
    door: Door,
    fault: Fault | undefined,
  ): Promise<Reply | undefined> {
    const isAfter = fault !== undefined && "when" in fault && fault.when === "after";
    if (fault?.kind === "rate-limit") return this.#limit(request, door, fault);
    const isAnswered = fault === undefined || isAfter || !["drop", "status"].includes(fault.kind);
    const reply = isAnswered
      ? await this.#github.answer(request, door)
      : failure(500, "Server Error");
    if (fault?.kind === "drop") return undefined;
    if (fault?.kind === "status") return statusReply(fault.status, fault.body, fault.headers ?? {});
    return fault?.kind === "garbage" ? garbage : reply;
  }

  #limit(request: WireRequest, door: Door, fault: Extract<Fault, { kind: "rate-limit" }>): Reply {
    if (fault.limit === "secondary") return secondaryLimit(fault.retryAfter ?? MINUTE);
    return this.#github.limitReply(request, door);
  }

  /** Waits for some time, or until the emulator closes. */
  async #wait(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#closing.signal }).catch(() => {});
  }

  #record(request: WireRequest, door: Door): RequestRecord {
    const { names: operations, isMutation } = operationsIn(request, door);
    const { method, host, url } = request;
    const isWrite = door.kind === "graphql" ? isMutation : !READS.includes(method);
    const { path } = door;
    const record: RequestRecord = { method, host, path, query: url.search, operations, isWrite };
    this.requests.push(record);
    if (this.requests.length > MAX_RECORDS) this.requests.shift();
    return record;
  }

  #nextId(): string {
    this.#count += 1;
    return `WAYB:${this.#count.toString(16).toUpperCase().padStart(6, "0")}`;
  }
}

function getExchange(request: WireRequest, { kind, path }: Door, wired: WireReply): Exchange {
  return {
    kind,
    method: request.method,
    path,
    query: request.url.searchParams,
    requestHeaders: request.headers,
    requestBody: request.body,
    status: wired.status,
    responseHeaders: wired.headers,
    responseBody: wired.body,
  };
}
