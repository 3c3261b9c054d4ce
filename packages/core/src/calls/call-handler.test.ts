import { describe, expect, it } from "vitest";
import { mcpEnvelope } from "../envelope/index.ts";
import { defineOperation, defineSubscription } from "../operation/index.ts";
import type { OperationContext } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import { PendingRequestMap, buildCallHandler } from "./index.ts";

interface Served {
  readonly map: PendingRequestMap;
  readonly registry: OperationRegistry;
  readonly seen: OperationContext[];
}

/** A guarded operation and subscription, and an open operation that calls the guarded one. */
function serve(): Served {
  const registry = new OperationRegistry();
  const seen: OperationContext[] = [];
  const guarded = { description: "", access: { all: ["admin"] } };
  registry.register(
    defineOperation({
      ...guarded,
      id: "secret.show",
      handler(_input, context) {
        seen.push(context);
        return "the secret";
      },
    }),
  );
  registry.register(
    defineSubscription({
      ...guarded,
      id: "secret.watch",
      async *handler() {
        yield "the secret";
      },
    }),
  );
  registry.register(
    defineOperation({
      id: "open.ask",
      description: "",
      async handler(_input, context) {
        seen.push(context);
        return (await context.call("secret.show")).data;
      },
    }),
  );
  const map = new PendingRequestMap();
  map.serve(buildCallHandler({ registry, callMap: map }), () => registry.list());
  return { map, registry, seen };
}

const admin = { id: "admin", scopes: ["admin"] };
const reader = { id: "reader", scopes: [] };

describe("buildCallHandler", () => {
  it("a served call is answered if its caller has the required scope", async () => {
    const { map } = serve();
    expect((await map.call("secret.show", {}, { identity: admin })).data).toBe("the secret");
    expect((await map.call("open.ask", {}, { identity: admin })).data).toBe("the secret");
    const watched = await map.subscribe("secret.watch", {}, { identity: admin }).next();
    expect(watched.value).toMatchObject({ data: "the secret" });
  });

  it.each([
    [
      "a caller without the scope",
      reader,
      "reader may not call secret.show: needs the scope admin",
    ],
    [
      "an anonymous caller",
      undefined,
      "An anonymous caller may not call secret.show: needs the scope admin",
    ],
  ])(
    "a served call is refused to %s, directly and through another operation",
    async (_who, identity, why) => {
      const { map, seen } = serve();
      for (const id of ["secret.show", "open.ask"]) {
        await expect(map.call(id, {}, { identity })).rejects.toMatchObject({
          code: "ACCESS_DENIED",
          message: why,
        });
      }
      await expect(map.subscribe("secret.watch", {}, { identity }).next()).rejects.toMatchObject({
        code: "ACCESS_DENIED",
      });
      expect(seen.map(({ operationId }) => operationId)).toEqual(["open.ask"]);
    },
  );

  it("a served call of a subscription fails and says how to subscribe", async () => {
    const { map } = serve();
    await expect(map.call("secret.watch", {}, { identity: admin })).rejects.toMatchObject({
      message: 'secret.watch is a subscription; use subscribe("secret.watch", …)',
      details: { code: "ADAPTER_UNSUPPORTED" },
    });
  });

  it("the handler of a served call gets the call's request id, parent, identity, deadline, key and trace", async () => {
    const { map, seen } = serve();
    const deadline = Date.now() + 60_000;
    const facts = {
      requestId: "r1",
      parentRequestId: "r0",
      identity: admin,
      deadline,
      idempotencyKey: "k",
      trace: { traceparent: "00" },
    };
    await map.call("secret.show", {}, facts);
    expect(seen[0]).toMatchObject(facts);
  });

  it("a served call fails for an unknown operation, a missing handler and an invalid input", async () => {
    const { map, registry } = serve();
    const { spec } = defineOperation({
      id: "open.spec",
      description: "",
      input: { type: "object", required: ["number"] },
      handler: () => 1,
    });
    registry.registerSpec(spec);
    await expect(map.call("open.aks")).rejects.toMatchObject({
      code: "OPERATION_NOT_FOUND",
      details: { did_you_mean: ["open.ask"] },
    });
    await expect(map.call("open.spec", { number: 1 })).rejects.toMatchObject({
      code: "OPERATION_NOT_FOUND",
      message: "No handler registered for operation: open.spec",
    });
    await expect(map.call("open.spec", {})).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { issues: [{ path: "/number", missing: true }] },
    });
    expect(map.size).toBe(0);
  });

  it("a failure that a tool reports is delivered to a served call as a response, not as an error", async () => {
    const { map, registry } = serve();
    registry.register(
      defineOperation({
        id: "tool.run",
        description: "",
        handler: () => mcpEnvelope([], { isError: true, content: [] }),
      }),
    );
    expect((await map.call("tool.run")).meta).toMatchObject({ source: "mcp", isError: true });
  });

  it("a nested call is aborted when the call that made it is aborted", async () => {
    const { map, registry, seen } = serve();
    registry.register(
      defineOperation({
        id: "slow.inner",
        description: "",
        handler(_input, context) {
          seen.push(context);
          return new Promise(() => {});
        },
      }),
    );
    registry.register(
      defineOperation({
        id: "slow.outer",
        description: "",
        handler: (_input, context) => context.call("slow.inner"),
      }),
    );
    const call = map.call("slow.outer", {}, { requestId: "r1" });
    await expect.poll(() => seen).toHaveLength(1);
    const { signal, parentRequestId } = seen[0]!;
    expect(parentRequestId).toBe("r1");
    map.abort("r1", "enough");
    await expect(call).rejects.toThrow("enough");
    expect(signal.reason).toMatchObject({ code: "ABORTED", message: "enough" });
  });

  it("a call handler serves a subscription even if it gets only the request as argument", async () => {
    const { registry } = serve();
    const map = new PendingRequestMap();
    const handler = buildCallHandler({ registry, callMap: map });
    map.serve((request) => handler(request));
    const values: unknown[] = [];
    for await (const { data } of map.subscribe("secret.watch", {}, { identity: admin })) {
      values.push(data);
    }
    expect(values).toEqual(["the secret"]);
  });
});
