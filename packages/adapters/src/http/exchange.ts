import type { ClientRequest, IncomingMessage } from "node:http";
import { agentErrorCode, fail } from "@waybill/core";
import type { Outcome } from "@waybill/core";
import { isPrivateAddress } from "./addresses.ts";
import { decodedStream, readBody, readErrorBody } from "./body.ts";
import { exchangeFailure } from "./failure.ts";
import type { Answer, Progress } from "./failure.ts";
import type { Hop } from "./hop.ts";
import type { ConnectionPool } from "./pool.ts";
import type { Stopper } from "./stopper.ts";
import type { HttpLimits, HttpRequest } from "./transport.ts";

export interface ExchangeOptions {
  readonly pool: ConnectionPool;
  readonly stopper: Stopper;
  readonly limits: HttpLimits;
  readonly isFresh: boolean;
  readonly isAnswer: (status: number) => boolean;
  readonly failureOf: HttpRequest["failureOf"];
  readonly cutOutcome: Outcome;
  readonly redactor: HttpRequest["redactor"];
  /** Leaves the body of an answer to be read as it comes. */
  readonly isStreamed: boolean;
}

/** One request over one connection. */
class Exchange {
  readonly progress: Progress = { phase: "connecting", status: undefined, reusedSocket: false };
  readonly #hop: Hop;
  readonly #options: ExchangeOptions;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #connectTimer: NodeJS.Timeout | undefined;

  constructor(hop: Hop, options: ExchangeOptions) {
    this.#hop = hop;
    this.#options = options;
  }

  async run(): Promise<Answer> {
    const { pool, stopper, limits, isFresh } = this.#options;
    if (stopper.reason !== undefined) throw stopper.reason;
    const request = pool.open(this.#hop, isFresh, limits.headerBytes);
    this.#request = request;
    stopper.onStop((reason) => (this.#response ?? request).destroy(reason));
    this.#watchConnection(request);
    return await this.#answerOf(request);
  }

  /** Ends what is left of it. A connection that goes back to the pool is not touched by this. */
  end(hasFailed: boolean): void {
    clearTimeout(this.#connectTimer);
    this.#options.stopper.onStop(undefined);
    if (hasFailed) this.#request?.destroy();
  }

  /**
   * The first byte leaves when the connection stands, in the same turn as that event, and our
   * listener comes before the one that writes.
   */
  #watchConnection(request: ClientRequest): void {
    const { pool, stopper, limits } = this.#options;
    const { connectMs } = limits;
    // Making an error takes longer than most of what else a call does, so it is made when needed.
    const stop = (): void => stopper.stop(fail("TIMEOUT", `No connection within ${connectMs} ms`));
    this.#connectTimer = setTimeout(stop, connectMs);
    request.once("socket", (socket) => {
      this.progress.reusedSocket = pool.admit(socket) || request.reusedSocket;
      const event = this.#hop.url.protocol === "https:" ? "secureConnect" : "connect";
      if (this.progress.reusedSocket) this.#onConnected();
      else socket.once(event, () => this.#onConnected());
    });
  }

  #onConnected(): void {
    clearTimeout(this.#connectTimer);
    if (this.progress.phase === "connecting") this.progress.phase = "sent";
  }

  #answerOf(request: ClientRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // Reading starts within the event: a connection cut right after it would go unheard later.
      request.once("response", (response) => resolve(this.#read(response)));
      request.on("error", reject);
      request.once("close", () => {
        if (this.#response !== undefined) return;
        reject(new Error("The connection closed before an answer arrived"));
      });
      request.end(this.#hop.body);
    });
  }

  async #read(response: IncomingMessage): Promise<Answer> {
    const status = response.statusCode ?? 0;
    const isPrivate = this.#isPrivate(response);
    this.#response = response;
    this.progress.phase = "answered";
    this.progress.status = status;
    const { reusedSocket } = this.progress;
    const head = { status, headers: flatten(response), reusedSocket, isPrivate };
    if (this.#options.isStreamed && this.#options.isAnswer(status)) {
      return { ...head, body: new Uint8Array(), stream: decodedStream(response, this.#hop.method) };
    }
    return { ...head, body: await this.#bodyOf(response, status) };
  }

  /** Asked while the connection stands; one that is gone tells nothing and counts as public. */
  #isPrivate({ socket: { remoteAddress } }: IncomingMessage): () => boolean {
    if (this.#hop.socketPath !== undefined) return () => true;
    return () => remoteAddress !== undefined && isPrivateAddress(remoteAddress);
  }

  async #bodyOf(response: IncomingMessage, status: number): Promise<Uint8Array> {
    const { isAnswer, limits, stopper } = this.#options;
    const { method } = this.#hop;
    if (isAnswer(status)) return readBody(response, method, limits.responseBytes);
    const body = await readErrorBody(response, method);
    // Out of time, the status is still worth more than the lateness; to a caller who left it is not.
    const { reason } = stopper;
    if (reason !== undefined && agentErrorCode(reason) === "CANCELLED") throw reason;
    return body;
  }
}

function flatten({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
  );
}

/** Sends a request and reads its answer, whatever its status; fails with the phase it came to. */
export async function exchange(hop: Hop, options: ExchangeOptions): Promise<Answer> {
  const attempt = new Exchange(hop, options);
  let hasFailed = true;
  try {
    const answer = await attempt.run();
    hasFailed = false;
    return answer;
  } catch (cause) {
    const reason = options.stopper.reason ?? cause;
    throw exchangeFailure(hop, attempt.progress, reason, options.cutOutcome);
  } finally {
    attempt.end(hasFailed);
  }
}
