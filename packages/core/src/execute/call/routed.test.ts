import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../../test/support/stop-clock.ts";
import { prepareCard } from "../../cards/index.ts";
import type { Card, CardRequest } from "../../cards/index.ts";
import { fail, httpEnvelope } from "../../envelope/index.ts";
import type { ResultEnvelope, Route } from "../../envelope/index.ts";
import type { Operation } from "../../operation/index.ts";
import { cardOperation } from "../../router/index.ts";
import type { Attempt, CardRoute, FactSource } from "../../router/index.ts";
import { createWaybill } from "../index.ts";
import type { Waybill, WaybillOptions } from "../index.ts";

const card: Card = {
  capability_id: "repo.view",
  version: "1.0.0",
  description: "Show a repository",
  effect: "read",
  input_schema: {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" } },
  },
  output_schema: {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, stars: { type: "integer" } },
  },
  routing: { preferred: "cli", fallbacks: ["rest"] },
  cli: { use: "rest" },
  rest: { method: "GET", path: "/repos/{name}", output: { name: "name" } },
  include: { counts: { rest: { stars: "stars" } } },
};
const star: Card = {
  ...card,
  capability_id: "repo.star",
  effect: "write",
  routing: { preferred: "rest", fallbacks: [] },
  rest: { method: "POST", path: "/stars/{name}", output: { name: "name" } },
};

type Behaviour = (request: CardRequest, attempt: Attempt) => unknown;

function fake(route: Route, behave: Behaviour): CardRoute {
  return {
    route,
    needs: ["ghAvailable"],
    async send(request, attempt) {
      const data = await behave(request, attempt);
      if (data instanceof Error) throw data;
      return {
        response: httpEnvelope(data, { statusCode: 200, headers: {}, contentType: "" }),
        upstreamRequests: 1,
        rateLimitRemaining: 4_999,
      };
    },
    describe: (request) => ({ request }),
  };
}

const noProgram: FactSource = { facts: async () => ({ ghAvailable: false }), forget: () => {} };

interface Upstreams {
  readonly cli?: Behaviour;
  readonly rest?: Behaviour;
  readonly facts?: FactSource;
}

async function operations({ cli, rest, facts }: Upstreams): Promise<Operation[]> {
  const routes = [
    ...(cli === undefined ? [] : [fake("cli", cli)]),
    ...(rest === undefined ? [] : [fake("rest", rest)]),
  ];
  const kit = { routes, ...(facts !== undefined && { facts }) };
  const prepared = await Promise.all([card, star].map((one) => prepareCard(one)));
  return prepared.map((one) => cardOperation(one, kit));
}

async function waybill(upstreams: Upstreams, options: WaybillOptions = {}) {
  const retry = { baseDelayMs: 0 };
  return createWaybill({ operations: await operations(upstreams), retry, ...options });
}

const repo = { name: "hello", stars: 3 };
const answers: Behaviour = () => repo;
const missing: Behaviour = () => fail("NOT_FOUND", "no such repository");
const odd: Behaviour = () => ({ name: 7 });
const params = { name: "hello" };

