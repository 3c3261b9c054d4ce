import { expectTypeOf, it } from "vitest";
import { createErrorEnvelope, createSuccessEnvelope, isToolEnvelope } from "./index.ts";
import type { ErrorEnvelope, SuccessEnvelope, ToolEnvelope, ToolErrorCode } from "./index.ts";

it("a tool envelope is a success or an error", () => {
  expectTypeOf<SuccessEnvelope | ErrorEnvelope>().toExtend<ToolEnvelope>();
  expectTypeOf(createSuccessEnvelope).returns.toExtend<ToolEnvelope>();
  expectTypeOf(createErrorEnvelope).returns.toExtend<ToolEnvelope>();
});

it("isToolEnvelope narrows any value to ToolEnvelope", () => {
  const value: unknown = {};
  if (isToolEnvelope(value)) expectTypeOf(value).toExtend<ToolEnvelope>();
  expectTypeOf<ToolErrorCode>().toExtend<string>();
});
