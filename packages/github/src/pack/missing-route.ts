import { isCallError } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { CardRequest, CardRoute } from "@waybill/core/cards";

/** REST's messages for a missing object, where GraphQL returns NOT_FOUND. */
const SAYS_MISSING = /Reference does not exist|No commit found for (?:SHA|the ref)/u;

/**
 * GitHub's messages for a run that is in progress, too old or without failed jobs. Their status is
 * the same as for a missing permission.
 */
const SAYS_STATE = /This workflow (?:is already running|run cannot be re(?:run|tried))/u;

const MAX_VALUE = 100;

/**
 * Adds the value of an invalid field, because GitHub says only `head invalid` and not which branch
 * that is.
 */
function withValue(error: CallError, request: CardRequest): CallError {
  const body = request.kind === "rest" && isRecord(request.body) ? request.body : {};
  const message = error.message.replaceAll(/\b(\w+) invalid(?=[;)])/gu, (said, field: string) => {
    const value = Object.hasOwn(body, field) ? body[field] : undefined;
    return typeof value === "string" ? `${said}: ${value.slice(0, MAX_VALUE)}` : said;
  });
  return message === error.message ? error : error.with({}, { message });
}

/** GitHub answers a write with JSON, so another body came from a server between here and GitHub. */
function isForeignBody({ details }: CallError): boolean {
  return details.code === "SERVER" && details.outcome === "applied";
}

function clarified(thrown: unknown, request: CardRequest): unknown {
  if (!isCallError(thrown)) return thrown;
  if (isForeignBody(thrown)) return thrown.with({ outcome: "unknown" });
  const { status } = thrown.details;
  if (status === 403 && SAYS_STATE.test(thrown.message)) return thrown.with({ code: "CONFLICT" });
  if (status !== 422) return thrown;
  if (SAYS_MISSING.test(thrown.message)) return thrown.with({ code: "NOT_FOUND" });
  return withValue(thrown, request);
}

/**
 * Wraps a REST route, so that its errors name what is missing or invalid, like those of other
 * routes.
 */
export function missingRoute(route: CardRoute): CardRoute {
  return {
    ...route,
    describe: (request) => route.describe(request),
    async send(request, attempt) {
      try {
        return await route.send(request, attempt);
      } catch (thrown) {
        throw clarified(thrown, request);
      }
    },
  };
}
