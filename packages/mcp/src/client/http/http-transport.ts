import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { FetchLike } from "@modelcontextprotocol/client";
import { isCallError } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { authorisedFetch } from "../auth/authorised-fetch.ts";
import { Credentials } from "../auth/credentials.ts";
import type { OAuthSettings } from "../auth/settings.ts";
import type { StateStore } from "../store/state-store.ts";
import { boundedFetch } from "./bounded-fetch.ts";

export interface HttpTransportOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: OAuthSettings | undefined;
  readonly store: StateStore;
  readonly maxMessageBytes: number;
}

export interface HttpLink {
  readonly transport: StreamableHTTPClientTransport;
  /** The last failure of our own making, which the SDK may have wrapped beyond recognition. */
  readonly lastFailure: () => CallError | undefined;
  /** Whether an answer was cut since this was last asked. */
  readonly wasTooLarge: () => boolean;
}

function remembering(inner: FetchLike, remember: (failure: CallError) => void): FetchLike {
  return async (url, init) => {
    try {
      return await inner(url, init);
    } catch (error) {
      if (isCallError(error)) remember(error);
      throw error;
    }
  };
}

/** Streamable HTTP to one server, its token at hand. */
export function httpLink(options: HttpTransportOptions): HttpLink {
  const url = new URL(options.url);
  let lastFailure: CallError | undefined;
  let isTooLarge = false;
  const bounded = boundedFetch(options.maxMessageBytes, () => {
    isTooLarge = true;
  });
  const { auth, store } = options;
  const authorised =
    auth === undefined
      ? bounded
      : authorisedFetch(bounded, new Credentials(auth, url, store, bounded));
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: remembering(authorised, (failure) => {
      lastFailure = failure;
    }),
    requestInit: { headers: { ...options.headers } },
  });
  return {
    transport,
    lastFailure: () => lastFailure,
    wasTooLarge() {
      const was = isTooLarge;
      isTooLarge = false;
      return was;
    },
  };
}
