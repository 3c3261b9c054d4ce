import { expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { Infer, InferCaller } from "../operation/index.ts";

it("reads the type of a JSON Schema literal", () => {
  expectTypeOf<Infer<{ type: "array"; items: { type: "string" } }>>().toEqualTypeOf<string[]>();
  expectTypeOf<Infer<{ enum: ["open", "closed"] }>>().toEqualTypeOf<"open" | "closed">();
  expectTypeOf<Infer<{ type: ["string", "null"] }>>().toEqualTypeOf<string | null>();
  expectTypeOf<Infer<true>>().toEqualTypeOf<unknown>();
});

it("tells what a caller passes from what a handler gets", () => {
  const schema = z.object({ at: z.string().transform((text) => new Date(text)) });
  expectTypeOf<InferCaller<typeof schema>>().toEqualTypeOf<{ at: string }>();
  expectTypeOf<Infer<typeof schema>>().toEqualTypeOf<{ at: Date }>();
});