describe("answers of a routed call", () => {
  it("a call of a card with routes returns its route and the reason for the route, and no other meta", async () => {
    const one = await waybill({ cli: answers, rest: answers });
    expect(await one.execute("repo.view", params)).toEqual({
      ok: true,
      data: { name: "hello" },
      error: null,
      meta: { capability_id: "repo.view", route_used: "cli", reason: "CARD_PREFERRED" },
    });
  });

  it("a call of a card with routes and the option trace returns attempts, cost, timings and request id", async () => {
    const one = await waybill({ cli: answers, rest: answers });
    const { meta } = await one.execute("repo.view", params, { trace: true });
    expect(meta).toMatchObject({
      request_id: expect.any(String) as unknown,
      attempts: [{ route: "cli", status: "success" }],
      cost: { upstream_requests: 1, rate_limit_remaining: 4_999 },
    });
    expect(meta.timings!.total_ms).toBeGreaterThanOrEqual(0);
  });

  it("a call of a card with routes returns its attempts if it made more than one", async () => {
    const one = await waybill({ cli: answers, rest: answers, facts: noProgram });
    const { meta } = await one.execute("repo.view", params);
    expect(meta).toMatchObject({
      route_used: "rest",
      reason: "CLI_NOT_AVAILABLE",
      attempts: [
        { route: "cli", status: "skipped", error_code: "CLI_NOT_AVAILABLE" },
        { route: "rest", status: "success" },
      ],
    });
  });

  it("a failed call of a card with routes returns its attempts and the last route", async () => {
    const one = await waybill({ cli: missing, rest: answers });
    const { error, meta } = await one.execute("repo.view", params, { trace: true });
    expect(error).toEqual({ code: "NOT_FOUND", message: "no such repository", retryable: false });
    expect(meta).toMatchObject({
      request_id: expect.any(String) as unknown,
      route_used: "cli",
      reason: "PREFERRED_ROUTE_FAILED",
      attempts: [{ route: "cli", status: "error", error_code: "NOT_FOUND" }],
    });
  });

  it("a failed call of a card with routes returns no route if no route was tried", async () => {
    const one = await waybill({ facts: noProgram });
    const { error, meta } = await one.execute("repo.view", params);
    expect(error).toMatchObject({ code: "ADAPTER_UNSUPPORTED", retryable: false });
    expect(meta).not.toHaveProperty("route_used");
    expect(meta.attempts).toMatchObject([{ status: "skipped" }, { status: "skipped" }]);
    const forced = await one.execute("repo.view", params, { route: "mcp" });
    expect(forced.error).toMatchObject({ code: "VALIDATION" });
    expect(forced.meta).not.toHaveProperty("route_used");
    expect(forced.meta).not.toHaveProperty("attempts");
  });

  it("a call with the option route uses only that route of the card", async () => {
    const one = await waybill({ cli: answers, rest: answers });
    const { meta } = await one.execute("repo.view", params, { route: "rest" });
    expect(meta).toMatchObject({ route_used: "rest", reason: "DEFAULT_POLICY" });
  });

  it("a call with the option include adds the requested field groups and refuses unknown groups", async () => {
    const one = await waybill({ rest: answers });
    const { data } = await one.execute("repo.view", params, { include: ["counts"] });
    expect(data).toEqual(repo);
    const { error } = await one.execute("repo.view", params, { include: ["count"] });
    expect(error).toMatchObject({
      code: "VALIDATION",
      details: { issues: [{ path: "/include", did_you_mean: "counts" }] },
    });
  });

  it("a read whose response breaks the output schema tries the next route, or returns the response with a warning", async () => {
    const both = await waybill({ cli: odd, rest: answers });
    expect(await both.execute("repo.view", params)).toMatchObject({
      data: { name: "hello" },
      meta: { route_used: "rest", reason: "PREFERRED_ROUTE_FAILED" },
    });
    const { ok, data, meta } = await (await waybill({ rest: odd })).execute("repo.view", params);
    expect([ok, data]).toEqual([true, { name: 7 }]);
    expect(meta.warnings).toEqual([
      expect.stringContaining("does not match its schema") as unknown,
    ]);
  });

  it("explain of a card lists the preferred and the fallback routes", async () => {
    const one = await waybill({ rest: answers });
    expect(await one.explain("repo.view")).toMatchObject({
      preferred_route: "cli",
      fallback_routes: ["rest"],
    });
  });
});

describe("routed writes", () => {
  it("a write of a card with routes that has an unknown outcome is sent once", async () => {
    let sent = 0;
    const one = await waybill({
      rest: () => {
        sent += 1;
        return fail("NETWORK", "the connection was lost", { outcome: "unknown" });
      },
    });
    const { error, meta } = await one.execute("repo.star", params);
    expect(error).toMatchObject({ retryable: false, details: { outcome: "unknown" } });
    expect([sent, meta.attempts?.length]).toEqual([1, 1]);
  });

  it("a write of a card with routes returns its request id", async () => {
    const { meta } = await (await waybill({ rest: answers })).execute("repo.star", params);
    expect(meta.request_id).toBeTypeOf("string");
  });
});

/** Longer than a deadline of 1 s plus the time that a route gets to end by itself. */
const AFTER_THE_END_MS = 10_000;

/** Calls repo.star and advances the clock past the deadline while the call hangs. */
async function starTooLate(one: Waybill, isHanging: () => boolean): Promise<ResultEnvelope> {
  const pass = stopClock();
  const call = one.execute("repo.star", params, { deadline_ms: 1_000 });
  // The clock must move even for a wait of 0 ms before a second attempt.
  await expect.poll(() => pass(0).then(isHanging)).toBe(true);
  await pass(AFTER_THE_END_MS);
  return call;
}

