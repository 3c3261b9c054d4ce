import { type } from "arktype";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { OperationRegistry } from "../execute/index.ts";
import { attachSource, localSource } from "../source/index.ts";
import { defineOperation, defineSubscription, isRepeatable, splitId } from "./index.ts";
import type { Operation } from "./index.ts";

const handler = (): string => "done";

function define(facts: object): Operation {
  return defineOperation({ id: "a.b", description: "", handler, ...facts });
}

describe("defineOperation", () => {
  it("defineOperation makes an operation a write by default", () => {
    const { spec } = defineOperation({ id: "issue.close", description: "Closes", handler });
    expect(spec).toEqual({
      id: "issue.close",
      description: "Closes",
      effect: "write",
      idempotent: false,
      kind: "call",
      inputSchema: { type: "object", additionalProperties: true },
      outputSchema: true,
    });
  });

  it("defineOperation keeps the given access, aliases, notes and flags", () => {
    const facts = {
      access: { all: ["repo"] },
      aliases: { number: ["nr"] },
      strip: true,
      exposed: false,
      notes: ["Slow"],
    };
    const { spec } = defineOperation({
      id: "issue.close",
      description: "Closes",
      effect: "destructive",
      idempotent: true,
      ...facts,
      handler,
    });
    expect(spec).toMatchObject({ ...facts, effect: "destructive", idempotent: true });
  });

  it("an operation is repeatable if it is a read or marked idempotent", () => {
    const read = defineOperation({ id: "a.b", description: "", effect: "read", handler });
    const write = defineOperation({ id: "a.b", description: "", effect: "write", handler });
    const put = defineOperation({ id: "a.b", description: "", idempotent: true, handler });
    expect([read, write, put].map(({ spec }) => isRepeatable(spec))).toEqual([true, false, true]);
  });

  it.each(["", "view", ".view", "issue.", "issue..view", "issue view.x", "a.b\n", "a/b.c"])(
    "defineOperation refuses the id %j",
    (id) => {
      expect(() => defineOperation({ id, description: "", handler })).toThrow(/operation id/);
    },
  );

  it.each(["issue.view", "pr.merge.status", "stripe.customers.create", "a-b.c_d", "x.2"])(
    "defineOperation accepts the id %s",
    (id) => {
      expect(defineOperation({ id, description: "", handler }).spec.id).toBe(id);
    },
  );

  it("defineOperation refuses an id that is too long or not a string", () => {
    const long = `a.${"b".repeat(300)}`;
    expect(() => defineOperation({ id: long, description: "", handler })).toThrow(TypeError);
    const id = 7 as unknown as string;
    expect(() => defineOperation({ id, description: "", handler })).toThrow('"7" is not');
  });

  it("defineOperation refuses an unknown effect and an invalid schema", () => {
    const effect = "harmless" as "read";
    expect(() => define({ effect })).toThrow('"harmless" is not an effect');
    expect(() => define({ input: "text" })).toThrow("a schema must be a JSON Schema");
  });

  it("an operation id is split into namespace and name at the last dot", () => {
    expect(splitId("pr.merge.status")).toEqual({ namespace: "pr.merge", name: "status" });
    expect(splitId("view")).toEqual({ namespace: "", name: "view" });
  });

  it("defineSubscription creates a spec of the kind subscription", () => {
    const { spec } = defineSubscription({
      id: "issue.watch",
      description: "Watches",
      async *handler() {
        yield 1;
      },
    });
    expect(spec.kind).toBe("subscription");
  });
});

const inputs: readonly [string, Operation][] = [
  [
    "plain JSON Schema",
    defineOperation({
      id: "math.half",
      description: "Halves",
      input: { type: "object", required: ["value"], properties: { value: { type: "number" } } },
      handler: ({ value }) => value / 2,
    }),
  ],
  [
    "TypeBox",
    defineOperation({
      id: "math.half",
      description: "Halves",
      input: Type.Object({ value: Type.Number() }),
      handler: ({ value }) => value / 2,
    }),
  ],
  [
    "zod",
    defineOperation({
      id: "math.half",
      description: "Halves",
      input: z.object({ value: z.number() }),
      handler: ({ value }) => value / 2,
    }),
  ],
  [
    "arktype",
    defineOperation({
      id: "math.half",
      description: "Halves",
      input: type({ value: "number" }),
      handler: ({ value }) => value / 2,
    }),
  ],
];

describe.each(inputs)("inputs described by %s", (_library, operation) => {
  it("an operation with a schema of a schema library refuses an invalid input with its pointer", async () => {
    const registry = new OperationRegistry();
    registry.register(operation);
    expect((await registry.execute("math.half", { value: 8 })).data).toBe(4);
    await expect(registry.execute("math.half", { value: "eight" })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { issues: [{ path: "/value" }], outcome: "not_applied" },
    });
  });

  it("the spec of an operation with a schema of a schema library contains the input as JSON Schema", () => {
    expect(operation.spec.inputSchema).toMatchObject({
      type: "object",
      required: ["value"],
      properties: { value: { type: "number" } },
    });
  });
});

describe("schema libraries that transform", () => {
  const trim = defineOperation({
    id: "text.length",
    description: "Counts letters",
    input: z.object({ text: z.string().transform((text) => text.trim()) }),
    output: z.object({ length: z.number() }),
    handler: ({ text }) => ({ length: text.length }),
  });

  it("the handler of an operation gets the input as its schema library transforms it", async () => {
    const registry = new OperationRegistry();
    registry.register(trim);
    const { data, meta } = await registry.execute(trim, { text: "  ada " });
    expect(data).toEqual({ length: 3 });
    expect(meta.conformance).toBe("exact");
  });

  it("the handler of an operation of a source gets the input as its schema library transforms it", async () => {
    const registry = new OperationRegistry();
    await attachSource(registry, localSource("text", [trim]));
    expect((await registry.execute("text.length", { text: "  ada " })).data).toEqual({ length: 3 });
  });

  it("defineOperation refuses a schema library that cannot export JSON Schema", () => {
    const mute = { "~standard": { version: 1, vendor: "mute", validate: () => ({ value: 1 }) } };
    expect(() => define({ input: mute })).toThrow("the mute schema has no JSON Schema");
  });
});
