import { createHash, randomBytes } from "node:crypto";
import { createRequestStateCodec } from "@modelcontextprotocol/server";
import type { RequestStateCodec, ServerContext } from "@modelcontextprotocol/server";

const KEY_BYTES = 32;
/** As long as an approval lives. */
const LIFE_SECONDS = 300;

function callerOf({ mcpReq, http }: ServerContext): string {
  const caller = http?.authInfo?.clientId ?? "";
  return createHash("sha256").update(`${mcpReq.method}\0${caller}`).digest("hex");
}

/**
 * What a client is given to hand back comes from it like anything else: it is signed, for a short
 * life, for one caller. The key is this process's own, so a state is of no use in another.
 */
export function requestStates(): RequestStateCodec<string> {
  const key = randomBytes(KEY_BYTES);
  return createRequestStateCodec<string>({ key, ttlSeconds: LIFE_SECONDS, bind: callerOf });
}
