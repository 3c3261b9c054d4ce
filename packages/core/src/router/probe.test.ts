import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import { prepareCard } from "../cards/index.ts";
import type { Card, CardRequest, CardVerify } from "../cards/index.ts";
import { fail, localEnvelope } from "../envelope/index.ts";
import type { OperationContext } from "../operation/index.ts";
import { now } from "./moment.ts";
import { uncounted } from "./request-count.ts";
import type { CardRoute } from "./route.ts";
import { settlerFor } from "./settle.ts";

const text = "query Pull { pull { isMerged } }";
const documents = {
  Pull: { operationName: "Pull", kind: "query", text, variables: [] },
} as const;

/** A pull request is in the requested state if its merge commit has two parents. */
const rest: CardVerify["rest"] = {
  path: "/pulls/{number}",
  container: "/repository",
  second: "/commits/{merged && sha || `null`}",
  value: { isMerged: "length(second.parents || `[]`) == `2`", by: "first.by" },
};
const graphql: CardVerify["graphql"] = {
  document: "Pull",
  value: { from: "pull", fields: { isMerged: "isMerged" } },
};

function card(verify: Partial<CardVerify>): Card {
  return {
    capability_id: "pr.merge",
    version: "1.0.0",
    description: "Merge a pull request",
    effect: "write",
    input_schema: { type: "object", properties: { number: { type: "integer" } } },
    output_schema: { type: "object" },
    routing: { preferred: "rest", fallbacks: [] },
    rest: { method: "PUT", path: "/pulls/{number}/merge", output: { id: "id" } },
    verify: { kind: "state", same: { isMerged: true }, ...verify },
  };
}

type Answers = Readonly<Record<string, unknown>>;

function requestName(request: CardRequest): string {
  return request.kind === "rest" ? request.path : request.kind;
}

/**
 * Finds out whether a lost merge was applied. An error among the answers is thrown, and a
 * missing answer is a 404.
 */
async function settle(verify: Partial<CardVerify>, answers: Answers, deadline?: number) {
  const sent: string[] = [];
  const deadlines: unknown[] = [];
  const route = (name: "graphql" | "rest"): CardRoute => ({
    route: name,
    needs: [],
    describe: () => ({}),
    async send(request, attempt) {
      sent.push(requestName(request));
      const found = answers[requestName(request)];
      deadlines.push(attempt.deadline);
      if (found instanceof Error) throw found;
      if (found === undefined) throw fail("NOT_FOUND", "Not Found");
      return { response: localEnvelope(found, "pr.merge"), upstreamRequests: 1 };
    },
  });
  const { signal } = new AbortController();
  const context = { signal, deadline } as unknown as OperationContext;
  const prepared = await prepareCard(card(verify), documents);
  const kit = { routes: [route("graphql"), route("rest")] };
  const scope = { params: { number: 7 }, env: {} };
  const settler = settlerFor({ card: prepared, scope, context, kit })!;
  const lost = fail("NETWORK", "lost", { outcome: "unknown" });
  const { outcome } = await settler.settle(lost, now(), "rest");
  return { outcome, sent, deadlines, reads: settler.reads };
}

const MERGED = { merged: true, sha: "abc", by: "ada" };
const COMMIT = { parents: [{}, {}] };

