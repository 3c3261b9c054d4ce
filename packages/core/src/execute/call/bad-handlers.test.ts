import { describe, expect, it } from "vitest";
import { PendingRequestMap, buildCallHandler } from "../../calls/index.ts";
import { CallError, fail } from "../../envelope/index.ts";
import type { ResultEnvelope } from "../../envelope/index.ts";
import { createWaybill, OperationRegistry } from "../index.ts";
import { defineOperation } from "../../operation/index.ts";
import type { Operation, OperationHandler } from "../../operation/index.ts";

/** How a call ended: with data, or with an error's code and message. */
type Ending = { readonly data: unknown } | { readonly code: string; readonly message: string };

async function ending(call: Promise<{ readonly data: unknown }>): Promise<Ending> {
  try {
    const { data } = await call;
    return { data };
  } catch (error) {
    expect(error).toBeInstanceOf(CallError);
    const { code, message } = error as CallError;
    return { code, message };
  }
}

function asOperation(handler: OperationHandler, output: boolean | object): Operation {
  const facts = { id: "bad.one", description: "Misbehaves", effect: "read" } as const;
  return defineOperation({ ...facts, output: output as boolean, handler });
}

/** A time limit that no test reaches. */
const GENEROUS_MS = 600_000;
const BRIEF_MS = 20;
const anything = { type: ["object", "array", "string", "number", "null"] };

async function throughRegistry(operation: Operation, deadlineMs?: number): Promise<Ending> {
  const registry = new OperationRegistry();
  registry.register(operation);
  const options = deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
  return ending(registry.execute("bad.one", {}, options));
}

async function throughProtocol(operation: Operation, deadlineMs: number): Promise<Ending> {
  const registry = new OperationRegistry();
  registry.register(operation);
  const callMap = new PendingRequestMap();
  callMap.serve(buildCallHandler({ registry, callMap }));
  const deadline = Date.now() + deadlineMs;
  const end = await ending(callMap.call("bad.one", {}, { deadline }));
  expect(callMap.size).toBe(0);
  return end;
}

async function throughWaybill(
  operation: Operation,
  deadline_ms = GENEROUS_MS,
): Promise<ResultEnvelope> {
  const waybill = createWaybill({ operations: [operation] });
  const traced = await waybill.execute("bad.one", {}, { trace: true, deadline_ms });
  expect(JSON.parse(JSON.stringify(traced))).toEqual(traced);
  const plain = await waybill.execute("bad.one", {}, { deadline_ms });
  expect([plain.ok, plain.error?.code]).toEqual([traced.ok, traced.error?.code]);
  return plain;
}

/** Every way to call an operation, with and without an output schema. */
async function everyWay(handler: OperationHandler, deadlineMs = GENEROUS_MS): Promise<Ending[]> {
  const endings: Ending[] = [];
  for (const output of [true, anything]) {
    const operation = asOperation(handler, output);
    endings.push(await throughRegistry(operation, deadlineMs));
    endings.push(await throughProtocol(operation, deadlineMs));
  }
  return endings;
}

const unreadable = new Proxy(
  {},
  {
    get: () => {
      throw new Error("get");
    },
    has: () => {
      throw new Error("has");
    },
    ownKeys: () => {
      throw new Error("ownKeys");
    },
    getPrototypeOf: () => {
      throw new Error("getPrototypeOf");
    },
    getOwnPropertyDescriptor: () => {
      throw new Error("getOwnPropertyDescriptor");
    },
  },
);

const hanging = (): Promise<never> => new Promise(() => {});

/** An object with a `then` method like a promise, which never calls its callbacks. */
const stalling = (): unknown =>
  new Proxy({}, { get: (_target, key) => (key === "then" ? () => {} : undefined) });

function throwing(what: unknown): OperationHandler {
  return () => {
    throw what;
  };
}

function rejecting(what: unknown): OperationHandler {
  return async () => {
    throw what;
  };
}

describe("errors of a handler", () => {
  const thrown: readonly [string, unknown, string][] = [
    ["a string", "out of paper", "out of paper"],
    ["an empty string", "", "an empty string was thrown"],
    ["null", null, "null was thrown"],
    ["undefined", undefined, "undefined was thrown"],
    ["a symbol", Symbol("why"), "Symbol(why) was thrown"],
    ["a function", () => 1, "a function was thrown"],
    ["an unreadable object", unreadable, "something unreadable was thrown"],
    ["a CallError with an unknown code", new CallError("OOPS" as never, "hm"), "hm"],
  ];

  it.each(thrown)(
    "a call of a handler that throws %s fails with a clear error on every way to call it",
    async (_what, what, message) => {
      for (const handler of [throwing(what), rejecting(what)]) {
        const expected = { code: "EXECUTION_ERROR", message };
        expect(await everyWay(handler)).toEqual([expected, expected, expected, expected]);
        expect(await throughRegistry(asOperation(handler, true))).toEqual(expected);
        const { ok, error } = await throughWaybill(asOperation(handler, true));
        expect(ok).toBe(false);
        expect(error?.code).toBe("UNKNOWN");
        expect(error?.message).toMatch(/^Unexpected failure; look for request \w+ in the log$/);
      }
    },
  );

  it("a call of a handler that throws details that are not JSON keeps the code and message", async () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    for (const partial of [loop, 1n, () => 1, unreadable]) {
      const handler = throwing(fail("CONFLICT", "taken", { partial }));
      const { error } = await throughWaybill(asOperation(handler, true));
      expect(error).toMatchObject({ code: "CONFLICT", message: "taken", retryable: false });
    }
  });
});

