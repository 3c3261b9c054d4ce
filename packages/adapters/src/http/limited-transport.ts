import { errorFromUnknown } from "@waybill/core";
import { graphqlFailure, retryAfter } from "@waybill/core/cards";
import type { AccountGate, AccountLimit } from "@waybill/core/cards";
import { isRecord } from "@waybill/core/schema";
import type { HttpTransport } from "./transport.ts";

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly headers: Headers;
  readonly body?: Uint8Array;
}

/** The details of an error that describe a limit. */
interface Failure {
  readonly code?: string | undefined;
  readonly retry_after_ms?: number | undefined;
  readonly limited?: unknown;
}

/** Says which account's limits apply to a request, and reads the limits that responses report. */
export interface LimitRules {
  /**
   * Delays or refuses requests while the account is over its limit. Undefined if no limit applies
   * to the URL.
   */
  readonly gate: (url: URL) => AccountGate | undefined;
  /** The rate-limited resource that a request counts for. */
  readonly resource: (url: URL) => string;
  /** The limit that a successful response reports. */
  readonly after: (answer: Answer, resource: string) => AccountLimit | undefined;
  /** The limit that an error reports. */
  readonly from: (failure: Failure, resource: string) => AccountLimit | undefined;
}

/** The wait that GitHub asks for if its response names none: one minute. */
const DEFAULT_WAIT_MS = 60_000;
/** The maximum size of a response that only reports a limit. */
const MOST_BYTES = 20_000;

/** The resources that GitHub counts separately. */
function githubResource({ pathname }: URL): string {
  if (pathname.endsWith("/graphql")) return "graphql";
  if (!pathname.includes("/search/")) return "core";
  return pathname.includes("/search/code") ? "code_search" : "search";
}

/** The limit that a response reports if no request is left for its resource. */
function usedUp(headers: Headers, resource: string): AccountLimit | undefined {
  const left = headers["x-ratelimit-remaining"]?.trim() === "0" ? retryAfter(headers) : undefined;
  if (left === undefined) return undefined;
  return { resource: headers["x-ratelimit-resource"] ?? resource, until: Date.now() + left };
}

function errorsIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const errors = isRecord(value) ? value["errors"] : undefined;
    return Array.isArray(errors) ? errors : undefined;
  } catch {
    return undefined;
  }
}

/** A rate limit that GraphQL reports with status 200. Undefined if there is none. */
function limitInErrors({ headers, body }: Answer, resource: string): AccountLimit | undefined {
  if (resource !== "graphql" || body === undefined || body.length > MOST_BYTES) return undefined;
  const text = new TextDecoder().decode(body);
  if (!/rate.?limit|abuse detection/iu.test(text)) return undefined;
  const errors = errorsIn(text);
  return errors && githubLimit(graphqlFailure(errors, true, headers), resource);
}

function limitUntil({ limited }: Failure, resource: string, left: number): AccountLimit {
  return { resource: typeof limited === "string" ? limited : resource, until: Date.now() + left };
}

/** The limit that a GitHub error reports. Undefined if it reports none. */
export function githubLimit(failure: Failure, resource: string): AccountLimit | undefined {
  const isLimit = failure.code === "RATE_LIMIT" || failure.limited !== undefined;
  if (!isLimit) return undefined;
  return limitUntil(failure, resource, failure.retry_after_ms ?? DEFAULT_WAIT_MS);
}

/** The rules for GitHub. */
export function githubLimits(gate: AccountGate): LimitRules {
  return {
    gate: () => gate,
    resource: githubResource,
    after: (answer, resource) =>
      usedUp(answer.headers, resource) ?? limitInErrors(answer, resource),
    from: githubLimit,
  };
}

/**
 * The rules for other upstreams. Their headers are not standardised, so only a refusal that says
 * how long to wait counts as a limit.
 */
export function refusalLimits(gate: LimitRules["gate"]): LimitRules {
  return {
    gate,
    resource: () => "*",
    after: () => undefined,
    from: (failure) => {
      const { limited, retry_after_ms: left } = failure;
      return limited === undefined || left === undefined
        ? undefined
        : limitUntil(failure, "*", left);
    },
  };
}

/**
 * Wraps a transport. A request is delayed or refused while its account is over a limit that an
 * earlier response reported.
 */
export function limitedTransport(transport: HttpTransport, rules: LimitRules): HttpTransport {
  const passing = <T extends Answer>(
    url: string | URL,
    attempt: Parameters<HttpTransport["send"]>[1],
    send: () => Promise<T>,
  ): Promise<T> => {
    const target = new URL(url);
    const gate = rules.gate(target);
    if (gate === undefined) return send();
    const resource = rules.resource(target);
    const note = async (limit: AccountLimit | undefined): Promise<void> => {
      if (limit !== undefined) await gate.note(limit);
    };
    return gate.pass(resource, attempt, async () => {
      try {
        const answer = await send();
        await note(rules.after(answer, resource));
        return answer;
      } catch (thrown) {
        await note(rules.from(errorFromUnknown(thrown).details, resource));
        throw thrown;
      }
    });
  };
  return {
    isLimited: true,
    send: (request, attempt) =>
      passing(request.url, attempt, () => transport.send(request, attempt)),
    stream: (request, attempt) =>
      passing(request.url, attempt, () => transport.stream(request, attempt)),
    get openSockets() {
      return transport.openSockets;
    },
    close: () => transport.close(),
  };
}
