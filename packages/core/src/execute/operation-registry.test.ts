import { describe, expect, it } from "vitest";
import { CallError, localEnvelope } from "../envelope/index.ts";
import { defineOperation, defineSubscription } from "../operation/index.ts";
import type { JsonSchema } from "../envelope/index.ts";
import type { OperationHandler } from "../operation/index.ts";
import { OperationRegistry } from "./index.ts";

const input: JsonSchema = {
  type: "object",
  required: ["number"],
  properties: { number: { type: "integer" }, state: { enum: ["open", "closed"], default: "open" } },
};

function registryWith(handler: OperationHandler, facts: object = {}): OperationRegistry {
  const registry = new OperationRegistry();
  registry.register(defineOperation({ id: "issue.view", description: "", handler, ...facts }));
  return registry;
}

const echo = (given: unknown): unknown => given;

function broken(): never {
  throw new Error("broken");
}

/** A promise of another library: an object or a function with a `then` method. */
function thenable(base: object, value: unknown): unknown {
  const then = (done: (value: unknown) => void): void => done(value);
  return new Proxy(base, { get: (_target, key) => (key === "then" ? then : undefined) });
}

describe("OperationRegistry.execute", () => {
  it("execute of a registry passes the checked input to the handler and wraps the answer in an envelope", async () => {
    const registry = registryWith((given) => given, { input });
    const first = await registry.execute("issue.view", { number: 1 });
    const second = await registry.execute("issue.view", { number: 2, state: "closed" });
    expect(first).toMatchObject({
      data: { number: 1, state: "open" },
      meta: {
        source: "local",
        operationId: "issue.view",
        timestamp: expect.any(Number) as unknown,
      },
    });
    expect(second.data).toEqual({ number: 2, state: "closed" });
  });

  it("execute of a registry reports every issue of a wrong input by its pointer, and does not run the handler", async () => {
    let runs = 0;
    const registry = registryWith(() => (runs += 1), { input });
    const call = registry.execute("issue.view", { number: "one", state: "opne" });
    await expect(call).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("Invalid input for issue.view: /number must be") as unknown,
      details: {
        outcome: "not_applied",
        issues: [
          { path: "/number", message: "must be integer, not string" },
          { path: "/state", allowed: ["open", "closed"], did_you_mean: "open" },
        ],
      },
    });
    await expect(registry.execute("issue.view")).rejects.toMatchObject({
      details: { issues: [{ path: "/number", missing: true }] },
    });
    expect(runs).toBe(0);
  });

  it("the error of execute for a wrong input has its first three issues and the number of other issues", async () => {
    const properties = Object.fromEntries(["a", "b", "c", "d", "e"].map((key) => [key, false]));
    const registry = registryWith(() => 1, {
      input: { type: "object", required: Object.keys(properties), properties },
    });
    await expect(registry.execute("issue.view")).rejects.toThrow(/; .*; .*, and 2 more$/);
  });

  it("execute converts a number that is given as text", async () => {
    const registry = registryWith((given) => given, { input });
    const { data } = await registry.execute("issue.view", { number: "7" });
    expect(data).toMatchObject({ number: 7 });
  });

  it("execute refuses an unknown input with the nearest name", async () => {
    const registry = registryWith((given) => given, { input });
    await expect(registry.execute("issue.view", { number: 7, stat: 1 })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { issues: [{ path: "/stat", did_you_mean: "state" }] },
    });
  });

  it("execute accepts handlers that return a value, a promise or another thenable", async () => {
    const three = Promise.resolve(3);
    for (const [handler, data] of [
      [() => 1, 1],
      [async () => 2, 2],
      [() => thenable({}, three), 3],
      [() => thenable(() => 0, three), 3],
    ] as const) {
      const registry = registryWith(handler);
      expect((await registry.execute("issue.view")).data).toBe(data);
      const options = { deadline: Date.now() + 60_000 };
      expect((await registry.execute("issue.view", {}, options)).data).toBe(data);
    }
  });

  it("execute returns a handler's own envelope unchanged", async () => {
    const own = localEnvelope({ title: "Hello" }, "elsewhere.view");
    const registry = registryWith(() => own);
    expect(await registry.execute("issue.view")).toBe(own);
  });

  it("a failed write of a registry has an unknown outcome, and a failed read has no outcome", async () => {
    const write = await registryWith(broken)
      .execute("issue.view")
      .catch((e: unknown) => e);
    const read = await registryWith(broken, { effect: "read" })
      .execute("issue.view")
      .catch((e: unknown) => e);
    expect(write).toMatchObject({ code: "EXECUTION_ERROR", details: { outcome: "unknown" } });
    expect(write).toHaveProperty("cause.message", "broken");
    expect(read).toMatchObject({ code: "EXECUTION_ERROR", details: {} });
    const sure = new CallError("EXECUTION_ERROR", "no", { outcome: "not_applied" });
    const known = registryWith(() => Promise.reject(sure)).execute("issue.view");
    await expect(known).rejects.toBe(sure);
  });

  it("execute refuses a subscription and says how to subscribe", async () => {
    const registry = new OperationRegistry();
    registry.register(
      defineSubscription({
        id: "issue.watch",
        description: "",
        async *handler() {
          yield 1;
        },
      }),
    );
    await expect(registry.execute("issue.watch")).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
      message: expect.stringContaining('use subscribe("issue.watch"') as unknown,
      details: { code: "ADAPTER_UNSUPPORTED" },
    });
  });

  it("call() of a registry returns what execute() returns", async () => {
    const registry = registryWith((given) => given);
    expect((await registry.call("issue.view", { a: 1 })).data).toEqual({ a: 1 });
  });
});

