import { findUser } from "../store/find.ts";
import type { User } from "../store/model.ts";
import type { Store } from "../store/store.ts";
import type { Token } from "../world/index.ts";
import { failure } from "../rest/reply.ts";
import type { Reply } from "../rest/reply.ts";

/** The user of a request, and the scopes of the token. */
export interface Session {
  readonly viewer: User;
  readonly scopes: readonly string[];
}

/** Reads "token X", "Bearer X", or X as the password of basic authentication. */
function readToken(header: string): string {
  const [scheme = "", value = ""] = header.split(" ");
  if (scheme.toLowerCase() !== "basic") return value;
  return Buffer.from(value, "base64").toString("utf8").split(":").at(-1) ?? "";
}

export function openSession(
  store: Store,
  tokens: readonly Token[],
  authorization: string | undefined,
): Session | Reply {
  if (authorization === undefined) return failure(401, "Requires authentication");
  const given = readToken(authorization);
  const found = tokens.find(({ token }) => token === given);
  if (found === undefined || found.isRevoked === true) return failure(401, "Bad credentials");
  return { viewer: findUser(store, found.login), scopes: found.scopes };
}

/** The scope that a request needs; undefined if it needs none. */
export function neededScope(method: string, path: string): string | undefined {
  const isRead = method === "GET" || method === "HEAD";
  if (path.includes("/projectsV2")) return isRead ? "read:project" : "project";
  if (path.startsWith("/gists")) return isRead ? undefined : "gist";
  if (path.startsWith("/notifications")) return "notifications";
  if (method === "DELETE" && /^\/repos\/[^/]+\/[^/]+$/.test(path)) return "delete_repo";
  return isRead ? undefined : "repo";
}

/** The scopes that a scope includes. */
const INCLUDED: Readonly<Record<string, readonly string[]>> = {
  "read:project": ["project"],
  "read:user": ["user"],
  public_repo: ["repo"],
  notifications: ["repo"],
};

export function hasScope(scopes: readonly string[], needed: string): boolean {
  return scopes.includes(needed) || (INCLUDED[needed] ?? []).some((one) => scopes.includes(one));
}
