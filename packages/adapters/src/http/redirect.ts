import type { Answer } from "./failure.ts";
import type { Hop } from "./hop.ts";

export const MAX_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const SAME_REQUEST: ReadonlySet<number> = new Set([307, 308]);
/** The only headers that are sent to another host, because any other header may be a credential. */
const HARMLESS = /^(?:accept(?:-.*)?|user-agent)$/u;

function resolve(location: string | undefined, from: URL): URL | undefined {
  try {
    const url = new URL(location ?? "", from);
    const isWeb = url.protocol === "http:" || url.protocol === "https:";
    return location !== undefined && isWeb ? url : undefined;
  } catch {
    return undefined;
  }
}

function harmless(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.test(name)));
}

/** Whether the request was applied and its result is at another URL of the same host. */
function isResultElsewhere(status: number, isSameOrigin: boolean): boolean {
  return status === 303 && isSameOrigin;
}

const OF_A_BODY = /^content-(?:type|length|encoding)$/u;

/** The GET request that follows a 303. It has the same credentials and no body. */
function resultHop(hop: Hop, url: URL): Hop {
  const headers = Object.entries(hop.headers).filter(([name]) => !OF_A_BODY.test(name));
  return { ...hop, url, method: "GET", body: undefined, headers: Object.fromEntries(headers) };
}

/**
 * A plain read may be redirected to any host. Other requests, including reads with a body, may
 * be redirected only within the same origin.
 */
function mayFollow(hop: Hop, status: number, isSameOrigin: boolean, isRead: boolean): boolean {
  if (!REDIRECTS.has(status)) return false;
  const isPlain = isRead && (hop.method === "GET" || hop.method === "HEAD");
  return isPlain || (SAME_REQUEST.has(status) && isSameOrigin);
}

/**
 * The server behind a socket stands for the host. The host's URLs start with `https:`, although
 * the socket is not encrypted.
 */
function withinSocket({ url, socketPath }: Hop, location: URL): URL {
  if (socketPath === undefined || location.host !== url.host) return location;
  return new URL(`${location.pathname}${location.search}`, url);
}

/**
 * The next request of a redirect. Undefined if it must not be followed. Credentials are not sent to
 * other hosts.
 */
export function nextHop(
  hop: Hop,
  answer: Pick<Answer, "status" | "headers" | "isPrivate">,
  isRead: boolean,
): Hop | undefined {
  const location = resolve(answer.headers["location"], hop.url);
  if (location === undefined) return undefined;
  const url = withinSocket(hop, location);
  const isSameOrigin = url.origin === hop.url.origin;
  if (!mayFollow(hop, answer.status, isSameOrigin, isRead)) {
    return isResultElsewhere(answer.status, isSameOrigin) ? resultHop(hop, url) : undefined;
  }
  if (isSameOrigin) return { ...hop, url };
  const isPublicOnly = hop.isPublicOnly || !answer.isPrivate();
  return { ...hop, url, socketPath: undefined, headers: harmless(hop.headers), isPublicOnly };
}
