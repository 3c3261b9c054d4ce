import { fail } from "@waybill/core";
import type { HttpRequest } from "./transport.ts";

/** One request to one address. A redirect creates another. */
export interface Hop {
  readonly method: string;
  /** The scheme is always `http:` or `https:`, also for a socket path. */
  readonly url: URL;
  readonly socketPath: string | undefined;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Whether a public host redirected to this address. Then it must not be a private address. */
  readonly isPublicOnly: boolean;
}

const NEVER_SENT = { outcome: "not_applied", phase: "connecting" } as const;

function parseUrl(url: string | URL): URL {
  try {
    return new URL(url);
  } catch {
    throw fail(
      "VALIDATION",
      "The address of the request is not a valid URL; check the address of the source",
      NEVER_SENT,
    );
  }
}

function unixTarget(url: URL): Pick<Hop, "url" | "socketPath"> {
  const inside = new URL(`http://localhost${url.pathname}${url.search}`);
  return { url: inside, socketPath: decodeURIComponent(url.hostname) };
}

function requestTarget(request: HttpRequest): Pick<Hop, "url" | "socketPath"> {
  const url = parseUrl(request.url);
  if (url.protocol === "http+unix:") return unixTarget(url);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw fail(
      "VALIDATION",
      `${url.protocol} is not a supported protocol; use http: or https:`,
      NEVER_SENT,
    );
  }
  return { url, socketPath: request.socketPath };
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/u;
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/u;

/** Checks headers here, because Node's own error does not name the header. */
function assertHeaders(headers: Readonly<Record<string, string>>): void {
  const odd = Object.keys(headers).find((name) => !HEADER_NAME.test(name));
  if (odd !== undefined) {
    const shown = JSON.stringify(odd.slice(0, 80));
    throw fail(
      "VALIDATION",
      `${shown} is not a valid header name; use letters, digits and dashes`,
      NEVER_SENT,
    );
  }
  const wrong = Object.keys(headers).find((name) => !HEADER_TEXT.test(headers[name]!));
  if (wrong === undefined) return;
  const what = wrong === "authorization" ? "The token" : `The header ${wrong}`;
  throw fail(
    "VALIDATION",
    `${what} contains a character that headers do not allow; remove line breaks and special characters`,
    NEVER_SENT,
  );
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

export function firstHop(request: HttpRequest): Hop {
  const { body } = request;
  assertHeaders(request.headers ?? {});
  return {
    ...requestTarget(request),
    method: request.method.toUpperCase(),
    headers: { "accept-encoding": "gzip, br", ...lowerCased(request.headers ?? {}) },
    body: typeof body === "string" ? Buffer.from(body) : body,
    isPublicOnly: false,
  };
}

/** The host of a URL for messages. Other parts of a URL may be secret. */
export function getHost({ url, socketPath }: Hop): string {
  return socketPath === undefined ? url.host : "the local socket";
}
