import { randomUUID } from "node:crypto";
import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import type { InputRequest, InputResponseView } from "@modelcontextprotocol/server";
import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { talkingTo } from "../relay/index.ts";
import type { RelayedQuestion, Talk } from "../relay/index.ts";
import type { ToolAnswer, ToolCall } from "./surface.ts";

const QUESTION = "relayed";
const PREFIX = "relay:";
const MAX_ROUNDS = 100;
/** The maximum number of questions that wait for the client of one call. */
const MAX_QUESTIONS = 100;
/** The maximum number of characters of a question in an error. */
const MAX_QUESTION = 300;
/** How long to wait for the client's answer to a question. */
const MAX_AGE_MS = 600_000;

type Params = RelayedQuestion["params"];

interface Asked {
  readonly request: InputRequest;
  readonly resolve: (response: InputResponseView) => void;
  readonly reject: (error: Error) => void;
}

function requestFor({ method, params }: RelayedQuestion): InputRequest {
  if (method === "sampling/createMessage") return inputRequired.createMessage(params as never);
  const isUrl = params["mode"] === "url";
  return isUrl ? inputRequired.elicitUrl(params as never) : inputRequired.elicit(params as never);
}

function readResponse(response: InputResponseView): Record<string, unknown> {
  if (response.kind === "sampling") return { ...response.result };
  if (response.kind !== "elicit") return { action: "cancel" };
  const { action, content } = response;
  return content === undefined ? { action } : { action, content };
}

/** Includes the question in the error, because the model that made the call may know the answer. */
function cannotAnswer({ method, params: { message } }: RelayedQuestion): string {
  return method === "elicitation/create"
    ? `The client cannot show questions. Use a client that can, or put the answer into the input. The question: ${String(message).slice(0, MAX_QUESTION)}`
    : "The server asks to use the client's model (sampling), but the client does not allow it. Use a client that does";
}

type Start = (ask: Talk["ask"], signal: AbortSignal) => Promise<ToolAnswer>;

/** A call that keeps running while its client answers questions of the called server. */
class Round {
  readonly #result: Promise<ToolAnswer>;
  readonly #stop = new AbortController();
  /** The client answers the questions one at a time, in order. */
  readonly #asked: Asked[] = [];
  #isEnded = false;
  #wake = (): void => {};

  constructor(start: Start) {
    this.#result = start((question) => this.#ask(question), this.#stop.signal);
    this.#result.catch(() => {});
  }

  /**
   * Returns the next question, or the answer of the call. If the client aborts the request that
   * waits, the call is aborted too. While the client answers a question, no request waits and
   * the call keeps running.
   */
  async next(signal: AbortSignal): Promise<InputRequest | { readonly answer: ToolAnswer }> {
    const abort = (): void => this.#stop.abort(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    let next: InputRequest | undefined;
    try {
      next = await this.#question();
      return next ?? { answer: await this.#result };
    } finally {
      signal.removeEventListener("abort", abort);
      if (next === undefined)
        this.#refuse("The call that asked this question has ended. Call again");
    }
  }

  /** Waits for a question. Undefined if the call ends before there is one. */
  async #question(): Promise<InputRequest | undefined> {
    const asked = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (this.#asked.length === 0) await Promise.race([this.#result, asked]);
    return this.#asked[0]?.request;
  }

  reply(response: InputResponseView): void {
    this.#asked.shift()?.resolve(response);
  }

  end(): void {
    this.#refuse("The client did not answer the question. Call again and answer it");
    this.#stop.abort();
  }

  /** Aborts the call. The request that waits for it is answered. */
  abort(reason: CallError): void {
    this.#stop.abort(reason);
  }

  #refuse(why: string): void {
    this.#isEnded = true;
    for (const { reject } of this.#asked.splice(0)) reject(fail("CANCELLED", why));
  }

  async #ask(question: RelayedQuestion): Promise<Params> {
    if (this.#isEnded)
      throw fail("CANCELLED", "The call has ended, so it can no longer ask the client. Call again");
    if (this.#asked.length >= MAX_QUESTIONS) {
      throw fail(
        "CONFLICT",
        `${MAX_QUESTIONS} questions already wait for the client. Answer them first`,
      );
    }
    const response = new Promise<InputResponseView>((resolve, reject) => {
      this.#asked.push({ request: requestFor(question), resolve, reject });
    });
    this.#wake();
    return readResponse(await response);
  }
}

/** The client of a call: how it receives progress, and which questions it can answer. */
export interface RelayClient {
  /** The same object for all calls of one client. */
  readonly client: Talk["client"];
  readonly onProgress: Talk["onProgress"];
  readonly asks: readonly RelayedQuestion["method"][];
}

interface OpenRound {
  readonly round: Round;
  readonly timer: NodeJS.Timeout;
}

/** The running calls, and those that wait for their client's answer to a question. */
export class Rounds {
  readonly #open = new Map<string, OpenRound>();
  /** Calls with a request that waits for their answer. */
  readonly #awaited = new Set<Round>();

  /** Starts a call, or continues the call whose question this request answers. */
  async run(
    call: ToolCall,
    client: RelayClient,
    start: (signal: AbortSignal) => Promise<ToolAnswer>,
  ): Promise<ToolAnswer> {
    const {
      state,
      context: { mcpReq },
    } = call;
    const id = state?.startsWith(PREFIX) === true ? state.slice(PREFIX.length) : undefined;
    const round = id === undefined ? this.#start(client, start) : this.#take(id);
    if (id !== undefined) round.reply(inputResponse(mcpReq.inputResponses, QUESTION));
    this.#awaited.add(round);
    const next = await round.next(mcpReq.signal).finally(() => this.#awaited.delete(round));
    if ("answer" in next) return next.answer;
    const requestState = await call.seal(`${PREFIX}${this.#keep(round)}`);
    return inputRequired({ inputRequests: { [QUESTION]: next }, requestState });
  }

  /** Aborts the calls with a request that waits for their answer, so that they answer now. */
  abort(reason: CallError): void {
    for (const round of this.#awaited) round.abort(reason);
  }

  #start(
    { client, onProgress, asks }: RelayClient,
    start: (signal: AbortSignal) => Promise<ToolAnswer>,
  ): Round {
    return new Round((ask, signal) => {
      const askAble: Talk["ask"] = async (question) => {
        if (asks.includes(question.method)) return ask(question);
        throw fail("ADAPTER_UNSUPPORTED", cannotAnswer(question));
      };
      return talkingTo({ client, onProgress, ask: askAble }, () => start(signal));
    });
  }

  #take(id: string): Round {
    const open = this.#open.get(id);
    if (open === undefined)
      throw fail("NOT_FOUND", "The call that asked this question has ended. Call again");
    this.#open.delete(id);
    clearTimeout(open.timer);
    return open.round;
  }

  #keep(round: Round): string {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= MAX_ROUNDS) this.#end(oldest);
    const id = randomUUID();
    const timer = setTimeout(() => this.#end(id), MAX_AGE_MS).unref();
    this.#open.set(id, { round, timer });
    return id;
  }

  #end(id: string): void {
    this.#take(id).end();
  }
}
