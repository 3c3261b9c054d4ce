import { errorFromUnknown, fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { exchange } from "./exchange.ts";
import type { ExchangeOptions } from "./exchange.ts";
import { exchangeFailure, statusFailure } from "./failure.ts";
import type { Answer } from "./failure.ts";
import { firstHop } from "./hop.ts";
import type { Hop } from "./hop.ts";
import { ConnectionPool } from "./pool.ts";
import { cleanAnswer } from "./redact.ts";
import type { AllowPrivate } from "./reach.ts";
import { MAX_REDIRECTS, nextHop } from "./redirect.ts";
import { Stopper } from "./stopper.ts";
import type {
  HttpAttempt,
  HttpLimits,
  HttpRequest,
  HttpResponse,
  HttpStream,
  HttpTransport,
} from "./transport.ts";

export interface HttpTransportOptions {
  readonly limits?: Partial<HttpLimits>;
  /** Private addresses that may be reached (default: true). */
  readonly allowPrivate?: AllowPrivate;
  /** Certificates to trust instead of the default ones, in PEM. */
  readonly ca?: string;
}

const DEFAULT_LIMITS: HttpLimits = {
  responseBytes: 20_000_000,
  headerBytes: 65_536,
  connectMs: 10_000,
  totalMs: 120_000,
};

function isSuccess(status: number): boolean {
  return Math.trunc(status / 100) === 2;
}

function findNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/u.test(value) ? Number(value) : undefined;
}

function getResponse(hop: Hop, answer: Answer, requests: number): HttpResponse {
  const { headers } = answer;
  const remaining = headers["x-ratelimit-remaining"] ?? headers["ratelimit-remaining"];
  const rateLimitRemaining = findNumber(remaining);
  const serverDate = Date.parse(headers["date"] ?? "");
  return {
    ...answer,
    url: hop.url.href,
    requests,
    ...(rateLimitRemaining !== undefined && { rateLimitRemaining }),
    ...(!Number.isNaN(serverDate) && { serverDate }),
  };
}

/** The final response after redirects. */
interface Followed {
  readonly hop: Hop;
  readonly answer: Answer;
  readonly requests: number;
}

async function* getChunks(
  hop: Hop,
  { stream, status, reusedSocket }: Answer,
  stopper: Stopper,
  close: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of (stream ?? []) as AsyncIterable<Uint8Array>) yield chunk;
  } catch (cause) {
    const progress = { phase: "answered", status, reusedSocket } as const;
    throw exchangeFailure(hop, progress, stopper.reason ?? cause, "applied");
  } finally {
    close();
  }
}

class NodeHttpTransport implements HttpTransport {
  readonly #pool: ConnectionPool;
  readonly #limits: HttpLimits;
  readonly #underWay = new Set<Stopper>();
  #isClosed = false;

  constructor(options: HttpTransportOptions) {
    this.#pool = new ConnectionPool({ allowPrivate: options.allowPrivate ?? true, ca: options.ca });
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  get openSockets(): number {
    return this.#pool.size;
  }

  async send(request: HttpRequest, attempt: HttpAttempt): Promise<HttpResponse> {
    const limits = { ...this.#limits, ...request.limits };
    const stopper = this.#start(attempt, limits.totalMs);
    try {
      const { hop, answer, requests } = await this.#send(request, attempt, stopper, limits);
      const response = getResponse(hop, answer, requests);
      return { ...response, url: request.redactor?.data(response.url) ?? response.url };
    } finally {
      this.#end(stopper);
    }
  }

  async stream(request: HttpRequest, attempt: HttpAttempt): Promise<HttpStream> {
    const limits = { ...this.#limits, ...request.limits };
    const stopper = this.#start(attempt, Infinity);
    try {
      const { hop, answer } = await this.#send(request, attempt, stopper, limits, true);
      const { status, headers, stream } = answer;
      const close = (): void => {
        stream?.destroy();
        this.#end(stopper);
      };
      stopper.onStop((reason) => stream?.destroy(reason));
      return { status, headers, chunks: getChunks(hop, answer, stopper, close), close };
    } catch (error) {
      this.#end(stopper);
      throw error;
    }
  }

  #start({ signal, deadline = Infinity }: HttpAttempt, totalMs: number): Stopper {
    const end = Date.now() + totalMs;
    const isOwnLimit = end < deadline;
    const stopper = new Stopper(
      signal,
      Math.min(end, deadline),
      isOwnLimit ? limitHint(totalMs) : undefined,
    );
    if (this.#isClosed) stopper.stop(closedError());
    this.#underWay.add(stopper);
    return stopper;
  }

  #end(stopper: Stopper): void {
    stopper.dispose();
    this.#underWay.delete(stopper);
  }

  async #send(
    request: HttpRequest,
    attempt: HttpAttempt,
    stopper: Stopper,
    limits: HttpLimits,
    isStreamed = false,
  ): Promise<Followed> {
    const hop = firstHop(request);
    const isRead = attempt.effect === "read";
    // A request that was already aborted must not be recorded as sent.
    if (!isRead && stopper.reason === undefined) await attempt.beforeSend();
    return this.#follow(hop, isRead, {
      pool: this.#pool,
      stopper,
      limits,
      isFresh: request.fresh === true || !attempt.isRepeatable,
      isAnswer: request.isAnswer ?? isSuccess,
      failureOf: request.failureOf,
      cutOutcome: request.cutOutcome ?? "applied",
      redactor: request.redactor,
      isStreamed,
    });
  }

  async #follow(first: Hop, isRead: boolean, options: ExchangeOptions): Promise<Followed> {
    let hop = first;
    for (let requests = 1; ; requests++) {
      const isResult = hop.method !== first.method;
      const answer = await exchange(hop, options).catch((thrown: unknown) => {
        throw isResult ? asApplied(thrown) : thrown;
      });
      const { redactor } = options;
      if (options.isAnswer(answer.status)) {
        return { hop, answer: cleanAnswer(answer, redactor), requests };
      }
      const next = requests > MAX_REDIRECTS ? undefined : nextHop(hop, answer, isRead);
      if (next === undefined) {
        const failure = statusFailure(cleanAnswer(answer, redactor), options.failureOf);
        throw isResult ? asApplied(failure) : failure;
      }
      hop = next;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const stopper of this.#underWay) stopper.stop(closedError());
    this.#pool.close();
  }
}

function limitHint(totalMs: number): string {
  return `One request may take at most ${totalMs / 1000} s. Request less data, or raise totalMs of the transport`;
}

/** A 303 means that the request was applied. Only its result could not be read. */
function asApplied(thrown: unknown): CallError {
  return errorFromUnknown(thrown).with({ outcome: "applied" });
}

function closedError(): CallError {
  return fail("CANCELLED", "The transport was closed", { hint: "Create a new transport" });
}

/**
 * Creates the transport, which is the only way to send HTTP requests. Every error says how far
 * the request got.
 */
export function createHttpTransport(options: HttpTransportOptions = {}): HttpTransport {
  return new NodeHttpTransport(options);
}
