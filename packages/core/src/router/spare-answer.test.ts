import { expect, it } from "vitest";
import { fail, localEnvelope } from "../envelope/index.ts";
import type { Route } from "../envelope/index.ts";
import { makeAttempt } from "../testing/index.ts";
import { attemptRoutes } from "./attempt-routes.ts";
import { DEFAULT_RETRY } from "./backoff.ts";
import type { RouteChoice } from "./route.ts";

function choice(route: Route, answer: () => string): RouteChoice {
  return {
    route,
    reason: "CARD_PREFERRED",
    preflight: async () => undefined,
    run: async () => ({ response: localEnvelope(answer(), "test.run"), upstreamRequests: 1 }),
  };
}

it("gives the answer of the preferred route when several break the schema and the last fails", async () => {
  const down = choice("rest", () => {
    throw fail("SERVER", "down");
  });
  const choices = [choice("cli", () => "first"), choice("graphql", () => "second"), down];
  const routed = await attemptRoutes(choices, {
    capability: "test.run",
    retry: { ...DEFAULT_RETRY, baseDelayMs: 0, maxAttempts: 1 },
    attempt: makeAttempt("read"),
    conforms: () => false,
  });
  expect(routed).toMatchObject({ response: { data: "first" }, routeUsed: "cli" });
  expect(routed.attempts.map(({ status }) => status)).toEqual(["error", "error", "error"]);
});
