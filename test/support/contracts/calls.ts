import {
  CallError,
  CallEventSchema,
  OperationRegistry,
  PendingRequestMap,
  buildCallHandler,
  buildEnv,
  createWaybill,
  defineOperation,
  defineSubscription,
  subscribe,
} from "@waybill/core";
import { expect } from "vitest";
import { fits, here, type } from "./promised.ts";
import type { Promised } from "./promised.ts";

function served(): { registry: OperationRegistry; map: PendingRequestMap } {
  const registry = new OperationRegistry();
  registry.register(defineOperation({ id: "a.echo", description: "", handler: (input) => input }));
  registry.register(
    defineOperation({ id: "a.hang", description: "", handler: () => new Promise(() => {}) }),
  );
  registry.register(
    defineSubscription({
      id: "a.count",
      description: "",
      async *handler() {
        yield* [1, 2];
      },
    }),
  );
  const map = new PendingRequestMap();
  map.serve(buildCallHandler({ registry, callMap: map }));
  return { registry, map };
}

async function collected(values: AsyncIterable<{ data: unknown }>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { data } of values) all.push(data);
  return all;
}

export const CALLS: Readonly<Record<string, Promised>> = {
  OperationSpec: type,
  OperationHandler: type,
  SubscriptionHandler: type,
  OperationContext: type,
  OperationEnv: type,
  Identity: type,
  AccessControl: type,
  CallHandler: type,
  CallEventMap: type,
  CallTransport: type,
  defineOperation: {
    from: here,
    differs: "accepts JSON Schema, TypeBox and Standard Schema without conversion",
    shows: () =>
      expect(defineOperation({ id: "a.b", description: "", handler: () => 1 }).spec).toMatchObject({
        effect: "write",
        idempotent: false,
      }),
  },
  OperationRegistry: {
    from: here,
    differs: "validates before it normalises, and checks access only for a call with an identity",
    async shows() {
      const { registry } = served();
      expect(await registry.execute("a.echo", { a: 1 })).toMatchObject({ data: { a: 1 } });
      expect(registry.getSpec("a.echo")?.id).toBe("a.echo");
      expect(registry.getHandler("a.echo")).toBeTypeOf("function");
      expect(registry.list()).toHaveLength(3);
      expect(registry.search("echo")[0]?.operation.id).toBe("a.echo");
    },
  },
  CallError: {
    from: here,
    shows() {
      const cause = new Error("why");
      const error = new CallError("TIMEOUT", "late", { status: 504 }, { cause });
      expect(error).toMatchObject({ code: "TIMEOUT", message: "late", details: { status: 504 } });
      expect(error.cause).toBe(cause);
    },
  },
  PendingRequestMap: {
    from: here,
    differs:
      "delivers an answer only to its requester; respond() throws for anything but an envelope",
    async shows() {
      const { map } = served();
      expect((await map.call("a.echo", { a: 1 })).data).toEqual({ a: 1 });
      expect(await collected(map.subscribe("a.count"))).toEqual([1, 2]);
      expect(() => map.respond("r", 1 as never)).toThrow(TypeError);
      expect([map.emitError("r", "TIMEOUT", ""), map.complete("r")]).toEqual([false, false]);
      const call = map.call("a.hang", {}, { requestId: "r" });
      expect(map.abort("r")).toBe(true);
      await expect(call).rejects.toMatchObject({ code: "ABORTED" });
    },
  },
  buildCallHandler: {
    from: here,
    differs: "a request without an identity has no rights, and neither have its nested calls",
    shows: () =>
      expect(served().map.call("no.such")).rejects.toMatchObject({
        code: "OPERATION_NOT_FOUND",
      }),
  },
  CallEventSchema: {
    from: here,
    differs: "the request of a subscription limits how many unread values the server sends",
    async shows() {
      const event = { type: "call.aborted", requestId: "r", reason: "enough" };
      expect(Object.keys(CallEventSchema)).toHaveLength(5);
      expect(await fits(CallEventSchema["call.aborted"], event)).toBe(true);
    },
  },
  subscribe: {
    from: here,
    differs:
      "numbers its values, slows down a producer that is too fast, and ends if no value comes in time",
    shows: async () =>
      expect(await collected(subscribe(served().registry, "a.count"))).toEqual([1, 2]),
  },
  buildEnv: {
    from: here,
    async shows() {
      const env = buildEnv(served().registry);
      expect((await env["a"]!["echo"]!({ b: 1 })).data).toEqual({ b: 1 });
      expect((await env.call("a.echo", { c: 2 })).data).toEqual({ c: 2 });
    },
  },
  createWaybill: {
    from: here,
    differs: "new: the entry for agents",
    shows: async () => expect((await createWaybill().execute("no.such")).ok).toBe(false),
  },
};
