import { describe, expect, it } from "vitest";
import { createWaybill } from "../execute/index.ts";
import { defineOperation } from "../operation/index.ts";
import type { Operation } from "../operation/index.ts";
import { memoryJournal } from "../router/index.ts";

function named(id: string, alsoCalled: readonly string[], answer: string): Operation {
  const { spec, run } = defineOperation({
    id,
    description: `Does ${id}`,
    effect: "write",
    handler: () => answer,
  });
  return { spec: { ...spec, alsoCalled }, run };
}

describe("an operation with other ids", () => {
  it("answers to them under its own id", async () => {
    const waybill = createWaybill({ operations: [named("issue.update", ["issue.edit"], "one")] });
    const { data, meta } = await waybill.execute("issue.edit");
    expect([data, meta.capability_id]).toEqual(["one", "issue.update"]);
    const { results } = await waybill.chain([{ task: "issue.edit" }]);
    expect(results[0]?.meta.capability_id).toBe("issue.update");
  });

  it("leaves an id to the operation whose own it is, in either order", async () => {
    const other = named("issue.edit", [], "two");
    for (const operations of [
      [named("issue.update", ["issue.edit"], "one"), other],
      [other, named("issue.update", ["issue.edit"], "one")],
    ]) {
      const waybill = createWaybill({ operations });
      expect((await waybill.execute("issue.edit")).data).toBe("two");
    }
  });

  it("an operation with other ids is denied by its own id when it is called by another", async () => {
    const waybill = createWaybill({
      operations: [named("issue.update", ["issue.edit"], "one")],
      policy: { deny: ["issue.update"] },
    });
    expect((await waybill.execute("issue.edit")).error?.code).toBe("POLICY");
  });

  it("does a keyed write once when it is called by two ids", async () => {
    const waybill = createWaybill({
      operations: [named("issue.update", ["issue.edit"], "one")],
      journal: memoryJournal(),
    });
    const options = { idempotency_key: "k" };
    await waybill.execute("issue.update", {}, options);
    expect((await waybill.execute("issue.edit", {}, options)).meta.replayed).toBe(true);
  });
});
