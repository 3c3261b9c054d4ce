import { expectTypeOf, it } from "vitest";
import { CallError, errorFromUnknown, fail, isCallError } from "./index.ts";
import type { CallErrorCode, ErrorCode, Outcome } from "./index.ts";

it("fail() and CallError accept only known error codes", () => {
  expectTypeOf(fail("NOT_FOUND", "There is no such issue")).toEqualTypeOf<CallError>();
  // @ts-expect-error There is no such code.
  expectTypeOf(fail("MISSING", "There is no such issue")).toBeObject();
  // @ts-expect-error This code is for agents; inside the runtime there are fewer.
  expectTypeOf(new CallError("RATE_LIMIT", "Too many requests")).toBeObject();
  expectTypeOf<CallError["code"]>().toEqualTypeOf<CallErrorCode>();
});

it("the outcome of an error has the type of three literal values", () => {
  const error = fail("NETWORK", "The response was lost", { outcome: "unknown", attempt: 2 });
  expectTypeOf(error.details.outcome).toEqualTypeOf<Outcome | undefined>();
  expectTypeOf(error.details.code).toEqualTypeOf<ErrorCode | undefined>();
  expectTypeOf(error.details["attempt"]).toEqualTypeOf<unknown>();
  // @ts-expect-error An outcome is applied, not_applied or unknown.
  expectTypeOf(fail("NETWORK", "The response was lost", { outcome: "maybe" })).toBeObject();
});

it("isCallError narrows a thrown value to CallError", () => {
  const thrown: unknown = new Error("anything");
  expectTypeOf(errorFromUnknown(thrown)).toEqualTypeOf<CallError>();
  if (isCallError(thrown)) expectTypeOf(thrown).toEqualTypeOf<CallError>();
});
