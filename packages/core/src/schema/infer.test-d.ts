import { expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { Infer, InferCaller } from "../operation/index.ts";

it("the type Infer gives the type of a JSON Schema literal", () => {
  expectTypeOf<Infer<{ type: "array"; items: { type: "string" } }>>().toEqualTypeOf<string[]>();
  expectTypeOf<Infer<{ enum: ["open", "closed"] }>>().toEqualTypeOf<"open" | "closed">();
  expectTypeOf<Infer<{ type: ["string", "null"] }>>().toEqualTypeOf<string | null>();
  expectTypeOf<Infer<true>>().toEqualTypeOf<unknown>();
});

it("the type InferCaller gives the caller's type of a transforming schema, and Infer gives the handler's type", () => {
  const schema = z.object({ at: z.string().transform((text) => new Date(text)) });
  expectTypeOf<InferCaller<typeof schema>>().toEqualTypeOf<{ at: string }>();
  expectTypeOf<Infer<typeof schema>>().toEqualTypeOf<{ at: Date }>();
});