describe("handlers that never settle", () => {
  it("a call of a handler that never settles ends with TIMEOUT at the deadline on every way to call it", async () => {
    const endings = await everyWay(hanging, BRIEF_MS);
    expect(endings.map((end) => "code" in end && end.code)).toEqual(Array(4).fill("TIMEOUT"));
    const { error } = await throughWaybill(asOperation(hanging, true), BRIEF_MS);
    expect(error).toMatchObject({ code: "TIMEOUT", retryable: true });
  });

  it("a call of a handler that returns a thenable that never settles ends with TIMEOUT at the deadline", async () => {
    expect(await throughRegistry(asOperation(stalling, true), BRIEF_MS)).toMatchObject({
      code: "TIMEOUT",
    });
    const { error } = await throughWaybill(asOperation(stalling, true), BRIEF_MS);
    expect(error?.code).toBe("TIMEOUT");
  });
});

describe("odd return values of a handler", () => {
  it("a function that a handler returns is passed on inside the process and refused as an agent's answer", async () => {
    const operation = asOperation(() => hanging, true);
    expect(await throughRegistry(operation)).toEqual({ data: hanging });
    const { error } = await throughWaybill(operation);
    expect(error).toMatchObject({
      code: "UNKNOWN",
      message:
        "bad.one returned something that is not JSON: a function is not JSON. Its handler must return plain data",
    });
  });

  it("a cyclic object that a handler returns is passed on inside the process and refused as an agent's answer", async () => {
    const loop: Record<string, unknown> = { name: "loop" };
    loop["self"] = [loop];
    for (const end of await everyWay(() => loop)) expect(end).toEqual({ data: loop });
    const { error } = await throughWaybill(asOperation(() => loop, anything));
    expect(error?.message).toContain("the value contains itself at /self/0");
  });

  it("a call of a handler that returns a cyclic object for a recursive output schema ends with an answer or an error", async () => {
    const loop: Record<string, unknown> = {};
    loop["next"] = loop;
    const output = {
      $ref: "#/$defs/node",
      $defs: { node: { properties: { next: { $ref: "#/$defs/node" } } } },
    };
    const operation = asOperation(() => loop, output);
    const end = await throughRegistry(operation, GENEROUS_MS);
    expect("code" in end ? end.code : end.data).toSatisfy(
      (seen: unknown) => seen === "EXECUTION_ERROR" || seen === loop,
    );
  });

  it("a string of 50 MB that a handler returns is answered whole, or cut to the given budget", async () => {
    const text = "x".repeat(50_000_000);
    for (const end of await everyWay(() => text)) expect(end).toHaveProperty("data.length", 5e7);
    const waybill = createWaybill({ operations: [asOperation(() => ({ text }), true)] });
    const whole = await waybill.execute("bad.one");
    expect(whole.data).toHaveProperty("text.length", 5e7);
    const cut = await waybill.execute("bad.one", {}, { max_tokens: 500 });
    expect(cut.meta.truncated).toBe(true);
    expect(JSON.stringify(cut).length).toBeLessThan(5_000);
  });

  it("an object that a handler returns and that only looks like an envelope is treated as data", async () => {
    const lookAlike = { data: "forged", meta: { source: "local" } };
    for (const end of await everyWay(() => lookAlike)) expect(end).toEqual({ data: lookAlike });
    const { data } = await throughWaybill(asOperation(() => lookAlike, true));
    expect(data).toEqual(lookAlike);
    const result = { ok: true, data: 1, error: null, meta: { capability_id: "x.y" } };
    expect((await throughWaybill(asOperation(() => result, true))).data).toEqual(result);
  });

  it("a call of a handler that returns an object that cannot be read fails with a clear error", async () => {
    for (const end of await everyWay(() => unreadable)) {
      expect(end).toMatchObject({ code: "EXECUTION_ERROR" });
    }
    const operation = asOperation(() => ({ data: 1, meta: unreadable }), true);
    expect(await throughRegistry(operation)).toMatchObject({ code: "EXECUTION_ERROR" });
    const { ok, error } = await throughWaybill(asOperation(() => unreadable, true));
    expect([ok, error?.code]).toEqual([false, "UNKNOWN"]);
    const nested = await throughWaybill(asOperation(() => ({ deep: [unreadable] }), true));
    expect(nested.ok).toBe(false);
  });

  it("a value that JSON lacks is left out of a handler's result with a warning", async () => {
    const value = { big: 1n, when: new Date(0), not: Number.NaN, no: undefined };
    const { data, meta } = await throughWaybill(asOperation(() => value, true));
    expect(data).toEqual({ when: "1970-01-01T00:00:00.000Z" });
    expect(meta.warnings).toEqual([
      "left out bigint at /big: not JSON",
      "left out NaN at /not: not JSON",
    ]);
  });

  it("a call of a handler that returns nothing returns null to an agent", async () => {
    expect((await throughWaybill(asOperation(() => undefined, true))).data).toBeNull();
  });
});
