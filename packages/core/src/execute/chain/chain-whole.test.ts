import { describe, expect, it } from "vitest";
import { defineOperation } from "../../operation/index.ts";
import { createWaybill } from "../index.ts";

let calls = 0;
const waybill = createWaybill({
  operations: [
    defineOperation({
      id: "value.repeat",
      description: "Returns what it is given",
      effect: "write",
      handler: (input: unknown) => {
        calls += 1;
        return input;
      },
    }),
  ],
});

function repeating(from: string) {
  return [
    { id: "first", task: "value.repeat", input: { n: 1 } },
    { id: "second", task: "value.repeat", input: { value: { $from: from } } },
  ];
}

describe("references to the whole chain", () => {
  it("a chain refuses the reference @ before the step is sent, with a hint", async () => {
    calls = 0;
    const { results } = await waybill.chain([repeating("@")[1]!], { max_tokens: 300 });
    expect(results[0]?.error).toMatchObject({
      code: "VALIDATION",
      message: "@ refers to the whole chain, which cannot be used for /value",
      details: { outcome: "not_applied", hint: expect.stringContaining("s0.data") as string },
    });
    expect(calls).toBe(0);
  });

  it.each(["@ || first", "not_null(@)", "@ | @", "values(@)", "[@]", "{all: @}"])(
    "an expression over the results of a whole chain sees only earlier results: %s",
    async (from) => {
      const chain = await waybill.chain(repeating(from), { max_tokens: 2_000 });
      expect(chain.error).toBeNull();
      const second = JSON.stringify(chain.results[1]);
      expect(second).not.toContain("second");
    },
  );
});

describe("references that cannot be evaluated", () => {
  it.each([{ $from: "trim(first.data)" }, { $text: "{{trim(first.data)}}" }])(
    "a chain step fails if its reference calls a function with a wrong type: %j",
    async (value) => {
      const [first] = repeating("");
      const { results } = await waybill.chain([first!, { task: "value.repeat", input: { value } }]);
      expect(results[1]?.error).toMatchObject({
        code: "VALIDATION",
        message: expect.stringContaining('"trim(first.data)" cannot be evaluated') as string,
        details: { outcome: "not_applied" },
      });
    },
  );
});

describe("chains with odd input", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const thrower = {
    get task(): string {
      throw new Error("no");
    },
  };

  it.each<[string, unknown, unknown]>([
    ["steps that are null", null, {}],
    ["steps that are not objects", [null, 1, "x", []], {}],
    ["a step that throws when it is read", [thrower], {}],
    ["an input that contains itself", [{ task: "value.repeat", input: circle }], {}],
    [
      "a literal that contains itself",
      [{ task: "value.repeat", input: { $literal: circle } }],
      { max_tokens: 300 },
    ],
    ["options that are a number", [{ task: "value.repeat" }], 5],
    ["options that contain themselves", [{ task: "value.repeat" }], circle],
    ["a value that is not JSON", [{ task: "value.repeat", input: { a: 1n } }], { max_tokens: 300 }],
  ])(
    "a chain always returns an envelope that can be sent as JSON: %s",
    async (_, steps, options) => {
      const chain = await waybill.chain(steps as never, options as never);
      expect(() => JSON.stringify(chain)).not.toThrow();
      expect(["success", "partial", "failed"]).toContain(chain.status);
    },
  );
});

describe("references to large values", () => {
  const [part, text] = [{ $from: "s0.data" }, "{{s0.data}}"];

  it.each([
    ["a list with two references", { value: [part, part] }],
    ["a text with two references", { value: { $text: `${text} ${text}` } }],
  ])("a chain step is not called if %s makes its input too large", async (_name, input) => {
    const large = defineOperation({
      id: "value.large",
      description: "Large",
      effect: "read",
      handler: () => "x".repeat(17_000_000),
    });
    let taken = 0;
    const take = defineOperation({
      id: "value.take",
      description: "Take",
      handler: () => void (taken += 1),
    });
    const own = createWaybill({ operations: [large, take] });
    const { results } = await own.chain([
      { id: "s0", task: "value.large" },
      { task: "value.take", input },
    ]);
    expect(results[1]?.error).toMatchObject({
      code: "TOO_LARGE",
      details: { outcome: "not_applied" },
    });
    expect(taken).toBe(0);
  });
});
