import { httpFailure, retryAfter } from "@waybill/core";
import type { AccountGate, AccountLimit, UpstreamHeaders } from "@waybill/core";
import type { HttpTransport } from "./transport.ts";

/** What an answer tells of limits. */
interface Answered {
  readonly status: number;
  readonly headers: UpstreamHeaders;
  readonly body?: Uint8Array;
}

/** GitHub counts these apart from each other; what it calls them is told by a header of its answers. */
function resourceAt(url: string | URL): string {
  const { pathname } = new URL(url);
  if (pathname.endsWith("/graphql")) return "graphql";
  const search = /\/search\/(?<kind>code)?/u.exec(pathname);
  if (search === null) return "core";
  return search.groups?.["kind"] === "code" ? "code_search" : "search";
}

function parsed(body: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** A limit of all requests of the account is told with `Retry-After`, or in words. */
function limitIn({ status, headers, body }: Answered, resource: string): AccountLimit | undefined {
  const isUsedUp = headers["x-ratelimit-remaining"]?.trim() === "0";
  const isPrimary = isUsedUp && headers["retry-after"] === undefined;
  const named = isPrimary ? (headers["x-ratelimit-resource"] ?? resource) : "*";
  if (status !== 403 && status !== 429) {
    const left = isPrimary ? retryAfter(headers) : undefined;
    return left === undefined ? undefined : { resource: named, until: Date.now() + left };
  }
  const failure = httpFailure({ status, headers, body: parsed(body) });
  if (failure.code !== "RATE_LIMIT" || failure.retry_after_ms === undefined) return undefined;
  return { resource: named, until: Date.now() + failure.retry_after_ms };
}

/** A transport whose requests pass a gate, which is told what the answers say of limits. */
export function limitedTransport(transport: HttpTransport, gate: AccountGate): HttpTransport {
  const noted = async <T extends Answered>(answer: T, url: string | URL): Promise<T> => {
    const limit = limitIn(answer, resourceAt(url));
    if (limit !== undefined) await gate.note(limit);
    return answer;
  };
  return {
    send: (request, attempt) =>
      gate.pass(resourceAt(request.url), attempt, async () =>
        noted(await transport.send(request, attempt), request.url),
      ),
    stream: (request, attempt) =>
      gate.pass(resourceAt(request.url), attempt, async () => {
        const stream = await transport.stream(request, attempt);
        const { status, headers } = stream;
        await noted({ status, headers }, request.url);
        return stream;
      }),
    get openSockets() {
      return transport.openSockets;
    },
    close: () => transport.close(),
  };
}
