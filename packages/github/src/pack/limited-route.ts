import { githubLimit } from "@waybill/adapters/http";
import { errorFromUnknown } from "@waybill/core";
import type { AccountGate, CardRequest, CardRoute } from "@waybill/core/cards";

function rateLimitResource(request: CardRequest | undefined): string {
  return request?.kind === "graphql" ? "graphql" : "core";
}

/**
 * Limits the requests of an account. `gh` sends several requests by itself, so one run of `gh`
 * counts as one.
 */
export function limitedRoute(route: CardRoute, gate: AccountGate): CardRoute {
  const noting = async <T>(send: () => Promise<T>): Promise<T> => {
    try {
      return await send();
    } catch (thrown) {
      const limit = githubLimit(errorFromUnknown(thrown).details, "*");
      if (limit !== undefined) await gate.note(limit);
      throw thrown;
    }
  };
  return {
    ...route,
    describe: (request) => route.describe(request),
    send: (request, attempt) =>
      gate.pass(rateLimitResource(request), attempt, () =>
        noting(() => route.send(request, attempt)),
      ),
  };
}
