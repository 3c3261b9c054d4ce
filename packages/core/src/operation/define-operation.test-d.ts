import { type } from "arktype";
import { Type } from "typebox";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { localEnvelope } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import { defineOperation, defineSubscription } from "./index.ts";
import type { Infer, InferCaller, Operation, OperationContext } from "./index.ts";

const registry = new OperationRegistry();
const about = { id: "issue.view", description: "Shows an issue" };
const number = { type: "number" } as const;
const optional = { type: "object", properties: { number: { type: "integer" } } } as const;

describe("types of a handler", () => {
  it("a handler has the types of its operation's JSON Schema literal", () => {
    const view = defineOperation({
      ...about,
      input: {
        type: "object",
        required: ["number"],
        properties: {
          number: { type: "integer" },
          state: { enum: ["open", "closed"] },
          labels: { type: "array", items: { type: "string" } },
        },
      },
      output: { type: "object", required: ["title"], properties: { title: { type: "string" } } },
      handler(input, context) {
        expectTypeOf(input.number).toEqualTypeOf<number>();
        expectTypeOf(input.state).toEqualTypeOf<"open" | "closed" | undefined>();
        expectTypeOf(input.labels).toEqualTypeOf<string[] | undefined>();
        expectTypeOf(context).toEqualTypeOf<OperationContext>();
        return { title: "Hello" };
      },
    });
    const answer = registry.execute(view, { number: 1 });
    expectTypeOf(answer).resolves.toExtend<ResponseEnvelope<{ title: string }>>();
  });

  it("a handler has the types of its operation's TypeBox schema", () => {
    const view = defineOperation({
      ...about,
      input: Type.Object({ number: Type.Integer(), body: Type.Optional(Type.String()) }),
      output: Type.Array(Type.String()),
      handler(input) {
        expectTypeOf(input.number).toEqualTypeOf<number>();
        expectTypeOf(input.body).toEqualTypeOf<string | undefined>();
        return Promise.resolve(["a"]);
      },
    });
    expectTypeOf(view).toExtend<Operation<{ number: number }, string[]>>();
  });

  it("a handler has the transformed type of a zod schema, and its caller the type before the transformation", () => {
    const view = defineOperation({
      ...about,
      input: z.object({ number: z.string().transform(Number) }),
      handler(input) {
        expectTypeOf(input).toEqualTypeOf<{ number: number }>();
        return 1;
      },
    });
    expectTypeOf(view).toEqualTypeOf<Operation<{ number: string }>>();
    // @ts-expect-error The caller passes what goes into the transformation.
    void registry.execute(view, { number: 1 });
  });

  it("a handler has the types of its operation's arktype schema", () => {
    const view = defineOperation({
      ...about,
      input: type({ number: "number", "body?": "string" }),
      handler(input) {
        expectTypeOf(input.number).toEqualTypeOf<number>();
        expectTypeOf(input.body).toEqualTypeOf<string | undefined>();
        return null;
      },
    });
    expectTypeOf(view).toEqualTypeOf<Operation<{ number: number; body?: string }>>();
  });

  it("a handler of an operation without schemas has open types", () => {
    const any = defineOperation({ ...about, handler: () => 1 });
    expectTypeOf(registry.execute(any, {})).resolves.toEqualTypeOf<ResponseEnvelope>();
    expectTypeOf<Infer<true>>().toEqualTypeOf<unknown>();
    expectTypeOf<InferCaller<{ type: "string" }>>().toEqualTypeOf<string>();
  });

  it("a handler may return an envelope of its output type", () => {
    const view = defineOperation({
      ...about,
      output: number,
      handler: () => localEnvelope(1, "issue.view"),
    });
    expectTypeOf(view).toEqualTypeOf<Operation<unknown, number>>();
    // @ts-expect-error The envelope holds something else.
    defineOperation({ ...about, output: number, handler: () => localEnvelope("one", "a.b") });
  });

  it("a handler of a subscription yields values of the output type", () => {
    const watch = defineSubscription({
      ...about,
      output: number,
      async *handler() {
        yield 1;
      },
    });
    expectTypeOf(watch).toEqualTypeOf<Operation<unknown, number>>();
    defineSubscription({
      ...about,
      output: number,
      // @ts-expect-error Yields what the schema does not describe.
      async *handler() {
        yield "one";
      },
    });
    // @ts-expect-error A subscription yields; it does not return.
    defineSubscription({ ...about, handler: () => 1 });
  });
});

describe("code that does not compile", () => {
  it("a handler that reads an undeclared or possibly missing input does not compile", () => {
    // @ts-expect-error There is no title in the input.
    defineOperation({ ...about, input: optional, handler: ({ title }) => title });
    // @ts-expect-error The number may be missing.
    defineOperation({ ...about, input: optional, handler: (input) => input.number + 1 });
    const fine = defineOperation({ ...about, input: optional, handler: (input) => input.number });
    expectTypeOf(fine).toExtend<Operation<{ number?: number }>>();
  });

  it("a handler that returns another type than its output schema does not compile", () => {
    // @ts-expect-error Text is not a number.
    defineOperation({ ...about, output: number, handler: () => "one" });
    const fine = defineOperation({ ...about, output: number, handler: () => 1 });
    expectTypeOf(fine).toEqualTypeOf<Operation<unknown, number>>();
  });

  it("an operation without a description, with an unknown effect or an invalid schema does not compile", () => {
    // @ts-expect-error The description is what agents read.
    defineOperation({ id: "issue.view", handler: () => 1 });
    // @ts-expect-error No such effect.
    defineOperation({ ...about, effect: "harmless", handler: () => 1 });
    // @ts-expect-error A schema is an object or a boolean.
    defineOperation({ ...about, input: "number", handler: () => 1 });
    const fine = defineOperation({ ...about, effect: "read", input: true, handler: () => 1 });
    expectTypeOf(fine).toEqualTypeOf<Operation>();
  });

  it("a call with the wrong input does not compile", () => {
    const input = Type.Object({ nr: Type.Integer() });
    const view = defineOperation({ ...about, input, handler: () => 1 });
    // @ts-expect-error A number is asked for.
    void registry.execute(view, { nr: "1" });
    // @ts-expect-error The number is missing.
    void registry.execute(view, {});
    expectTypeOf(registry.execute(view, { nr: 1 })).resolves.toEqualTypeOf<ResponseEnvelope>();
  });
});
