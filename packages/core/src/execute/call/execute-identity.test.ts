import { describe, expect, it } from "vitest";
import type { Identity, OperationContext } from "../../operation/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { OperationRegistry } from "../index.ts";

const reader: Identity = { id: "reader", scopes: ["read"] };
const admin: Identity = { id: "admin", scopes: ["read", "admin"] };

/** A guarded operation, an open one that calls it, and one more around that. */
function guarded(seen: OperationContext[] = []): OperationRegistry {
  const registry = new OperationRegistry();
  const facts = { description: "", effect: "read" } as const;
  registry.register(
    defineOperation({
      ...facts,
      id: "secret.show",
      access: { all: ["admin"] },
      handler(_input, context) {
        seen.push(context);
        return "the secret";
      },
    }),
  );
  registry.register(
    defineOperation({
      ...facts,
      id: "open.middle",
      async handler(_input, context) {
        seen.push(context);
        return (await context.call("secret.show")).data;
      },
    }),
  );
  registry.register(
    defineOperation({
      ...facts,
      id: "open.outer",
      async handler(_input, context) {
        seen.push(context);
        return (await context.env["open"]!["middle"]!()).data;
      },
    }),
  );
  return registry;
}

describe("access", () => {
  it("access is not asked for where the program calls itself", async () => {
    expect((await guarded().execute("secret.show")).data).toBe("the secret");
    expect((await guarded().execute("open.outer")).data).toBe("the secret");
  });

  it("access is given to who has it, and refused with what is missing", async () => {
    const registry = guarded();
    expect((await registry.execute("secret.show", {}, { identity: admin })).data).toBe(
      "the secret",
    );
    await expect(registry.execute("secret.show", {}, { identity: reader })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
      message: "reader may not call secret.show: needs the scope admin",
      details: { outcome: "not_applied" },
    });
  });

  it("access is refused before the input is looked at", async () => {
    const call = guarded().execute("secret.show", "not even an object", { identity: reader });
    await expect(call).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("access is that of the caller in every nested call", async () => {
    const registry = guarded();
    expect((await registry.execute("open.outer", {}, { identity: admin })).data).toBe("the secret");
    await expect(registry.execute("open.outer", {}, { identity: reader })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
  });

  it("access cannot be turned off for what lies below a call", async () => {
    const options = { identity: reader, trusted: true, internal: true };
    const call = guarded().execute("open.outer", { trusted: true }, options);
    await expect(call).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });
});

describe("a nested call", () => {
  it("knows who called, by request id, all the way down", async () => {
    const seen: OperationContext[] = [];
    const trace = { traceparent: "00-1" };
    await guarded(seen).execute("open.outer", {}, { requestId: "top", identity: admin, trace });
    expect(seen.map(({ operationId }) => operationId)).toEqual([
      "open.outer",
      "open.middle",
      "secret.show",
    ]);
    const [outer, middle, secret] = seen;
    expect(outer).toMatchObject({ requestId: "top", parentRequestId: undefined });
    expect(middle!.parentRequestId).toBe("top");
    expect(secret!.parentRequestId).toBe(middle!.requestId);
    expect(new Set(seen.map(({ requestId }) => requestId)).size).toBe(3);
    expect(seen.every((context) => context.trace === trace)).toBe(true);
  });

  it("does not take over an idempotency key that was meant for its caller", async () => {
    const seen: OperationContext[] = [];
    await guarded(seen).execute("open.outer", {}, { idempotencyKey: "k1" });
    expect(seen.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["k1", undefined, undefined]);
  });
});
