import { describe, expect, it } from "vitest";
import { CallError, fail, localEnvelope } from "../envelope/index.ts";
import type { CallErrorDetails, Outcome, PreflightCode, Route } from "../envelope/index.ts";
import { makeAttempt } from "../testing/index.ts";
import { attemptRoutes } from "./attempt-routes.ts";
import type { RoutedCall } from "./attempt-routes.ts";
import { DEFAULT_RETRY } from "./backoff.ts";
import type { RouteAnswer, RouteChoice } from "./route.ts";

const answer: RouteAnswer = {
  response: localEnvelope("done", "test.run"),
  upstreamRequests: 1,
  rateLimitRemaining: 42,
};

type Behaviour = "answers" | CallError;

/**
 * A route that returns the given answers or errors one after the other, and counts the attempts.
 */
function route(name: Route, tries: Behaviour[], skip?: PreflightCode) {
  const choice = {
    route: name,
    reason: "CARD_PREFERRED",
    tries: 0,
    preflight: async () => (skip === undefined ? undefined : { code: skip }),
    run: async () => {
      const behaviour = tries[Math.min(choice.tries, tries.length - 1)]!;
      choice.tries += 1;
      if (behaviour === "answers") return answer;
      throw behaviour;
    },
  } satisfies RouteChoice & { tries: number };
  return choice;
}

function call(
  facts: Partial<RoutedCall["attempt"]> = {},
  more: Partial<RoutedCall> = {},
): RoutedCall {
  return {
    capability: "test.run",
    retry: { ...DEFAULT_RETRY, baseDelayMs: 0 },
    attempt: makeAttempt("read", facts),
    ...more,
  };
}

const write = { effect: "write", isRepeatable: false } as const;
const down = (outcome?: Outcome): CallError =>
  fail("NETWORK", "down", outcome === undefined ? {} : { outcome });

const timeout = (details: CallErrorDetails): CallError => fail("TIMEOUT", "slow", details);

describe("retries of a read", () => {
  it.each([
    [1, "timed out after it was sent", timeout({ outcome: "unknown" })],
    [1, "got an unreadable answer", fail("SERVER", "no JSON", { final: true })],
    [3, "timed out before it was sent", timeout({ outcome: "not_applied" })],
    [3, "was answered with 504", timeout({ outcome: "unknown", status: 504 })],
    [3, "was answered with a server error", fail("SERVER", "down", { status: 500 })],
  ])("the number of attempts of a read is %i if an attempt %s", async (tries, _name, error) => {
    const only = route("rest", [error]);
    await attemptRoutes([only], call());
    expect(only.tries).toBe(tries);
  });

  it("a read that timed out is tried on the next route", async () => {
    const choices = [route("rest", [timeout({ outcome: "unknown" })]), route("cli", ["answers"])];
    expect(await attemptRoutes(choices, call())).toMatchObject({ routeUsed: "cli" });
  });
});

/** A route whose answer does not match the output schema. */
function unfit(name: Route, data: string): RouteChoice {
  const response = localEnvelope(data, "test.run");
  return { ...route(name, []), run: async () => ({ ...answer, response }) };
}

describe("fallback between routes", () => {
  it("a read returns the first of two answers that break the output schema if no other route answers", async () => {
    const choices = [unfit("cli", "first"), unfit("rest", "second"), route("graphql", [down()])];
    const routed = await attemptRoutes(choices, call({}, { conforms: () => false }));
    expect([routed.response?.data, routed.routeUsed]).toEqual(["first", "cli"]);
  });

  it("attemptRoutes tries the first route and returns the reason for that route", async () => {
    const routed = await attemptRoutes([route("graphql", ["answers"])], call());
    expect(routed).toMatchObject({
      routeUsed: "graphql",
      reason: "CARD_PREFERRED",
      rateLimitRemaining: 42,
      upstreamRequests: 1,
      attempts: [{ route: "graphql", status: "success" }],
    });
  });

  it("a route that fails its preflight check is skipped, and the check's code is the reason for the next route", async () => {
    const choices = [route("cli", [], "CLI_NOT_AVAILABLE"), route("graphql", ["answers"])];
    const routed = await attemptRoutes(choices, call());
    expect(routed).toMatchObject({
      routeUsed: "graphql",
      reason: "CLI_NOT_AVAILABLE",
      attempts: [
        { route: "cli", status: "skipped", error_code: "CLI_NOT_AVAILABLE" },
        { route: "graphql", status: "success" },
      ],
    });
  });

  it("a route whose source turns out to be down counts as skipped", async () => {
    const gone = fail("NETWORK", "Nobody is there", {
      outcome: "not_applied",
      preflight: "SOURCE_DOWN",
    });
    const [first, again] = [route("mcp", [gone]), [] as Outcome[]];
    const onAgain = async (outcome: Outcome): Promise<void> => void again.push(outcome);
    const routed = await attemptRoutes(
      [first, route("rest", ["answers"])],
      call(write, { onAgain }),
    );
    expect(first.tries).toBe(1);
    expect(again).toEqual(["not_applied"]);
    expect(routed).toMatchObject({
      routeUsed: "rest",
      reason: "ENV_CONSTRAINT",
      attempts: [
        { route: "mcp", status: "skipped", error_code: "SOURCE_DOWN" },
        { route: "rest", status: "success" },
      ],
    });
    const alone = await attemptRoutes([route("mcp", [gone])], call(write));
    expect(alone.error).toBe(gone);
  });

  it("a read that may succeed later is retried, and then tried on the next route", async () => {
    const first = route("graphql", [down()]);
    const routed = await attemptRoutes([first, route("rest", ["answers"])], call());
    expect(first.tries).toBe(3);
    expect(routed).toMatchObject({ routeUsed: "rest", reason: "PREFERRED_ROUTE_FAILED" });
    expect(routed.attempts).toHaveLength(4);
  });

  it("a read that returns NOT_FOUND is neither retried nor tried on the next route", async () => {
    const first = route("graphql", [fail("NOT_FOUND", "no such issue")]);
    const second = route("rest", ["answers"]);
    const routed = await attemptRoutes([first, second], call());
    expect([first.tries, second.tries]).toEqual([1, 0]);
    expect(routed.error?.message).toBe("no such issue");
  });

  it("a refused credential drops the cached facts about the credentials, and the next route is tried at once", async () => {
    const forgotten: Route[] = [];
    const first = route("cli", [fail("AUTH", "bad token")]);
    const onAuthFailure = (name: Route): number => forgotten.push(name);
    const choices = [first, route("graphql", ["answers"])];
    await attemptRoutes(choices, call({}, { onAuthFailure }));
    expect([first.tries, forgotten]).toEqual([1, ["cli"]]);
  });

  it("the error of a call without a usable route says how to make a route usable", async () => {
    const choices = [route("cli", [], "CLI_NOT_AVAILABLE"), route("graphql", [], "TOKEN_MISSING")];
    const routed = await attemptRoutes(choices, call());
    expect(routed.error?.details).toMatchObject({ code: "AUTH", outcome: "not_applied" });
    expect(routed.routeUsed).toBeUndefined();
  });
});

