import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { FetchLike } from "@modelcontextprotocol/client";
import { isCallError } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { authorisedFetch } from "../auth/authorised-fetch.ts";
import { Credentials } from "../auth/credentials.ts";
import type { AddressGuard } from "../addresses.ts";
import type { OAuthSettings } from "../auth/settings.ts";
import type { StateStore } from "../store/state-store.ts";
import { boundedFetch } from "./bounded-fetch.ts";

export interface HttpTransportOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: OAuthSettings | undefined;
  readonly store: StateStore;
  readonly maxMessageBytes: number;
  readonly guard: AddressGuard | undefined;
}

export interface HttpLink {
  readonly transport: StreamableHTTPClientTransport;
  /** The last error of Waybill's own code, because the SDK may have wrapped it. */
  readonly lastFailure: () => CallError | undefined;
  /** The headers of the last response with this status. The SDK does not pass them on. */
  readonly headersOf: (status: number) => Readonly<Record<string, string>>;
  /** Whether a response was too large since the last call. */
  readonly wasTooLarge: () => boolean;
  /** The tokens that were sent most recently. */
  readonly tokens: () => readonly string[];
}

/** How many sent tokens are remembered, because a server may repeat any of them in an answer. */
const MAX_TOKENS = 4;

interface Remembered {
  failure: CallError | undefined;
  refusal: Response | undefined;
}

function remembering(inner: FetchLike, remembered: Remembered): FetchLike {
  return async (url, init) => {
    try {
      const response = await inner(url, init);
      if (!response.ok) remembered.refusal = response;
      return response;
    } catch (error) {
      if (isCallError(error)) remembered.failure = error;
      throw error;
    }
  };
}

/** Creates a Streamable HTTP transport to one server. It sends the server's token. */
export function httpLink(options: HttpTransportOptions): HttpLink {
  const url = new URL(options.url);
  const remembered: Remembered = { failure: undefined, refusal: undefined };
  let isTooLarge = false;
  const tooLarge = (): void => {
    isTooLarge = true;
  };
  const bounded = boundedFetch(options.maxMessageBytes, tooLarge, options.guard);
  const tokens: string[] = [];
  const noted = (token: string): void => {
    if (!tokens.includes(token)) tokens.unshift(token);
    tokens.length = Math.min(tokens.length, MAX_TOKENS);
  };
  const { auth, store } = options;
  const authorised =
    auth === undefined
      ? bounded
      : authorisedFetch(bounded, new Credentials(auth, url, store, bounded), noted);
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: remembering(authorised, remembered),
    requestInit: { headers: { ...options.headers } },
  });
  return {
    transport,
    tokens: () => tokens,
    lastFailure: () => remembered.failure,
    headersOf(status) {
      const { refusal } = remembered;
      return refusal?.status === status ? Object.fromEntries(refusal.headers) : {};
    },
    wasTooLarge() {
      const was = isTooLarge;
      isTooLarge = false;
      return was;
    },
  };
}
