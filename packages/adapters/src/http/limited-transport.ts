import { errorFromUnknown } from "@waybill/core";
import { retryAfter } from "@waybill/core/cards";
import type { AccountGate, AccountLimit } from "@waybill/core/cards";
import type { HttpTransport } from "./transport.ts";

type Headers = Readonly<Record<string, string>>;

/** GitHub counts these apart from each other. */
function resourceAt(url: string | URL): string {
  const { pathname } = new URL(url);
  if (pathname.endsWith("/graphql")) return "graphql";
  if (!pathname.includes("/search/")) return "core";
  return pathname.includes("/search/code") ? "code_search" : "search";
}

/** An answer that used up what was left of its resource. */
function limitAfter(headers: Headers, resource: string): AccountLimit | undefined {
  const left = headers["x-ratelimit-remaining"]?.trim() === "0" ? retryAfter(headers) : undefined;
  if (left === undefined) return undefined;
  return { resource: headers["x-ratelimit-resource"] ?? resource, until: Date.now() + left };
}

/** The rate limit that a failure reports; undefined when it reports none. */
function limitIn(thrown: unknown, resource: string): AccountLimit | undefined {
  const { code, retry_after_ms: left, limited = resource } = errorFromUnknown(thrown).details;
  if (code !== "RATE_LIMIT" || left === undefined) return undefined;
  return { resource: String(limited), until: Date.now() + left };
}

/** A transport whose requests pass a gate, which is told what the answers say of limits. */
export function limitedTransport(transport: HttpTransport, gate: AccountGate): HttpTransport {
  const passing = <T extends { readonly headers: Headers }>(
    url: string | URL,
    attempt: Parameters<HttpTransport["send"]>[1],
    send: () => Promise<T>,
  ): Promise<T> => {
    const resource = resourceAt(url);
    return gate.pass(resource, attempt, async () => {
      try {
        const answer = await send();
        const limit = limitAfter(answer.headers, resource);
        if (limit !== undefined) await gate.note(limit);
        return answer;
      } catch (thrown) {
        const limit = limitIn(thrown, resource);
        if (limit !== undefined) await gate.note(limit);
        throw thrown;
      }
    });
  };
  return {
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
