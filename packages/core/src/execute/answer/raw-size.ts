import type { MCPContentBlock, ResponseEnvelope } from "../../envelope/index.ts";
import { isCut } from "../call/call.ts";
import type { Call } from "../call/call.ts";
import type { RateLimitState } from "./observer.ts";

function blockSize(block: MCPContentBlock): number {
  if (block.type === "text") return block.text.length;
  return "data" in block && typeof block.data === "string" ? block.data.length : 0;
}

function jsonSize(value: unknown): number | undefined {
  try {
    return JSON.stringify(value)?.length;
  } catch {
    // This cannot fail, because an answer that is not JSON was already refused.
    return undefined;
  }
}

/** The size of the answer in bytes before anything was removed, if known. */
export function getRawBytes({ routed, response, request }: Call): number | undefined {
  if (routed?.rawBytes !== undefined) return routed.rawBytes;
  if (response === undefined) return undefined;
  const { data, meta } = response;
  if (meta.source === "mcp") {
    return meta.content.reduce((size, block) => size + blockSize(block), 0);
  }
  return isCut(request) ? jsonSize(data) : undefined;
}

function headerNumber(response: ResponseEnvelope | undefined, name: string): number | undefined {
  if (response?.meta.source !== "http") return undefined;
  const { headers } = response.meta;
  const value = headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`] ?? "";
  return /^\d{1,12}$/u.test(value) ? Number(value) : undefined;
}

/**
 * A smaller value is the number of seconds until the reset. A larger value is the time of the
 * reset, in seconds since the epoch.
 */
const SECONDS_UNTIL = 1_000_000_000;

function resetAt(seconds: number): number {
  return seconds < SECONDS_UNTIL ? Date.now() + seconds * 1_000 : seconds * 1_000;
}

/** Reads the rate limit from the upstream's headers. */
export function getRateLimit({ routed }: Call): RateLimitState | undefined {
  const remaining = routed?.rateLimitRemaining;
  if (remaining === undefined) return undefined;
  const limit = headerNumber(routed?.response, "limit");
  const reset = headerNumber(routed?.response, "reset");
  return {
    remaining,
    ...(limit !== undefined && { limit }),
    ...(reset !== undefined && { reset_at: resetAt(reset) }),
  };
}
