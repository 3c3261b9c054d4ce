import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { exchange } from "./exchange.ts";
import type { ExchangeOptions } from "./exchange.ts";
import { statusFailure } from "./failure.ts";
import type { Answer } from "./failure.ts";
import { firstHop } from "./hop.ts";
import type { Hop } from "./hop.ts";
import { ConnectionPool } from "./pool.ts";
import { MAX_REDIRECTS, nextHop } from "./redirect.ts";
import { Stopper } from "./stopper.ts";
import type {
  HttpAttempt,
  HttpLimits,
  HttpRequest,
  HttpResponse,
  HttpTransport,
} from "./transport.ts";

export interface HttpTransportOptions {
  readonly limits?: Partial<HttpLimits>;
  /** Whether this machine, its network and its cloud's metadata may be reached; true unless given. */
  readonly allowPrivate?: boolean;
  /** Certificates to trust in place of the well-known ones, in PEM. */
  readonly ca?: string;
}

const DEFAULT_LIMITS: HttpLimits = {
  responseBytes: 20_000_000,
  headerBytes: 65_536,
  connectMs: 10_000,
  totalMs: 120_000,
};

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function numberOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/u.test(value) ? Number(value) : undefined;
}

function responseOf(hop: Hop, answer: Answer, requests: number): HttpResponse {
  const { headers } = answer;
  const remaining = headers["x-ratelimit-remaining"] ?? headers["ratelimit-remaining"];
  const rateLimitRemaining = numberOf(remaining);
  const serverDate = Date.parse(headers["date"] ?? "");
  return {
    ...answer,
    url: hop.url.href,
    requests,
    ...(rateLimitRemaining !== undefined && { rateLimitRemaining }),
    ...(!Number.isNaN(serverDate) && { serverDate }),
  };
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
    const hop = firstHop(request);
    const limits = { ...this.#limits, ...request.limits };
    const latest = Date.now() + limits.totalMs;
    const stopper = new Stopper(attempt.signal, Math.min(attempt.deadline ?? latest, latest));
    if (this.#isClosed) stopper.stop(closedError());
    this.#underWay.add(stopper);
    try {
      const isRead = attempt.effect === "read";
      // What was stopped already must not be noted as sent.
      if (!isRead && stopper.reason === undefined) await attempt.beforeSend();
      return await this.#follow(hop, isRead, {
        pool: this.#pool,
        stopper,
        limits,
        isFresh: request.fresh === true || !attempt.isRepeatable,
        isAnswer: request.isAnswer ?? isSuccess,
        failureOf: request.failureOf,
        cutOutcome: request.cutOutcome ?? "applied",
      });
    } finally {
      stopper.dispose();
      this.#underWay.delete(stopper);
    }
  }

  async #follow(first: Hop, isRead: boolean, options: ExchangeOptions): Promise<HttpResponse> {
    let hop = first;
    for (let requests = 1; ; requests++) {
      const answer = await exchange(hop, options);
      if (options.isAnswer(answer.status)) return responseOf(hop, answer, requests);
      const next = requests > MAX_REDIRECTS ? undefined : nextHop(hop, answer, isRead);
      if (next === undefined) throw statusFailure(answer, options.failureOf);
      hop = next;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const stopper of this.#underWay) stopper.stop(closedError());
    this.#pool.close();
  }
}

function closedError(): CallError {
  return fail("CANCELLED", "The transport was closed");
}

/** The one way out to HTTP. It says of every failure how far the request had come. */
export function createHttpTransport(options: HttpTransportOptions = {}): HttpTransport {
  return new NodeHttpTransport(options);
}
