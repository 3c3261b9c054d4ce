import type { Attempt } from "../router/index.ts";

/** Creates an attempt like the router does, for tests of routes. */
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
