import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import { createWaybill, defineOperation, defineSubscription, fail } from "../index.ts";
import { collectEvents } from "../protocol.ts";

async function* count(to: number): AsyncGenerator<number> {
  for (let n = 1; n <= to; n++) yield n;
}

const waybill = createWaybill({
  operations: [
    defineSubscription({
      id: "clock.ticks",
      description: "Counts",
      effect: "read",
      handler: () => count(5),
    }),
    defineSubscription({
      id: "clock.silent",
      description: "Counts one, and then waits",
      effect: "read",
      async *handler() {
        yield 1;
        await new Promise(() => {});
      },
    }),
    defineSubscription({
      id: "clock.broken",
      description: "Breaks",
      effect: "read",
      async *handler() {
        yield 1;
        throw fail("NETWORK", "it broke");
      },
    }),
    defineSubscription({
      id: "clock.late",
      description: "Counts, with a time that it should not have",
      effect: "read",
      output: { type: "object", properties: { n: { type: "integer", maximum: 1 } } },
      async *handler() {
        yield { n: 1 };
        yield { n: 2 };
        yield { n: 2 };
      },
    }),
    defineOperation({
      id: "clock.now",
      description: "The time",
      effect: "read",
      handler: () => 1,
    }),
  ],
});

describe("events of a subscription", () => {
  it("collectEvents returns all events of a subscription that ends", async () => {
    expect(await collectEvents(waybill, "clock.ticks", {})).toEqual({
      events: [1, 2, 3, 4, 5],
      stopped_by: "end",
      warnings: [],
    });
  });

  it("collectEvents stops at its limit and calls onEvent for each event", async () => {
    const told: unknown[] = [];
    const onEvent = (data: unknown, number: number): void => void told.push([data, number]);
    const taken = await collectEvents(waybill, "clock.ticks", {}, { limit: 2, onEvent });
    expect(taken).toEqual({ events: [1, 2], stopped_by: "limit", warnings: [] });
    expect(told).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it("collectEvents stops when max_tokens is reached, but not before the first event", async () => {
    const taken = await collectEvents(waybill, "clock.ticks", {}, { max_tokens: 1 });
    expect(taken).toEqual({ events: [1], stopped_by: "tokens", warnings: [] });
  });

  it("collectEvents returns the events received so far when wait_ms is over", async () => {
    const pass = stopClock();
    const taking = collectEvents(waybill, "clock.silent", {}, { wait_ms: 1_000 });
    await pass(1_000);
    expect(await taking).toEqual({ events: [1], stopped_by: "time", warnings: [] });
  });

  it("collectEvents throws the error of the subscription", async () => {
    await expect(collectEvents(waybill, "clock.broken", {})).rejects.toThrow("it broke");
  });

  it("collectEvents throws for an operation that is not a subscription", async () => {
    await expect(collectEvents(waybill, "clock.now", {})).rejects.toThrow("is not a subscription");
  });

  it("collectEvents throws if its signal is aborted", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(collectEvents(waybill, "clock.silent", {}, { signal })).rejects.toThrow("aborted");
  });
});

describe("warnings of a subscription", () => {
  it("collectEvents returns each warning once, and passes the warnings of each event to onEvent", async () => {
    const found: unknown[] = [];
    const { warnings } = await collectEvents(
      waybill,
      "clock.late",
      {},
      {
        onEvent: (_data, _number, meta) => void found.push(meta.warnings),
      },
    );
    expect(warnings).toHaveLength(1);
    expect(found).toEqual([undefined, warnings, warnings]);
  });
});
