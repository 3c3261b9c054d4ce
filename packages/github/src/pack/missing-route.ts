import { isCallError } from "@waybill/core";
import type { CardRoute } from "@waybill/core/cards";

/** Refusals by which REST says that something is not there, where GraphQL says NOT_FOUND. */
const SAYS_MISSING = /Reference does not exist|No commit found for (?:SHA|the ref)/u;

function renamed(thrown: unknown): unknown {
  if (!isCallError(thrown) || thrown.details.status !== 422) return thrown;
  return SAYS_MISSING.test(thrown.message) ? thrown.with({ code: "NOT_FOUND" }) : thrown;
}

/** A route over REST that fails with the same code as the others where something is missing. */
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
