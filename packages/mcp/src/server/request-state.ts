import { createHash, randomBytes } from "node:crypto";
import { createRequestStateCodec } from "@modelcontextprotocol/server";
import type { RequestStateCodec, ServerContext } from "@modelcontextprotocol/server";

const KEY_BYTES = 32;
/** The lifetime of a state, in seconds. An approval has the same lifetime. */
const LIFE_SECONDS = 300;

function getCaller({ mcpReq, http }: ServerContext): string {
  const caller = http?.authInfo?.clientId ?? "";
  return createHash("sha256").update(`${mcpReq.method}\0${caller}`).digest("hex");
}

/**
 * Signs a state that a client will return. A returned state is untrusted input, so it is also
 * short-lived and bound to one caller. The key exists only in this process, so another process
 * cannot use the state.
 */
export function requestStates(): RequestStateCodec<string> {
  const key = randomBytes(KEY_BYTES);
  return createRequestStateCodec<string>({ key, ttlSeconds: LIFE_SECONDS, bind: getCaller });
}
