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

describe("operations with alias ids", () => {
  it("a call by an alias id runs the operation under its own id", async () => {
    const waybill = createWaybill({ operations: [named("issue.update", ["issue.edit"], "one")] });
    const { data, meta } = await waybill.execute("issue.edit");
    expect([data, meta.capability_id]).toEqual(["one", "issue.update"]);
    const { results } = await waybill.chain([{ task: "issue.edit" }]);
    expect(results[0]?.meta.capability_id).toBe("issue.update");
  });

  it("an alias id belongs to the operation that has it as its own id, in either order", async () => {
    const other = named("issue.edit", [], "two");
    for (const operations of [
      [named("issue.update", ["issue.edit"], "one"), other],
      [other, named("issue.update", ["issue.edit"], "one")],
    ]) {
      const waybill = createWaybill({ operations });
      expect((await waybill.execute("issue.edit")).data).toBe("two");
    }
  });

  it("an alias id of two operations runs neither and names both", async () => {
    const one = named("issue.create", ["issue_write"], "one");
    const two = named("issue.update", ["issue_write"], "two");
    const waybill = createWaybill({ operations: [one, two] });
    const { error } = await waybill.execute("issue_write");
    expect(error?.code).toBe("NOT_FOUND");
    expect(error?.details?.did_you_mean).toEqual(["issue.create", "issue.update"]);
  });

  it("a policy that denies the own id also denies calls by an alias id", async () => {
    const waybill = createWaybill({
      operations: [named("issue.update", ["issue.edit"], "one")],
      policy: { deny: ["issue.update"] },
    });
    expect((await waybill.execute("issue.edit")).error?.code).toBe("POLICY");
  });

  it("a keyed write is done once if it is called by both ids", async () => {
    const waybill = createWaybill({
      operations: [named("issue.update", ["issue.edit"], "one")],
      journal: memoryJournal(),
    });
    const options = { idempotency_key: "k" };
    await waybill.execute("issue.update", {}, options);
    expect((await waybill.execute("issue.edit", {}, options)).meta.replayed).toBe(true);
  });
});