/** A promise that never settles, and a function that tells whether something waits for it. */
function hanging(): { hang: () => Promise<never>; isHanging: () => boolean } {
  let hangs = 0;
  return {
    hang: () => ((hangs += 1), new Promise(() => {})),
    isHanging: () => hangs > 0,
  };
}

describe("deadline and abort of a routed call", () => {
  it("a route that notices the deadline reports the outcome of the write itself", async () => {
    const { hang, isHanging } = hanging();
    const gaveUp = fail("TIMEOUT", "gave up while connecting", { outcome: "not_applied" });
    // Ends when its signal is aborted, as an adapter would.
    const patient: Behaviour = (_request, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(gaveUp));
        void hang();
      });
    const one = await waybill({ rest: patient });
    const { error, meta } = await starTooLate(one, isHanging);
    expect(error).toMatchObject({ code: "TIMEOUT", details: { outcome: "not_applied" } });
    expect(meta.attempts).toMatchObject([{ route: "rest", status: "error" }]);
  });

  it("a write has an unknown outcome if its route ignores the deadline", async () => {
    const { hang, isHanging } = hanging();
    const one = await waybill({ rest: (_request, { beforeSend }) => beforeSend().then(hang) });
    const { error, meta } = await starTooLate(one, isHanging);
    expect(error).toMatchObject({ code: "TIMEOUT", details: { outcome: "unknown" } });
    expect(meta).not.toHaveProperty("route_used");
  });

  it.each<[string, (hang: () => Promise<never>) => Upstreams]>([
    [
      "the preflight check of the route",
      (hang) => ({ rest: answers, facts: { facts: hang, forget: () => {} } }),
    ],
    ["the preparation of the request", (hang) => ({ rest: hang })],
  ])("a write is not applied if the deadline passes while %s hangs", async (_what, upstreams) => {
    const { hang, isHanging } = hanging();
    const { error } = await starTooLate(await waybill(upstreams(hang)), isHanging);
    expect(error).toMatchObject({
      code: "TIMEOUT",
      retryable: true,
      details: { outcome: "not_applied" },
    });
  });

  it("a write that was reported as not applied is not sent later", async () => {
    const gate = new EventTarget();
    const attempts: Promise<void>[] = [];
    const one = await waybill({
      rest: (_request, { beforeSend }) => {
        const opened = new Promise((resolve) => gate.addEventListener("open", resolve));
        attempts.push(opened.then(beforeSend));
        return attempts[0];
      },
    });
    const { error } = await starTooLate(one, () => attempts.length > 0);
    expect(error?.details).toMatchObject({ outcome: "not_applied" });
    gate.dispatchEvent(new Event("open"));
    await expect(attempts[0]).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("a write stays unknown when the deadline passes if an earlier attempt may have been applied", async () => {
    const { hang, isHanging } = hanging();
    let tries = 0;
    const idempotent = { ...star, idempotent: true };
    const rest = fake("rest", async (_request, { beforeSend }) => {
      if (++tries > 1) return hang();
      await beforeSend();
      return fail("NETWORK", "reset", { outcome: "unknown" });
    });
    const operation = cardOperation(await prepareCard(idempotent), { routes: [rest] });
    const one = createWaybill({ operations: [operation], retry: { baseDelayMs: 0 } });
    const { error } = await starTooLate(one, isHanging);
    expect([tries, error?.details?.["outcome"]]).toEqual([2, "unknown"]);
  });

  it("a write whose signal is aborted before the call is not applied", async () => {
    const one = await waybill({ rest: answers });
    const signal = AbortSignal.abort();
    const { error } = await one.execute("repo.star", params, { signal });
    expect(error).toMatchObject({ code: "CANCELLED", details: { outcome: "not_applied" } });
  });
});

describe("dry run of a routed call", () => {
  it("a dry run of a card with routes shows the request and sends nothing", async () => {
    let sent = 0;
    const one = await waybill({ rest: () => (sent += 1) });
    expect(await one.execute("repo.star", params, { dry_run: true })).toMatchObject({
      ok: true,
      data: { requests: [{ route: "rest", request: { method: "POST", path: "/stars/hello" } }] },
    });
    expect(sent).toBe(0);
  });
});
