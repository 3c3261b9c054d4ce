import { describe, expect, it } from "vitest";
import { localEnvelope } from "../envelope/index.ts";
import { defineOperation, defineSubscription } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import { loadChecker } from "../schema/index.ts";
import type { Checker } from "../schema/index.ts";
import { CallEventSchema, PendingRequestMap, buildCallHandler } from "./index.ts";
import type { CallEvent } from "./index.ts";

function registry(): OperationRegistry {
  const operations = new OperationRegistry();
  const facts = { description: "", effect: "write" } as const;
  operations.register(
    defineOperation({
      ...facts,
      id: "test.echo",
      input: { type: "object", properties: { a: { type: "integer", default: 1 } } },
      output: { type: "object", required: ["a"], properties: { b: { default: 2 } } },
      access: { any: ["use"] },
      handler: (input) => input as { a: unknown },
    }),
  );
  operations.register(
    defineOperation({
      ...facts,
      id: "test.break",
      handler: () => Promise.reject(new Error("broken")),
    }),
  );
  operations.register(
    defineOperation({ ...facts, id: "test.hang", handler: () => new Promise(() => {}) }),
  );
  operations.register(
    defineSubscription({
      ...facts,
      id: "test.watch",
      async *handler() {
        yield* [1, 2, 3];
      },
    }),
  );
  return operations;
}

/** Records all events while every kind of call is made and served. */
async function passedEvents(): Promise<CallEvent[]> {
  const events: CallEvent[] = [];
  const map = new PendingRequestMap({ observe: (event) => events.push(event) });
  map.serve(buildCallHandler({ registry: registry(), callMap: map }));
  const identity = { id: "ada", scopes: ["use"], resources: { issue: ["*"] } };
  const all = { identity, idempotencyKey: "k", parentRequestId: "p", trace: { traceparent: "0" } };
  const calls = [
    map.call("test.echo", { a: 2 }, { ...all, deadline: Date.now() + 60_000 }),
    map.call("test.echo", { a: "no" }, { identity }),
    map.call("test.echo", {}),
    map.call("test.nothing"),
    map.call("test.break"),
    map.call("test.hang", {}, { deadline: Date.now() + 20 }),
    map.call("test.hang", {}, { requestId: "given-up" }),
    map.call("test.watch"),
  ];
  map.abort("given-up");
  await Promise.allSettled(calls);
  for await (const { data } of map.subscribe("test.watch")) expect(data).toBeTypeOf("number");
  return events;
}

function fits(checker: Checker, event: CallEvent, value: unknown): unknown {
  const compiled = checker.compile(CallEventSchema[event.type]);
  return compiled.check(value) ? [] : [event, compiled.issues(value)];
}

describe("CallEventSchema", () => {
  it("every event of real calls matches its schema, before and after it is sent as JSON", async () => {
    const checker = await loadChecker();
    const events = await passedEvents();
    const types = new Set(events.map(({ type }) => type));
    expect([...types].toSorted()).toEqual(Object.keys(CallEventSchema).toSorted());
    for (const event of events) {
      expect(fits(checker, event, event)).toEqual([]);
      expect(fits(checker, event, JSON.parse(JSON.stringify(event)))).toEqual([]);
    }
  });

  it("the schema of a call event refuses an event with a missing, extra or wrong member", async () => {
    const checker = await loadChecker();
    const output = localEnvelope(1, "a.b");
    const wrong: readonly [keyof typeof CallEventSchema, object][] = [
      ["call.requested", { requestId: "r", operationId: "a.b" }],
      ["call.requested", { requestId: "r", operationId: "a.b", input: 1, trusted: true }],
      ["call.requested", { requestId: "r", operationId: "a.b", input: 1, identity: "root" }],
      ["call.requested", { requestId: "r", operationId: "a.b", input: 1, window: 1.5 }],
      ["call.requested", { requestId: "r", operationId: "a.b", input: 1, window: 0 }],
      ["call.requested", { requestId: "r", operationId: "a.b", input: 1, deadline: 1.5 }],
      ["call.responded", { requestId: "r", output: 1 }],
      ["call.responded", { output }],
      ["call.error", { requestId: "r", code: "OOPS", message: "x" }],
      ["call.aborted", { requestId: "r", reason: 1 }],
      ["call.completed", { requestId: "r", output }],
      ["call.completed", { type: "call.aborted", requestId: "r" }],
    ];
    for (const [type, event] of wrong) {
      expect(checker.compile(CallEventSchema[type]).check({ type, ...event })).toBe(false);
    }
  });
});
