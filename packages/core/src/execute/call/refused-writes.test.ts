import { describe, expect, it } from "vitest";
import { fail } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { createWaybill } from "../index.ts";

const effects = ["read", "write"] as const;

/** A Waybill whose observer refuses writes while `refuses` is true, and the ids that ran. */
function observed() {
  const ran: string[] = [];
  const state = { refuses: true };
  const operations = effects.map((effect) =>
    defineOperation({
      id: `note.${effect}`,
      description: "A note",
      effect,
      handler: () => ran.push(effect),
    }),
  );
  const refuseWrite = () =>
    state.refuses ? fail("NOT_READY", "The log is full", { outcome: "not_applied" }) : undefined;
  return { waybill: createWaybill({ operations, observer: { refuseWrite } }), ran, state };
}

describe("an observer that refuses writes", () => {
  it("a write fails with the error of an observer that refuses it, and reads and dry runs are allowed", async () => {
    const { waybill, ran } = observed();
    const { error } = await waybill.execute("note.write");
    expect(error).toMatchObject({ code: "NOT_READY", message: "The log is full" });
    expect((await waybill.execute("note.read")).ok).toBe(true);
    expect((await waybill.execute("note.write", {}, { dry_run: true })).ok).toBe(true);
    expect(ran).toEqual(["read"]);
  });

  it("a write is made as soon as an observer no longer refuses it", async () => {
    const { waybill, ran, state } = observed();
    await waybill.execute("note.write");
    state.refuses = false;
    expect((await waybill.execute("note.write")).ok).toBe(true);
    expect(ran).toEqual(["write"]);
  });
});
