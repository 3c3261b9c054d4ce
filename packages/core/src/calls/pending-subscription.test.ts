import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import { localEnvelope } from "../envelope/index.ts";
import { defineSubscription } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import { PendingRequestMap, buildCallHandler, inProcessTransport } from "./index.ts";
import type { AnswerEvent, CallEvent, Exchange, SubscribeOptions } from "./index.ts";

interface Numbers {
  readonly map: PendingRequestMap;
  readonly events: CallEvent[];
  produced: number;
  closed: number;
}

/** Serves `test.numbers`, which counts to `count` and then ends, fails or falls silent. */
function numbers(
  count: number,
  then: "end" | "fail" | "hang" = "end",
  transport = inProcessTransport(),
): Numbers {
  const registry = new OperationRegistry();
  const events: CallEvent[] = [];
  const map = new PendingRequestMap({ transport, observe: (event) => events.push(event) });
  const setup: Numbers = { map, events, produced: 0, closed: 0 };
  registry.register(
    defineSubscription({
      id: "test.numbers",
      description: "Counts",
      async *handler() {
        try {
          for (let value = 0; value < count; value++) {
            setup.produced += 1;
            yield value;
          }
          if (then === "fail") throw new Error("out of numbers");
          if (then === "hang") await new Promise(() => {});
        } finally {
          setup.closed += 1;
        }
      },
    }),
  );
  map.serve(buildCallHandler({ registry, callMap: map }));
  return setup;
}

async function taken(map: PendingRequestMap, options: SubscribeOptions = {}): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { data } of map.subscribe("test.numbers", {}, options)) values.push(data);
  return values;
}

describe("PendingRequestMap.subscribe", () => {
  it("a subscription gives every value in order and ends with call.completed", async () => {
    const { map, events } = numbers(40);
    expect(await taken(map, { window: 3 })).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect(events.at(-1)?.type).toBe("call.completed");
    expect(map.size).toBe(0);
  });

  it("a subscription gives the values before a failure, then the failure once, then nothing", async () => {
    const { map } = numbers(2, "fail");
    const values = map.subscribe("test.numbers");
    await sleep(20);
    expect((await values.next()).value).toMatchObject({ data: 0 });
    expect((await values.next()).value).toMatchObject({ data: 1 });
    await expect(values.next()).rejects.toThrow("out of numbers");
    expect(await values.next()).toEqual({ done: true, value: undefined });
  });

  it("a subscription requests no more values than its window before the consumer takes a value", async () => {
    const setup = numbers(Infinity);
    const values = setup.map.subscribe("test.numbers", {}, { window: 4 });
    await expect.poll(() => setup.produced).toBe(4);
    await sleep(20);
    expect(setup.produced).toBe(4);
    await values.next();
    await expect.poll(() => setup.produced).toBe(5);
    await values.return?.();
    await expect.poll(() => setup.closed).toBe(1);
  });

  it.each<SubscribeOptions>([
    { window: 1.5 },
    { window: NaN },
    { window: -1 },
    { window: 0 },
    { window: Infinity },
    { idleTimeout: NaN },
  ])("a subscription refuses the options %j and sends nothing", async (options) => {
    const { map, events } = numbers(3);
    await expect(map.subscribe("test.numbers", {}, options).next()).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { outcome: "not_applied" },
    });
    expect([events, map.size]).toEqual([[], 0]);
  });

  it("a subscription answers several concurrent next() calls in order", async () => {
    const { map } = numbers(2);
    const values = map.subscribe("test.numbers");
    const results = await Promise.all([values.next(), values.next(), values.next(), values.next()]);
    expect(results.map(({ done }) => done)).toEqual([false, false, true, true]);
    expect(results[1]?.value).toMatchObject({ data: 1, meta: { sequence: 1 } });
  });

  it("a consumer that stops ends its waiting next() calls and aborts the producer", async () => {
    const setup = numbers(0, "hang");
    const values = setup.map.subscribe("test.numbers");
    const waiting = values.next();
    expect(await values.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await values.next()).toEqual({ done: true, value: undefined });
    expect(await values.return?.()).toEqual({ done: true, value: undefined });
    await expect.poll(() => setup.events.some((e) => e.type === "call.aborted")).toBe(true);
    expect(setup.map.size).toBe(0);
  });

  it("a consumer that stops gets none of the values already sent", async () => {
    const { map } = numbers(10);
    const values = map.subscribe("test.numbers");
    await sleep(20);
    await values.return?.();
    expect((await values.next()).done).toBe(true);
  });

  it("a subscription without values ends with TIMEOUT after its idle timeout", async () => {
    const setup = numbers(1, "hang");
    await expect(taken(setup.map, { idleTimeout: 50 })).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(setup.map.size).toBe(0);
  });

  it("the idle timeout of a subscription does not run while its consumer is slow", async () => {
    const pass = stopClock();
    const { map } = numbers(5);
    const seen: unknown[] = [];
    const options = { idleTimeout: 60, window: 1 };
    for await (const { data } of map.subscribe("test.numbers", {}, options)) {
      seen.push(data);
      if (seen.length < 3) await pass(120);
    }
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });

  it("a subscription ends at its deadline or when it is aborted", async () => {
    const { map } = numbers(0, "hang");
    const timed = taken(map, { deadline: Date.now() + 30 });
    await expect(timed).rejects.toMatchObject({ code: "TIMEOUT" });
    const aborted = taken(map, { requestId: "r1" });
    map.abort("r1", "enough");
    await expect(aborted).rejects.toMatchObject({ code: "ABORTED", message: "enough" });
  });

  it("a subscription whose request id is in use is refused", async () => {
    const { map } = numbers(0, "hang");
    const first = map.subscribe("test.numbers", {}, { requestId: "r1" });
    await expect(taken(map, { requestId: "r1" })).rejects.toThrow("is in use");
    await first.return?.();
  });

  it("a subscription ignores values after its end", async () => {
    const map = new PendingRequestMap();
    map.serve(async ({ requestId }) => {
      map.respond(requestId, localEnvelope(1, "a.b"));
      map.complete(requestId);
      map.respond(requestId, localEnvelope(2, "a.b"));
    });
    expect(await taken(map)).toEqual([1]);
  });
});

