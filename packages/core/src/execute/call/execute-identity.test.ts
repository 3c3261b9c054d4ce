import { describe, expect, it } from "vitest";
import type { Identity, OperationContext } from "../../operation/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { OperationRegistry } from "../index.ts";

const reader: Identity = { id: "reader", scopes: ["read"] };
const admin: Identity = { id: "admin", scopes: ["read", "admin"] };

/**
 * A guarded operation, an open operation that calls it, and a third one that calls the open one.
 */
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
  it("access rules do not apply to a program that calls without an identity", async () => {
    expect((await guarded().execute("secret.show")).data).toBe("the secret");
    expect((await guarded().execute("open.outer")).data).toBe("the secret");
  });

  it("a caller with the required scope has access, and the error for other callers names the scope", async () => {
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

  it("a caller without access is refused before the input is checked", async () => {
    const call = guarded().execute("secret.show", "not even an object", { identity: reader });
    await expect(call).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("nested calls have the access rights of the caller", async () => {
    const registry = guarded();
    expect((await registry.execute("open.outer", {}, { identity: admin })).data).toBe("the secret");
    await expect(registry.execute("open.outer", {}, { identity: reader })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
  });

  it("a caller cannot turn off the access rules of the calls that a handler makes", async () => {
    const options = { identity: reader, trusted: true, internal: true };
    const call = guarded().execute("open.outer", { trusted: true }, options);
    await expect(call).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });
});

describe("context of nested calls", () => {
  it("a nested call gets its own request id, its parent's request id and the trace", async () => {
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

  it("a nested call does not inherit the idempotency key of its parent", async () => {
    const seen: OperationContext[] = [];
    await guarded(seen).execute("open.outer", {}, { idempotencyKey: "k1" });
    expect(seen.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["k1", undefined, undefined]);
  });
});
