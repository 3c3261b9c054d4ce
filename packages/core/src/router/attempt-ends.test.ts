import { describe, expect, it } from "vitest";
import { fail, failureResult, localEnvelope, successResult } from "../envelope/index.ts";
import type { CallError, Route } from "../envelope/index.ts";
import { makeAttempt } from "../testing/index.ts";
import { attemptRoutes } from "./attempt-routes.ts";
import type { RoutedCall } from "./attempt-routes.ts";
import { DEFAULT_RETRY } from "./backoff.ts";
import { runKeyed } from "./keyed-write.ts";
import { memoryJournal } from "./memory-journal.ts";
import { readResult, recordResult } from "./record-result.ts";
import type { RouteChoice } from "./route.ts";

/** A route that returns the given strings or errors one after the other, and counts the attempts. */
function choice(route: Route, ...tries: (string | CallError)[]): RouteChoice & { tries: number } {
  const counted = {
    route,
    reason: "CARD_PREFERRED" as const,
    tries: 0,
    preflight: async () => undefined,
    run: async () => {
      const answer = tries[Math.min(counted.tries, tries.length - 1)]!;
      counted.tries += 1;
      if (typeof answer !== "string") throw answer;
      return { response: localEnvelope(answer, "test.run"), upstreamRequests: 1 };
    },
  };
  return counted;
}

function call(more: Partial<RoutedCall> = {}): RoutedCall {
  const retry = { ...DEFAULT_RETRY, baseDelayMs: 0, maxAttempts: 1 };
  return { capability: "test.run", retry, attempt: makeAttempt("read"), ...more };
}

describe("attemptRoutes with failing routes", () => {
  it("a read returns the answer of the preferred route if all answers break the output schema and the last route fails", async () => {
    const choices = [choice("cli", "first"), choice("graphql", "second")];
    const down = choice("rest", fail("SERVER", "down"));
    const routed = await attemptRoutes([...choices, down], call({ conforms: () => false }));
    expect(routed).toMatchObject({ response: { data: "first" }, routeUsed: "cli" });
    expect(routed.attempts.map(({ status }) => status)).toEqual(["error", "error", "error"]);
  });

  it("a failed read has no outcome, and no request verifies it", async () => {
    const looks: unknown[] = [];
    const settle = async (error: CallError) => {
      looks.push(error);
      return { outcome: "not_applied" } as const;
    };
    const lost = choice("rest", fail("NETWORK", "lost", { outcome: "unknown" }));
    const { error } = await attemptRoutes([lost], call({ settle: { settle, reads: 0 } }));
    expect(looks).toEqual([]);
    expect(error?.message).toBe("lost");
    const plain = choice("rest", fail("NETWORK", "lost"));
    expect((await attemptRoutes([plain], call())).error?.details.outcome).toBeUndefined();
  });

  it("a failed attempt drops cached facts about a route only if its credentials were refused", async () => {
    const forgotten: Route[] = [];
    const onAuthFailure = (route: Route): void => void forgotten.push(route);
    const choices = [
      choice("cli", fail("NETWORK", "down")),
      choice("graphql", fail("AUTH", "refused", { outcome: "not_applied" })),
      choice("rest", "answer"),
    ];
    await attemptRoutes(choices, call({ onAuthFailure }));
    expect(forgotten).toEqual(["graphql"]);
  });

  it("retries of a call stop when their waits add up to maxWaitMs", async () => {
    const busy = fail("RATE_LIMIT", "busy", { retry_after_ms: 5 });
    const tries = async (maxWaitMs: number): Promise<number> => {
      const one = choice("rest", busy, "answer");
      const retry = { ...DEFAULT_RETRY, baseDelayMs: 0, maxAttempts: 3, maxWaitMs };
      await attemptRoutes([one], call({ retry }));
      return one.tries;
    };
    expect([await tries(4), await tries(5)]).toEqual([1, 2]);
  });
});

describe("journal entries of failed writes", () => {
  it.each(["applied", "not_applied", "unknown", undefined] as const)(
    "the journal records a failed keyed write with its outcome: %s",
    async (outcome) => {
      const recorded: unknown[] = [];
      const lease = {
        requestId: "r",
        attempt: 1,
        sent: async () => {},
        again: async () => {},
        settle: async (_result: unknown, settled: unknown) => void recorded.push(settled),
      };
      const journal = {
        ...memoryJournal(),
        begin: async () => ({ state: "owned" as const, lease }),
      };
      const key = { key: "k", identity: "", host: "", capability: "test.run", digest: "d" };
      const details = outcome === undefined ? {} : { outcome };
      const error = { code: "SERVER" as const, message: "down", retryable: false, details };
      const run = async () => failureResult(error, { capability_id: "test.run" });
      await runKeyed({ journal, key, requestId: "r", signal: new AbortController().signal, run });
      expect(recorded).toEqual([outcome ?? "unknown"]);
    },
  );
});

describe("journal entries of large results", () => {
  const meta = { capability_id: "test.run", request_id: "r", route_used: "rest" } as const;

  it("the journal records a result that is too large without its data", () => {
    const kept = readResult(recordResult(successResult("x".repeat(1_100_000), meta)));
    expect(kept).toMatchObject({ ok: true, data: null, meta: { ...meta, truncated: true } });
  });

  it("the journal records a failure that is too large with its code, outcome and a shorter message", () => {
    const long = "y".repeat(1_100_000);
    const failed = (details: object) =>
      failureResult(
        { code: "SERVER", message: long, retryable: false, details: { ...details } },
        meta,
      );
    const applied = readResult(recordResult(failed({ outcome: "applied", body: long })));
    expect(applied).toMatchObject({
      ok: false,
      data: null,
      error: { code: "SERVER", message: "y".repeat(2_000), details: { outcome: "applied" } },
    });
    expect(readResult(recordResult(failed({})))?.error?.details).toEqual({ outcome: "unknown" });
  });
});
