import { expect, it } from "vitest";
import { defineOperation } from "../../operation/index.ts";
import { localSource } from "../../source/index.ts";
import { createWaybill } from "../waybill.ts";

// After the first call, the schemas are compiled, and a call of a local function takes a shorter
// path.

const completeInput = () => Promise.resolve({ who: "octocat" });

it("an input value such as @me is resolved in every call, not only in the first call", async () => {
  const { spec, run } = defineOperation({
    id: "user.greet",
    description: "Greet",
    effect: "read",
    input: { type: "object", properties: { who: { type: "string" } } },
    handler: ({ who }) => who ?? "",
  });
  const waybill = createWaybill({ operations: [{ spec: { ...spec, completeInput }, run }] });
  const answers = [1, 2, 3].map(() => waybill.execute("user.greet", { who: "@me" }));
  expect((await Promise.all(answers)).map(({ data }) => data)).toEqual(Array(3).fill("octocat"));
  expect((await waybill.execute("user.greet", { who: "@me" })).data).toBe("octocat");
});

it("every call, not only the first, warns about a string of more than 16 digits for an input without a type", async () => {
  const store = defineOperation({
    id: "number.store",
    description: "Store",
    effect: "read",
    input: { type: "object", properties: { value: {} } },
    handler: () => null,
  });
  const waybill = createWaybill({ sources: [localSource("far", [store])] });
  const warnings = [];
  for (let call = 0; call < 3; call++) {
    const { meta } = await waybill.execute("number.store", { value: "123456789012345678901" });
    warnings.push(meta.warnings?.length);
  }
  expect(warnings).toEqual([1, 1, 1]);
});