describe("probe with a second request", () => {
  it("a verify read builds the path of its second request from the first answer and compares both answers", async () => {
    const answers = { "/pulls/7": MERGED, "/commits/abc": COMMIT };
    const { outcome, sent } = await settle({ rest }, answers);
    expect([outcome, sent]).toEqual(["applied", ["/pulls/7", "/commits/abc"]]);
  });

  it("a verify read sends no second request if the first answer has no value for the path", async () => {
    const { outcome, sent } = await settle({ rest }, { "/pulls/7": { merged: false } });
    expect([outcome, sent]).toEqual(["unknown", ["/pulls/7"]]);
  });

  it("a verify read requests the container of an object if the object is missing", async () => {
    const { sent } = await settle({ rest }, { "/repository": {} });
    expect(sent).toEqual(["/pulls/7", "/repository"]);
  });

  it("a verify read starts with the API that needs two requests and falls back to the API that needs one", async () => {
    const answers = { "/pulls/7": fail("NETWORK", "down"), graphql: { pull: { isMerged: true } } };
    const { outcome, sent } = await settle({ rest, graphql }, answers);
    expect([outcome, sent]).toEqual(["applied", ["/pulls/7", "graphql"]]);
  });

  it("a verify read sends two requests if the rate limit of the other API stopped its request before sending", async () => {
    const limited = uncounted(fail("RATE_LIMIT", "limited"));
    const answers = { graphql: limited, "/pulls/7": MERGED, "/commits/abc": COMMIT };
    const verify = { graphql, rest: { ...rest, fallback: true } };
    const { outcome, sent, reads } = await settle(verify, answers);
    expect([outcome, reads]).toEqual(["applied", 2]);
    expect(sent).toEqual(["graphql", "/pulls/7", "/commits/abc"]);
  });

  it("a verify read leaves the outcome unknown rather than send a third request", async () => {
    const answers = { graphql: fail("NETWORK", "down"), "/pulls/7": MERGED };
    const verify = { graphql, rest: { ...rest, fallback: true } };
    const { outcome, reads } = await settle(verify, answers);
    expect([outcome, reads]).toEqual(["unknown", 2]);
  });
});

describe("probe over two APIs", () => {
  const short: CardVerify["rest"] = { path: "/pulls/{number}", value: { isMerged: "merged" } };

  it("a verify read uses an API that is marked as fallback last, even if the other API lost the response", async () => {
    const verify = { graphql: { ...graphql, fallback: true }, rest: short };
    const { sent } = await settle(verify, { "/pulls/7": MERGED });
    expect(sent).toEqual(["/pulls/7"]);
  });

  it("a verify read leaves half of the time for the second API if the first API does not answer", async () => {
    const answers = { graphql: fail("TIMEOUT", "no answer"), "/pulls/7": MERGED };
    const deadline = Date.now() + 600_000;
    const { outcome, deadlines } = await settle({ graphql, rest: short }, answers, deadline);
    expect(outcome).toBe("applied");
    expect(deadlines[0]).toBeLessThan(deadline - 200_000);
    expect(deadlines[1]).toBe(deadline);
  });
});

describe("the read before a write", () => {
  const before: Partial<CardVerify> = { kind: "created", before: "id" };
  const short = { path: "/pulls", value: { isMerged: "merged" } };
  const down = { graphql: fail("NETWORK", "down"), "/pulls": fail("NETWORK", "down") };

  async function waits(verify: Partial<CardVerify>, deadlineMs?: number): Promise<unknown[]> {
    stopClock();
    const start = Date.now();
    const deadline = deadlineMs === undefined ? undefined : start + deadlineMs;
    const { deadlines } = await settle({ ...before, ...verify }, down, deadline);
    const reads = Object.keys(verify).length;
    return deadlines.slice(0, reads).map((until) => Number(until) - start);
  }

  it.each([
    ["10 seconds if one API can be read", { rest: short }, [10_000]],
    ["10 seconds for each of two APIs", { graphql, rest: short }, [10_000, 20_000]],
  ])(
    "the read that prepares the verification of a write takes at most %s",
    async (_what, verify, expected) => {
      expect(await waits(verify)).toEqual(expected);
    },
  );

  it.each([
    ["one API", { rest: short }, [5_000]],
    ["two APIs", { graphql, rest: short }, [2_500, 5_000]],
  ])(
    "the read that prepares the verification of a write takes at most a third of the deadline with %s",
    async (_what, verify, expected) => {
      expect(await waits(verify, 15_000)).toEqual(expected);
    },
  );
});
