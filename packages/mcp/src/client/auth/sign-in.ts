import type { AddressGuard } from "../addresses.ts";
import { boundedFetch } from "../http/bounded-fetch.ts";
import type { StateStore } from "../store/state-store.ts";
import { VERSION } from "../version.ts";
import { Credentials } from "./credentials.ts";
import type { OAuthSettings } from "./settings.ts";

export interface ServerSignIn {
  readonly url: string;
  readonly auth: OAuthSettings;
  /** Where the tokens are stored. */
  readonly tokens: StateStore;
  /** The addresses that the server and its sign-in may have (default: any). */
  readonly guard?: AddressGuard;
}

const MAX_BYTES = 1_000_000;

/** The first request of the protocol. It is enough to make the server ask for a sign-in. */
const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "waybill", version: VERSION },
  },
};

/** Signs in to an MCP server again. Returns false if the server needs no sign-in. */
export async function signInToServer(settings: ServerSignIn): Promise<boolean> {
  const { url, auth, tokens, guard } = settings;
  const send = boundedFetch(MAX_BYTES, () => {}, guard);
  const response = await send(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(HELLO),
  });
  await response.body?.cancel();
  if (response.status !== 401) return false;
  await new Credentials(auth, new URL(url), tokens, send).signIn(response);
  return true;
}
