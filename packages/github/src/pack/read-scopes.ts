import { githubKit } from "./kit.ts";
import type { GithubSurroundings } from "./surroundings.ts";
import type { GithubHost } from "./github-host.ts";
import { scopesIn } from "./token-scopes.ts";

const TIMEOUT_MS = 20_000;

/**
 * Asks GitHub for the scopes of the token; undefined if GitHub does not report them, as for
 * fine-grained tokens.
 */
export async function readTokenScopes(
  place: GithubHost,
  around: GithubSurroundings,
): Promise<readonly string[] | undefined> {
  const route = githubKit(place, around).routes.find((one) => one.route === "rest");
  const answer = await route?.send(
    { kind: "rest", method: "GET", path: "/user", query: [], headers: {} },
    {
      effect: "read",
      isRepeatable: true,
      idempotencyKey: undefined,
      identity: undefined,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      deadline: undefined,
      beforeSend: () => Promise.resolve(),
    },
  );
  return answer === undefined ? undefined : scopesIn(answer);
}
