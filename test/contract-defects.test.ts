// Regression tests for real faults of the design that these contracts come from.
import {
  OperationRegistry,
  PendingRequestMap,
  buildCallHandler,
  defineOperation,
  localEnvelope,
} from "@waybill/core";
import { inProcessTransport } from "@waybill/core/protocol";
import type { OperationContext } from "@waybill/core";
import type { CallEvent } from "@waybill/core/protocol";
import { describe, expect, it } from "vitest";
import { stopClock } from "./support/stop-clock.ts";

const record = {
  type: "object",
  required: ["id", "total"],
  properties: { id: { type: "string" }, total: { type: "number" } },
} as const;

function answering(value: unknown, facts: object = {}): OperationRegistry {
  const registry = new OperationRegistry();
  const about = { id: "a.b", description: "", output: record as unknown as true };
  registry.register(defineOperation({ ...about, handler: () => value, ...facts }));
  return registry;
}

describe("result pipeline", () => {
  it('the result pipeline returns an error body unchanged, with the conformance "violated"', async () => {
    const { data, meta } = await answering({ error: "not found" }).execute("a.b");
    expect(data).toEqual({ error: "not found" });
    expect(meta.conformance).toBe("violated");
    expect(meta.warnings).toHaveLength(1);
  });

  it("the result pipeline strips extra fields if asked, even from a value that matches the schema", async () => {
    const value = { id: "x", total: 1, extra: true };
    const { data, meta } = await answering(value, { strip: true }).execute("a.b");
    expect(data).toEqual({ id: "x", total: 1 });
    expect(meta).toMatchObject({
      conformance: "exact",
      changes: [{ path: "/extra", edit: "stripped" }],
    });
  });
});

describe("deadline of a caller", () => {
  it("a caller's deadline is passed to events, to the handler's signal and to its context", async () => {
    const contexts: OperationContext[] = [];
    const registry = new OperationRegistry();
    registry.register(
      defineOperation({
        id: "a.hang",
        description: "",
        handler(_input, context) {
          contexts.push(context);
          return new Promise(() => {});
        },
      }),
    );
    const events: CallEvent[] = [];
    const map = new PendingRequestMap({ observe: (event) => events.push(event) });
    map.serve(buildCallHandler({ registry, callMap: map }));
    const pass = stopClock();
    const deadline = Date.now() + 300;
    const call = map.call("a.hang", {}, { deadline, requestId: "r1" });
    const ended = call.catch((error: unknown) => error);
    await expect.poll(() => contexts[0]?.deadline).toBe(deadline);
    await pass(300);
    expect(await ended).toMatchObject({ code: "TIMEOUT" });
    await expect.poll(() => contexts[0]!.signal.aborted).toBe(true);
    expect(contexts[0]!.signal.reason).toMatchObject({ code: "TIMEOUT" });
    expect(events).toContainEqual({ type: "call.aborted", requestId: "r1", reason: "deadline" });
  });
});

describe("peers on one transport", () => {
  it("an answer on a shared transport is delivered only to its caller, and answers of other peers are ignored", async () => {
    const transport = inProcessTransport();
    const heard: CallEvent[] = [];
    const server = new PendingRequestMap({ transport });
    const release: (() => void)[] = [];
    server.serve(async ({ requestId, operationId }) => {
      await new Promise<void>((resolve) => void release.push(resolve));
      server.respond(requestId, localEnvelope("genuine", operationId));
    });
    const peer = new PendingRequestMap({ transport, observe: (event) => heard.push(event) });
    const call = new PendingRequestMap({ transport }).call("a.b", {}, { requestId: "victim" });
    expect(peer.respond("victim", localEnvelope("forged", "a.b"))).toBe(false);
    expect(peer.emitError("victim", "EXECUTION_ERROR", "forged")).toBe(false);
    expect(peer.abort("victim")).toBe(false);
    for (const go of release) go();
    expect((await call).data).toBe("genuine");
    expect(heard).toEqual([]);
  });
});

describe("nested calls", () => {
  it("nested calls are checked with the caller's identity, even if the context claims trust", async () => {
    const registry = new OperationRegistry();
    const facts = { description: "", effect: "read" } as const;
    registry.register(
      defineOperation({
        ...facts,
        id: "secret.show",
        access: { all: ["admin"] },
        handler: () => "the secret",
      }),
    );
    registry.register(
      defineOperation({
        ...facts,
        id: "open.ask",
        handler: (_input, context) => Object.assign(context, { trusted: true }).call("secret.show"),
      }),
    );
    const identity = { id: "reader", scopes: [] };
    await expect(registry.execute("open.ask", {}, { identity })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
    const map = new PendingRequestMap();
    map.serve(buildCallHandler({ registry, callMap: map }));
    for (const options of [{ identity }, {}]) {
      await expect(map.call("open.ask", { trusted: true }, options)).rejects.toMatchObject({
        code: "ACCESS_DENIED",
      });
    }
  });
});
