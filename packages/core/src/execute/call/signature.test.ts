import { expect, it } from "vitest";
import { defineOperation } from "../../operation/index.ts";
import { createWaybill } from "../waybill.ts";
import type { Waybill } from "../waybill.ts";

const view = defineOperation({
  id: "issue.view",
  description: "View an issue",
  effect: "read",
  input: {
    type: "object",
    required: ["owner", "number"],
    properties: {
      owner: { type: "string" },
      number: { type: "integer" },
      state: { enum: ["open", "all"] },
    },
  },
  output: { type: "object" },
  handler: () => ({}),
});
const refusing = defineOperation({
  id: "issue.refuse",
  description: "Refuses whatever it gets",
  effect: "read",
  input: { type: "object" },
  output: true,
  handler: () => {
    throw Object.assign(new Error("no"), { name: "AbortError" });
  },
});
const SIGNATURE = "issue.view(owner, number:integer, state?:open|all)";
const waybill: Waybill = createWaybill({ operations: [view, refusing] });

it("the error for a wrong input contains the signature of the operation", async () => {
  const { error } = await waybill.execute("issue.view", { owner: "o", numbre: 3 });
  expect(error).toMatchObject({ code: "VALIDATION", details: { signature: SIGNATURE } });
});

it("the error for a misspelt id contains the signature of the nearest operation", async () => {
  const { error } = await waybill.execute("issue.veiw", {});
  expect(error?.details).toMatchObject({ did_you_mean: ["issue.view"], signature: SIGNATURE });
  const { error: far } = await waybill.execute("qqqq.zzzz", {});
  expect(far?.details ?? {}).not.toHaveProperty("signature");
});

it("the errors of chain steps contain the signature of the operation", async () => {
  const steps = [{ task: "issue.view", input: {} }, { task: "issue.veiw" }];
  const { results } = await waybill.chain(steps);
  expect(results.map(({ error }) => error?.details?.["signature"])).toEqual([SIGNATURE, SIGNATURE]);
});

it("an error that is not about the input contains no signature of the operation", async () => {
  const options = { trase: true } as object;
  const wrong = await waybill.execute("issue.view", { owner: "o", number: 1 }, options);
  expect(wrong.error?.code).toBe("VALIDATION");
  const failed = await waybill.execute("issue.refuse", {});
  for (const { error } of [wrong, failed])
    expect(error?.details ?? {}).not.toHaveProperty("signature");
});

it("operations() returns the specs of all operations, or only of operations that match a pattern", async () => {
  expect((await waybill.operations()).map(({ id }) => id)).toEqual(["issue.refuse", "issue.view"]);
  const [spec, ...others] = await waybill.operations(["*.view"]);
  expect([spec?.inputSchema, others]).toEqual([view.spec.inputSchema, []]);
});
