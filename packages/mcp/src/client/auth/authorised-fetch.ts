import type { FetchLike } from "@modelcontextprotocol/client";
import type { Credentials } from "./credentials.ts";

/** The maximum number of refusals before giving up. */
const MAX_REFUSALS = 3;

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}

function wantsMoreScope(response: Response): boolean {
  const header = response.headers.get("www-authenticate") ?? "";
  return response.status === 403 && /\berror\s*=\s*"?insufficient_scope\b/iu.test(header);
}

/** Sends with a token, and gets a new one if the server asks for it. */
export function authorisedFetch(
  inner: FetchLike,
  credentials: Credentials,
  onToken: (token: string) => void,
): FetchLike {
  return async (url, init) => {
    for (let refusals = 0; ; refusals++) {
      const token = await credentials.token();
      if (token !== undefined) onToken(token);
      const response = await inner(url, withToken(init, token));
      const isMoreWanted = wantsMoreScope(response);
      const isRefused = response.status === 401 || isMoreWanted;
      if (!isRefused || refusals >= MAX_REFUSALS) return response;
      await response.body?.cancel();
      await (isMoreWanted
        ? credentials.stepUp(token, response)
        : credentials.renew(token, response));
    }
  };
}