describe("unusable and impossible schemas", () => {
  const unusable: JsonSchema = { type: "object", properties: { a: { $ref: "#/$defs/gone" } } };

  it("an operation with an unusable input schema fails in every call and never runs", async () => {
    const registry = registryWith(() => 1, { input: unusable });
    for (let round = 0; round < 2; round++) {
      await expect(registry.execute("issue.view")).rejects.toMatchObject({
        message: expect.stringContaining("its input schema is invalid") as unknown,
        details: { code: "ADAPTER_UNSUPPORTED", outcome: "not_applied" },
      });
    }
  });

  it("an operation with an unusable output schema returns a warning in every call", async () => {
    const registry = registryWith(() => 1, { output: unusable });
    for (let round = 0; round < 2; round++) {
      const { data, meta } = await registry.execute("issue.view");
      expect(data).toBe(1);
      expect(meta.warnings).toEqual([
        expect.stringContaining("The output was not checked") as unknown,
      ]);
      expect(meta.conformance).toBeUndefined();
    }
  });

  it("the input schema false refuses every input", async () => {
    const registry = registryWith(() => 1, { input: false });
    await expect(registry.execute("issue.view")).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });
});

describe("options of the schema cache", () => {
  it("a registry with a schema cache of one schema still checks every input and output", async () => {
    const registry = new OperationRegistry({ schemas: { limit: 1 } });
    for (const key of ["a", "b", "c"]) {
      const schema: JsonSchema = { type: "object", required: [key] };
      const id = `keep.${key}`;
      registry.register(
        defineOperation({ id, description: "", input: schema, output: schema, handler: echo }),
      );
    }
    for (let round = 0; round < 3; round++) {
      for (const key of ["a", "b", "c"]) {
        const good = await registry.execute(`keep.${key}`, { [key]: round });
        expect(good.meta.conformance).toBe("exact");
        await expect(registry.execute(`keep.${key}`, { x: 1 })).rejects.toMatchObject({
          code: "VALIDATION_ERROR",
          details: { issues: [{ path: `/${key}` }] },
        });
      }
    }
  });

  it("a registry checks inputs even if schemas are interpreted instead of compiled", async () => {
    const registry = new OperationRegistry({ schemas: { interpreted: true } });
    registry.register(
      defineOperation({ id: "a.b", description: "", input, handler: (given) => given }),
    );
    expect((await registry.execute("a.b", { number: 1 })).data).toMatchObject({ number: 1 });
    await expect(registry.execute("a.b", { number: "one" })).rejects.toThrow("/number");
  });
});
