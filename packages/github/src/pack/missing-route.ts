import { isCallError } from "@waybill/core";
import type { CardRoute } from "@waybill/core/cards";

/** REST's messages for a missing object, where GraphQL returns NOT_FOUND. */
const SAYS_MISSING = /Reference does not exist|No commit found for (?:SHA|the ref)/u;

function renamed(thrown: unknown): unknown {
  if (!isCallError(thrown) || thrown.details.status !== 422) return thrown;
  return SAYS_MISSING.test(thrown.message) ? thrown.with({ code: "NOT_FOUND" }) : thrown;
}

/** A REST route that returns the same error code as the other routes if something is missing. */
export function missingRoute(route: CardRoute): CardRoute {
  return {
    ...route,
    describe: (request) => route.describe(request),
    async send(request, attempt) {
      try {
        return await route.send(request, attempt);
      } catch (thrown) {
        throw renamed(thrown);
      }
    },
  };
}
