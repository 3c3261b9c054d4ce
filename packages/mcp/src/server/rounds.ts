import { randomUUID } from "node:crypto";
import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import type { InputRequest, InputResponseView } from "@modelcontextprotocol/server";
import { fail } from "@waybill/core";
import { talkingTo } from "../relay/index.ts";
import type { RelayedQuestion, Talk } from "../relay/index.ts";
import type { ToolAnswer, ToolCall } from "./surface.ts";

const QUESTION = "relayed";
const PREFIX = "relay:";
const MAX_ROUNDS = 100;
/** How long to wait for a client that was asked a question. */
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

type Start = (ask: Talk["ask"], signal: AbortSignal) => Promise<ToolAnswer>;

/** A call that continues while its client answers questions of the called server. */
class Round {
  readonly #result: Promise<ToolAnswer>;
  readonly #stop = new AbortController();
  #asked: Asked | undefined;
  #wake = (): void => {};

  constructor(start: Start) {
    this.#result = start((question) => this.#ask(question), this.#stop.signal);
    this.#result.catch(() => {});
  }

  /**
   * Returns the next question, or the answer of the call. The call is aborted with the request that
   * waits for it. It continues without a request while the client answers a question.
   */
  async next(signal: AbortSignal): Promise<InputRequest | { readonly answer: ToolAnswer }> {
    const abort = (): void => this.#stop.abort(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await this.#next();
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  async #next(): Promise<InputRequest | { readonly answer: ToolAnswer }> {
    const asked = new Promise<undefined>((resolve) => {
      this.#wake = () => resolve(undefined);
    });
    if (this.#asked !== undefined) return this.#asked.request;
    const answer = await Promise.race([this.#result, asked]);
    return answer === undefined ? this.#asked!.request : { answer };
  }

  reply(response: InputResponseView): void {
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.resolve(response);
  }

  end(): void {
    this.#asked?.reject(fail("CANCELLED", "The client did not answer the question"));
    this.#stop.abort();
  }

  async #ask(question: RelayedQuestion): Promise<Params> {
    if (this.#asked !== undefined)
      throw fail("CONFLICT", "The client has not answered an earlier question yet");
    const response = new Promise<InputResponseView>((resolve, reject) => {
      this.#asked = { request: requestFor(question), resolve, reject };
    });
    this.#wake();
    return readResponse(await response);
  }
}

/** The client of a call: how it gets progress, and which questions it can answer. */
export interface RelayClient {
  readonly onProgress: Talk["onProgress"];
  readonly asks: readonly RelayedQuestion["method"][];
}

interface OpenRound {
  readonly round: Round;
  readonly timer: NodeJS.Timeout;
}

/** Calls whose clients were asked a question, until the answers come. */
export class Rounds {
  readonly #open = new Map<string, OpenRound>();

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
    const next = await round.next(mcpReq.signal);
    if ("answer" in next) return next.answer;
    const requestState = await call.seal(`${PREFIX}${this.#keep(round)}`);
    return inputRequired({ inputRequests: { [QUESTION]: next }, requestState });
  }

  #start(
    { onProgress, asks }: RelayClient,
    start: (signal: AbortSignal) => Promise<ToolAnswer>,
  ): Round {
    return new Round((ask, signal) => {
      const askAble: Talk["ask"] = async (question) => {
        if (asks.includes(question.method)) return ask(question);
        throw fail("ADAPTER_UNSUPPORTED", `The client cannot answer ${question.method}`);
      };
      return talkingTo({ onProgress, ask: askAble }, () => start(signal));
    });
  }

  #take(id: string): Round {
    const open = this.#open.get(id);
    if (open === undefined) throw fail("NOT_FOUND", "The call that asked this question has ended");
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
