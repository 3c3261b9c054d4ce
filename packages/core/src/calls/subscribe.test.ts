import { runInNewContext } from "node:vm";
import { setFlagsFromString } from "node:v8";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import { z } from "zod";
import { CallError, localEnvelope } from "../envelope/index.ts";
import { AbortNode, defineOperation, defineSubscription } from "../operation/index.ts";
import type { OperationContext, SubscriptionHandler } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import { subscribe } from "./index.ts";
import type { SubscribeOptions } from "./index.ts";

function watching(handler: SubscriptionHandler, facts: object = {}): OperationRegistry {
  const registry = new OperationRegistry();
  const about = { id: "issue.watch", description: "Watches" };
  registry.register(defineSubscription({ ...about, handler, ...facts }));
  return registry;
}

async function taken(
  registry: OperationRegistry,
  input?: unknown,
  options?: SubscribeOptions,
): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { data } of subscribe(registry, "issue.watch", input, options))
    values.push(data);
  return values;
}

async function* three(): AsyncGenerator<number> {
  yield* [1, 2, 3];
}

function forever(): Promise<never> {
  return new Promise(() => {});
}

async function* silent(): AsyncGenerator {
  yield await forever();
}

describe("values of a subscription", () => {
  it("every value of a subscription has an envelope with a sequence number, and an envelope of the handler keeps its other metadata", async () => {
    const own = localEnvelope("mine", "elsewhere.x");
    const registry = watching(async function* () {
      yield "a";
      yield own;
    });
    const envelopes = [];
    for await (const envelope of subscribe(registry, "issue.watch")) envelopes.push(envelope);
    expect(envelopes).toMatchObject([
      { data: "a", meta: { source: "local", operationId: "issue.watch", sequence: 0 } },
      { data: "mine", meta: { operationId: "elsewhere.x", sequence: 1 } },
    ]);
    expect(own.meta).not.toHaveProperty("sequence");
  });

  it("every value of a subscription is checked against the output schema", async () => {
    const registry = watching(three, { output: { type: "integer", maximum: 2 } });
    const found = [];
    for await (const { meta } of subscribe(registry, "issue.watch")) found.push(meta.conformance);
    expect(found).toEqual(["exact", "exact", "violated"]);
  });

  it("the handler of a subscription produces a value only when the consumer requests one", async () => {
    let produced = 0;
    const registry = watching(async function* () {
      for (;;) yield (produced += 1);
    });
    const values = subscribe(registry, "issue.watch");
    expect(produced).toBe(0);
    await values.next();
    await sleep(10);
    expect(produced).toBe(1);
    await values.return();
  });

  it("the input of a subscription is checked by JSON Schema or by the schema library", async () => {
    const plain = watching(three, { input: { type: "object", required: ["number"] } });
    await expect(taken(plain, {})).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const parsed = watching(
      async function* (input) {
        yield input;
      },
      { input: z.object({ number: z.string().transform(Number) }) },
    );
    expect(await taken(parsed, { number: "7" })).toEqual([{ number: 7 }]);
    await expect(taken(parsed, {})).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("a subscription is refused if the caller has no access, or if the operation or its handler does not exist", async () => {
    const registry = watching(three, { access: { all: ["admin"] } });
    const identity = { id: "ada", scopes: [] };
    await expect(taken(registry, {}, { identity })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
    expect(await taken(registry)).toEqual([1, 2, 3]);
    await expect(taken(new OperationRegistry())).rejects.toMatchObject({
      code: "OPERATION_NOT_FOUND",
    });
    const bare = new OperationRegistry();
    bare.registerSpec(registry.getSpec("issue.watch")!);
    await expect(taken(bare)).rejects.toMatchObject({
      message: "No handler registered for operation: issue.watch",
      details: { hint: expect.stringContaining("registerHandler") as unknown },
    });
  });

  it.each([
    ["nothing", () => undefined],
    ["a list", () => [1, 2]],
    ["a promise", async () => three()],
  ])(
    "a subscription fails with a clear error if its handler returns %s",
    async (_what, handler) => {
      const registry = watching(handler as unknown as SubscriptionHandler);
      await expect(taken(registry)).rejects.toMatchObject({
        code: "EXECUTION_ERROR",
        message: expect.stringContaining("issue.watch") as unknown,
      });
    },
  );

  it("a subscription fails with the error that its handler throws", async () => {
    const registry = watching(async function* () {
      yield 1;
      throw "out of paper"; // oxlint-disable-line no-throw-literal
    });
    await expect(taken(registry)).rejects.toMatchObject({ message: "out of paper" });
  });

  it("a subscription to an ordinary operation yields the single answer of the operation", async () => {
    const registry = new OperationRegistry();
    const facts = { id: "issue.watch", description: "" };
    registry.register(defineOperation({ ...facts, handler: () => 7 }));
    const values = subscribe(registry, "issue.watch");
    expect((await values.next()).value).toMatchObject({ data: 7, meta: { sequence: 0 } });
    expect((await values.next()).done).toBe(true);
    const hanging = new OperationRegistry();
    hanging.register(defineOperation({ ...facts, handler: () => new Promise(() => {}) }));
    await expect(taken(hanging, {}, { idleTimeout: 30 })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
    const deadline = Date.now() + 30;
    await expect(taken(hanging, {}, { idleTimeout: 60_000, deadline })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
  });
});

describe("end of a subscription", () => {
  it("a deadline, idle timeout or signal ends a subscription and aborts its handler", async () => {
    const contexts: OperationContext[] = [];
    const registry = watching((_input, context) => {
      contexts.push(context);
      return silent();
    });
    const pass = stopClock();
    const controller = new AbortController();
    const timeOut = async () => controller.abort(new DOMException("late", "TimeoutError"));
    const ends: readonly [SubscribeOptions, () => Promise<void>][] = [
      [{ deadline: Date.now() + 100 }, () => pass(100)],
      [{ idleTimeout: 20 }, () => pass(20)],
      [{ signal: controller.signal }, timeOut],
    ];
    for (const [options, end] of ends) {
      const ended = taken(registry, {}, options).catch((error: unknown) => error);
      await expect.poll(() => contexts).toHaveLength(1);
      await end();
      expect(await ended).toMatchObject({ code: "TIMEOUT" });
      expect(contexts.pop()!.signal.reason).toMatchObject({ code: "TIMEOUT" });
    }
    await expect(taken(registry, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "ABORTED",
    });
    expect(contexts).toEqual([]);
  });

  it("a signal ends a subscription between two values", async () => {
    const controller = new AbortController();
    const values = subscribe(watching(three), "issue.watch", {}, { signal: controller.signal });
    await values.next();
    controller.abort();
    await expect(values.next()).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("the generator of a subscription is closed and its signal aborted when the consumer stops", async () => {
    let closed = 0;
    let signal: AbortSignal | undefined;
    const registry = watching(async function* (_input, context) {
      ({ signal } = context);
      try {
        yield* three();
      } finally {
        closed += 1;
      }
    });
    for await (const { data } of subscribe(registry, "issue.watch")) if (data === 2) break;
    await expect.poll(() => [closed, signal?.aborted]).toEqual([1, true]);
  });

  it("a waiting next() of a subscription ends when the consumer stops, even if the handler ignores its signal", async () => {
    let signal: AbortSignal | undefined;
    const registry = watching((_input, context) => {
      ({ signal } = context);
      return silent();
    });
    const values = subscribe(registry, "issue.watch");
    const waiting = values.next();
    await expect.poll(() => signal).toBeDefined();
    const done = { done: true, value: undefined };
    expect(await values.return()).toEqual(done);
    expect([await waiting, await values.next()]).toEqual([done, done]);
    expect(signal?.reason).toMatchObject({ code: "ABORTED" });
  });

  it("a waiting next() of a subscription ends when the consumer stops, even during a hanging call or input check", async () => {
    const hanging = new OperationRegistry();
    const about = { id: "issue.watch", description: "" };
    hanging.register(defineOperation({ ...about, handler: forever }));
    const unread = watching(three, { input: z.object({}).refine(forever) });
    for (const registry of [hanging, unread]) {
      const values = subscribe(registry, "issue.watch", {});
      const waiting = values.next();
      await sleep(5);
      await values.return();
      expect((await waiting).done).toBe(true);
    }
  });

  it("an aborted parent ends its subscription, and a closed subscription does not abort its parent", async () => {
    class Parent extends AbortNode {
      protected override onAbort(): void {}
    }
    const parent = new Parent();
    const values = subscribe(watching(silent), "issue.watch", {}, { parent });
    const waiting = values.next();
    await subscribe(watching(three), "issue.watch", {}, { parent }).return();
    parent.abort(new CallError("ABORTED", "the parent ended"));
    await expect(waiting).rejects.toThrow("the parent ended");
    const late = subscribe(watching(three), "issue.watch", {}, { parent });
    await expect(late.next()).rejects.toThrow("the parent ended");
  });

  it("a subscription refuses an idle timeout that is not a number", async () => {
    await expect(taken(watching(three), {}, { idleTimeout: NaN })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  it("an error that the consumer throws into a subscription ends it", async () => {
    const values = subscribe(watching(three), "issue.watch");
    await values.next();
    await expect(values.throw(new Error("no more"))).rejects.toThrow("no more");
    expect((await values.next()).done).toBe(true);
  });

  it("a finished subscription is not affected by an iterator that throws when it is closed", async () => {
    const spoilt = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: true, value: undefined }),
        return: () => {
          throw new Error("never");
        },
      }),
    };
    expect(await taken(watching(() => spoilt as AsyncIterable<unknown>))).toEqual([]);
  });

  it("a consumer can stop a subscription even if the handler's iterator fails to close", async () => {
    const stubborn = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: 1 }),
        return: () => Promise.reject(new Error("never")),
      }),
    };
    const registry = watching(() => stubborn as AsyncIterable<unknown>);
    for await (const { data } of subscribe(registry, "issue.watch")) if (data === 1) break;
    expect(registry.size).toBe(1);
  });
});

describe("memory of a long subscription", () => {
  it("a subscription holds no values that its consumer has released", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const refs: WeakRef<object>[] = [];
    const registry = watching(async function* () {
      for (;;) {
        const value = { bulk: Array.from({ length: 100 }, () => 1) };
        refs.push(new WeakRef(value));
        yield value;
      }
    });
    const values = subscribe(registry, "issue.watch");
    for (let count = 0; count < 200; count++) await values.next();
    await sleep(10);
    collect();
    const alive = refs.filter((ref) => ref.deref() !== undefined).length;
    expect(alive).toBeLessThan(20);
    await values.return();
  });
});
