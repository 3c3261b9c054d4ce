import { createWaybill, defineOperation } from "@waybill/core";
import { afterAll, expect, it } from "vitest";
import { createCodeRunner } from "../index.ts";

const text = { type: "string" };
const members = (name: string) => ({ type: "object", properties: { [name]: text } });
const OUTPUTS = {
  forms: { allOf: [members("id"), { oneOf: [members("card"), members("bank")] }] },
  formsInside: { allOf: [members("id"), { ...members("bank"), anyOf: [members("card")] }] },
  open: { allOf: [members("id"), { ...members("bank"), additionalProperties: text }] },
};
const waybill = createWaybill({
  operations: Object.entries(OUTPUTS).map(([name, output]) =>
    defineOperation({
      id: `pay.${name}`,
      description: "Shows how it was paid",
      effect: "read",
      output,
      handler: () => ({ id: "1", bank: "b" }),
    }),
  ),
});
const runner = createCodeRunner();
afterAll(() => runner.close());

it.each([
  ["forms", "a part with oneOf"],
  ["formsInside", "an object with anyOf"],
  ["open", "an object that allows further members"],
] as const)(
  "a program can read each member that a part of an allOf output schema declares: $1",
  async (name, _part) => {
    const { data, error } = await runner.run(
      waybill,
      `return (await pay.${name}()).card ?? "none"`,
    );
    expect(error).toBeNull();
    expect(data).toMatchObject({ value: "none" });
  },
);

it("a program cannot read a member that no part of an allOf output schema declares", async () => {
  const { error } = await runner.run(waybill, "return (await pay.forms()).cash");
  expect(error?.message).toContain("cash");
});
