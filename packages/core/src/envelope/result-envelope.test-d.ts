import { expectTypeOf, it } from "vitest";
import { successResult } from "./index.ts";
import type {
  ErrorCode,
  FailureResult,
  ResultEnvelope,
  ResultError,
  SuccessResult,
} from "./index.ts";

declare const result: ResultEnvelope<{ title: string }>;

it("has data where it is ok, and an error where it is not", () => {
  if (result.ok) {
    expectTypeOf(result).toEqualTypeOf<SuccessResult<{ title: string }>>();
    expectTypeOf(result.data.title).toEqualTypeOf<string>();
    expectTypeOf(result.error).toEqualTypeOf<null>();
  } else {
    expectTypeOf(result).toEqualTypeOf<FailureResult>();
    expectTypeOf(result.data).toEqualTypeOf<null>();
    expectTypeOf(result.error).toEqualTypeOf<ResultError>();
    expectTypeOf(result.error.code).toEqualTypeOf<ErrorCode>();
  }
});

it("does not give data before ok was looked at", () => {
  // @ts-expect-error The data may be null.
  expectTypeOf(result.data.title).toBeString();
  expectTypeOf(result.data?.title).toEqualTypeOf<string | undefined>();
});

it("is made of data of any type", () => {
  expectTypeOf(successResult({ count: 1 }, { capability_id: "stock.view" })).toExtend<
    ResultEnvelope<{ count: number }>
  >();
});
