import type { Attempt } from "../router/index.ts";

/** One try of a route as the router would make it, for who tests a route. */
export function makeAttempt(
  effect: Attempt["effect"] = "read",
  more: Partial<Attempt> = {},
): Attempt {
  return {
    effect,
    isRepeatable: effect === "read",
    idempotencyKey: undefined,
    identity: undefined,
    signal: new AbortController().signal,
    deadline: undefined,
    beforeSend: async () => {},
    ...more,
  };
}
