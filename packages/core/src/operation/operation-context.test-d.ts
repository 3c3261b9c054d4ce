import { expectTypeOf, it } from "vitest";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { defineOperation } from "./index.ts";
import type { Identity, OperationContext } from "./index.ts";

declare const context: OperationContext;

it("context.call and context.look of a handler return an envelope", () => {
  expectTypeOf(
    context.call("issue.view", { number: 1 }),
  ).resolves.toEqualTypeOf<ResponseEnvelope>();
  expectTypeOf(context.look("issue.view")).resolves.toEqualTypeOf<ResponseEnvelope>();
  // @ts-expect-error An operation is called by its id.
  expectTypeOf(context.call(1)).toBeObject();
});

it("a handler's context has identity, deadline, signal and request id", () => {
  expectTypeOf(context.identity).toEqualTypeOf<Identity | undefined>();
  expectTypeOf(context.deadline).toEqualTypeOf<number | undefined>();
  expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
  expectTypeOf(context.requestId).toEqualTypeOf<string>();
});

it("a handler gets an OperationContext as its second argument", () => {
  const operation = defineOperation({
    id: "issue.view",
    description: "Show an issue",
    handler(_input, given) {
      expectTypeOf(given).toEqualTypeOf<OperationContext>();
      return null;
    },
  });
  expectTypeOf(operation.spec.id).toEqualTypeOf<string>();
});
