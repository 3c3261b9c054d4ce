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

it("the property ok of a result envelope narrows its type to its data or its error", () => {
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

it("the data of a result envelope may be null until ok is checked", () => {
  // @ts-expect-error The data may be null.
  expectTypeOf(result.data.title).toBeString();
  expectTypeOf(result.data?.title).toEqualTypeOf<string | undefined>();
});

it("successResult keeps the type of its data", () => {
  expectTypeOf(successResult({ count: 1 }, { capability_id: "stock.view" })).toExtend<
    ResultEnvelope<{ count: number }>
  >();
});
