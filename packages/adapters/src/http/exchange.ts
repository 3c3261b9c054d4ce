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
  /** Whether the caller reads the body as a stream. */
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

  /**
   * Ends the request. If its connection has already returned to the pool, the connection is not
   * affected.
   */
  end(hasFailed: boolean): void {
    clearTimeout(this.#connectTimer);
    this.#options.stopper.onStop(undefined);
    if (hasFailed) this.#request?.destroy();
  }

  /**
   * Detects when the first byte is sent: in the tick in which the connection is ready. This
   * listener runs before the one that writes.
   */
  #watchConnection(request: ClientRequest): void {
    const { pool, stopper, limits } = this.#options;
    const { connectMs } = limits;
    // Creates the error only when it is needed, because creating one is slow.
    const stop = (): void =>
      stopper.stop(fail("TIMEOUT", `No connection was made within ${connectMs} ms`));
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
      // Reading starts within the event. Otherwise, a connection that is cut right after the
      // event would go unnoticed.
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

  /**
   * Read while the connection is open, because a closed connection has no address and counts as
   * public.
   */
  #isPrivate({ socket: { remoteAddress } }: IncomingMessage): () => boolean {
    if (this.#hop.socketPath !== undefined) return () => true;
    return () => remoteAddress !== undefined && isPrivateAddress(remoteAddress);
  }

  async #bodyOf(response: IncomingMessage, status: number): Promise<Uint8Array> {
    const { isAnswer, limits, stopper } = this.#options;
    const { method } = this.#hop;
    if (isAnswer(status)) return readBody(response, method, limits.responseBytes);
    const body = await readErrorBody(response, method);
    // After a timeout, the status of the response is more useful than the timeout error. After
    // an abort by the caller it is not.
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

/**
 * Sends a request and reads its response, for any status. Errors name the phase that the request
 * reached.
 */
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