/** Requests values directly, without a map, as any peer may do. */
function asPeer(limits: object): {
  heard: AnswerEvent[];
  exchange: Exchange;
  produced: () => number;
} {
  const transport = inProcessTransport();
  const setup = numbers(Infinity, "end", transport);
  const heard: AnswerEvent[] = [];
  const request = { type: "call.requested", requestId: "r1", operationId: "test.numbers" } as const;
  const hear = (event: AnswerEvent): void => void heard.push(event);
  const exchange = transport.request({ ...request, input: {}, ...limits }, { hear });
  return { heard, exchange, produced: () => setup.produced };
}

describe("limits and credits from a remote peer", () => {
  it.each([{ window: 1.5 }, { window: NaN }, { window: -2 }, { window: "9" }, { deadline: NaN }])(
    "a caller of another process that sends the limits %j gets VALIDATION_ERROR and no values",
    async (limits) => {
      const { heard, produced } = asPeer(limits);
      await expect
        .poll(() => heard)
        .toMatchObject([{ type: "call.error", code: "VALIDATION_ERROR" }]);
      expect(produced()).toBe(0);
    },
  );

  it("a caller of another process gets no values for a credit that is not a positive integer", async () => {
    const { heard, exchange } = asPeer({ window: 2 });
    await expect.poll(() => heard).toHaveLength(2);
    for (const count of [0.5, NaN, -3, Infinity, 0, "5"]) exchange.credit(count as number);
    await sleep(20);
    expect(heard).toHaveLength(2);
    exchange.credit(1);
    await expect.poll(() => heard).toHaveLength(3);
    await sleep(20);
    expect(heard).toHaveLength(3);
    exchange.cancel();
  });
});
