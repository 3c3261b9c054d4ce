import { setTimeout as sleep } from "node:timers/promises";
import { createHttpTransport } from "@waybill/adapters/http";
import { agentErrorCode, isCallError } from "@waybill/core";
import type { ErrorCode } from "@waybill/core";
import type { Conversation, Reply } from "./conversation.ts";
import { EndpointError, endpointError, withoutKey } from "./endpoint-error.ts";
import { ShapeError } from "./formats/index.ts";
import type { Format } from "./formats/index.ts";

export interface EndpointOptions {
  readonly format: Format;
  readonly url: URL;
  readonly model: string;
  readonly key: string | undefined;
  /**
   * Wait before the second attempt, in milliseconds; doubled for each later one (default: 1,000).
   */
  readonly firstWaitMs?: number;
}

export interface Endpoint {
  ask(conversation: Conversation, signal: AbortSignal): Promise<Reply>;
  close(): void;
}

const MAX_TRIES = 5;
/** If an endpoint asks for a longer wait, the request fails. */
const MAX_WAIT_MS = 60_000;
const MAX_BYTES = 8_000_000;
const MAY_PASS: ReadonlySet<ErrorCode> = new Set(["RATE_LIMIT", "SERVER", "NETWORK", "TIMEOUT"]);

/** How long to wait before the next attempt; undefined if there is none. */
function waitAfter(error: unknown, tries: number, firstWaitMs: number): number | undefined {
  if (tries >= MAX_TRIES || !isCallError(error) || !MAY_PASS.has(agentErrorCode(error))) {
    return undefined;
  }
  const wait = error.details.retry_after_ms ?? firstWaitMs * 2 ** (tries - 1);
  return wait <= MAX_WAIT_MS ? wait : undefined;
}

function parseAnswer(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    throw new ShapeError("it is not JSON");
  }
}

/** Requests can be repeated safely, so nothing is recorded before they are sent. */
async function beforeSend(): Promise<void> {}

/** An endpoint with one wire format. Requests and responses are not logged. */
export function openEndpoint(options: EndpointOptions): Endpoint {
  const { format, url: base, model, key, firstWaitMs = 1_000 } = options;
  const transport = createHttpTransport({ limits: { responseBytes: MAX_BYTES } });
  const url = format.url(base);
  const headers = { ...format.headers(key), "content-type": "application/json" };

  const send = async (body: string, signal: AbortSignal): Promise<Uint8Array> => {
    const request = { method: "POST", url, headers, body, credentialHeaders: ["x-api-key"] };
    const attempt = { effect: "read", isRepeatable: true, deadline: undefined } as const;
    return (await transport.send(request, { ...attempt, signal, beforeSend })).body;
  };

  const sendPatiently = async (body: string, signal: AbortSignal): Promise<Uint8Array> => {
    for (let tries = 1; ; tries++) {
      try {
        return await send(body, signal);
      } catch (error) {
        signal.throwIfAborted();
        const wait = waitAfter(error, tries, firstWaitMs);
        if (wait === undefined) throw endpointError(error, tries, key);
        await sleep(wait, undefined, { signal });
      }
    }
  };

  const ask = async (conversation: Conversation, signal: AbortSignal): Promise<Reply> => {
    const answer = await sendPatiently(JSON.stringify(format.body(model, conversation)), signal);
    try {
      return format.read(parseAnswer(answer));
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      const said = withoutKey(error.message, key);
      throw new EndpointError(
        `The endpoint's answer cannot be read: ${said}; check --url and --format`,
        false,
      );
    }
  };

  return { ask, close: () => transport.close() };
}
