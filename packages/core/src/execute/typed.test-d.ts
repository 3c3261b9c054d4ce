import { expectTypeOf, it } from "vitest";
import type { ResultEnvelope } from "../envelope/index.ts";
import type { ExecuteOptions, Waybill } from "./index.ts";
import type { TypedExecute } from "./typed-execute.ts";

interface Known {
  "typed.view": { input: { number: number; state?: "open" | "closed" }; output: { title: string } };
  "typed.me": { input: { full?: boolean }; output: { login: string } };
}

declare const execute: TypedExecute<Known>;
declare const waybill: Waybill;

it("TypedExecute returns the output type of a known capability", () => {
  expectTypeOf(execute("typed.view", { number: 1, state: "open" })).resolves.toEqualTypeOf<
    ResultEnvelope<{ title: string }>
  >();
  expectTypeOf(execute("typed.me")).resolves.toEqualTypeOf<ResultEnvelope<{ login: string }>>();
});

it("TypedExecute refuses wrong inputs of a known capability", () => {
  expectTypeOf(execute<"typed.view">).parameters.toEqualTypeOf<
    [
      capability_id: "typed.view",
      params: { number: number; state?: "open" | "closed" },
      options?: ExecuteOptions,
    ]
  >();
  // @ts-expect-error number is missing
  void execute("typed.view", {});
  // @ts-expect-error params are missing
  void execute("typed.view");
  // @ts-expect-error number is text
  void execute("typed.view", { number: "1" });
  // @ts-expect-error there is no such state
  void execute("typed.view", { number: 1, state: "gone" });
  // @ts-expect-error there is no such option
  void execute("typed.me", {}, { max_token: 300 });
});

it("TypedExecute refuses an unknown literal id", () => {
  // @ts-expect-error there is no such capability
  expectTypeOf(execute("typed.veiw", { number: 1 })).toBeObject();
});

it("TypedExecute accepts an id that is only known at run time", () => {
  const id: string = "other.thing";
  expectTypeOf(execute(id, { any: 1 })).resolves.toEqualTypeOf<ResultEnvelope>();
  expectTypeOf(waybill.execute("other.thing")).resolves.toEqualTypeOf<ResultEnvelope>();
});