const foundIt = async () => ({ outcome: "applied", answer }) as const;
const notThere = async () => ({ outcome: "not_applied" }) as const;

describe("retries of a write", () => {
  it.each(["unknown", undefined] as const)(
    "a write is sent once if its outcome is %s",
    async (outcome) => {
      const first = route("graphql", [down(outcome)]);
      const second = route("rest", ["answers"]);
      const routed = await attemptRoutes([first, second], call(write));
      expect([first.tries, second.tries]).toEqual([1, 0]);
      expect(routed.error?.message).toBe("down");
    },
  );

  it("a write that was not applied is retried, and then sent on the next route", async () => {
    const again: Outcome[] = [];
    const onAgain = async (outcome: Outcome): Promise<void> => void again.push(outcome);
    const first = route("graphql", [down("not_applied")]);
    const routed = await attemptRoutes(
      [first, route("rest", ["answers"])],
      call(write, { onAgain }),
    );
    expect([first.tries, routed.routeUsed]).toEqual([3, "rest"]);
    expect(again).toEqual(["not_applied", "not_applied", "not_applied"]);
  });

  it("a write that was applied is never sent again", async () => {
    const first = route("graphql", [fail("SERVER", "then it broke", { outcome: "applied" })]);
    await attemptRoutes(
      [first, route("rest", ["answers"])],
      call({ ...write, isRepeatable: true }),
    );
    expect(first.tries).toBe(1);
  });

  it("a write stays unknown if a later refusal says nothing about the first attempt", async () => {
    const first = route("rest", [
      down("unknown"),
      fail("NOT_FOUND", "gone", { outcome: "not_applied" }),
    ]);
    const routed = await attemptRoutes([first], call({ effect: "write", isRepeatable: true }));
    expect(first.tries).toBe(2);
    expect(routed.error?.details).toMatchObject({ code: "NOT_FOUND", outcome: "unknown" });
  });

  it("a write of unknown outcome succeeds if the verify read finds its result", async () => {
    const first = route("graphql", [down("unknown")]);
    const settle = { settle: foundIt, reads: 0 };
    const routed = await attemptRoutes([first], call(write, { settle }));
    expect(routed.response?.data).toBe("done");
    expect(first.tries).toBe(1);
  });

  it("a refused write is checked by a verify read only if an earlier call may have applied it", async () => {
    const refused = fail("CONFLICT", "exists already", { outcome: "not_applied" });
    const settle = { settle: foundIt, reads: 0 };
    const again = call(write, { settle, isDoubtful: true });
    expect((await attemptRoutes([route("rest", [refused])], again)).response?.data).toBe("done");
    const first = await attemptRoutes([route("rest", [refused])], call(write, { settle }));
    expect(first.error?.details).toMatchObject({ code: "CONFLICT", outcome: "not_applied" });
  });

  it("a write is sent again if the verify read proves that it was not applied", async () => {
    const first = route("graphql", [down("unknown"), "answers"]);
    const settle = { settle: notThere, reads: 0 };
    const routed = await attemptRoutes([first], call(write, { settle }));
    expect([first.tries, routed.response?.data]).toEqual([2, "done"]);
  });
});

describe("wait between attempts", () => {
  it("a retry_after_ms that is longer than the wait budget ends the attempts", async () => {
    const limited = fail("RATE_LIMIT", "slow down", { retry_after_ms: 60_000 });
    const first = route("rest", [limited]);
    const routed = await attemptRoutes([first], call());
    expect(first.tries).toBe(1);
    expect(routed.error?.details.retry_after_ms).toBe(60_000);
  });

  it("a retry_after_ms that is longer than the time to the deadline ends the attempts", async () => {
    const first = route("rest", [fail("RATE_LIMIT", "slow down", { retry_after_ms: 500 })]);
    await attemptRoutes([first], call({ deadline: Date.now() + 100 }));
    expect(first.tries).toBe(1);
  });

  it("an abort ends the wait between two attempts", async () => {
    const controller = new AbortController();
    const first = route("rest", [fail("RATE_LIMIT", "slow down", { retry_after_ms: 10_000 })]);
    const routed = attemptRoutes([first], call({ signal: controller.signal }));
    setTimeout(() => controller.abort(new CallError("ABORTED", "enough")), 10);
    expect((await routed).error?.message).toBe("slow down");
    expect(first.tries).toBe(1);
  });
});
