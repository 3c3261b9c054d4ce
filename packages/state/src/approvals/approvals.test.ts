import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWaybill, defineOperation } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { breakText } from "../fixtures/break-text.ts";
import { temporaryFolder } from "../journal/fixtures/temporary.ts";
import { openApprovals } from "./index.ts";

const remove = defineOperation({
  id: "item.delete",
  description: "Delete an item",
  effect: "destructive",
  input: { type: "object", properties: { id: { type: "integer" } } },
  handler: () => "gone",
});

async function place() {
  const folder = await temporaryFolder(onTestFinished);
  const path = join(folder, "state/approvals.db");
  /** Opens the file as another process would. */
  const open = () => {
    const waybill = createWaybill({ operations: [remove], approvals: openApprovals({ path }) });
    onTestFinished(() => waybill.close());
    return waybill;
  };
  return { path, open };
}

describe("openApprovals", () => {
  it("an approval that is given in one process can be used once in another process", async () => {
    const { path, open } = await place();
    const refused = await open().execute("item.delete", { id: 1 });
    const approve = String(refused.error?.details?.["approve"]);
    expect((await open().execute("item.delete", { id: 1 }, { approve })).ok).toBe(true);
    expect((await open().execute("item.delete", { id: 1 }, { approve })).error?.code).toBe(
      "POLICY",
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("a person can answer an approval request in another process", async () => {
    const { open } = await place();
    await open().execute("item.delete", { id: 1 });
    const [waiting] = await open().approvals.pending();
    expect(waiting).toMatchObject({ capability_id: "item.delete", params: '{"id":1}' });
    expect(await open().approvals.answer(waiting!.id, true)).toBe(true);
    expect((await open().execute("item.delete", { id: 2 })).ok).toBe(false);
    expect((await open().execute("item.delete", { id: 1 })).ok).toBe(true);
    expect((await open().execute("item.delete", { id: 1 })).ok).toBe(false);
  });

  it("only one of eight concurrent calls can use an approval", async () => {
    const { open } = await place();
    const refused = await open().execute("item.delete", { id: 1 });
    const approve = String(refused.error?.details?.["approve"]);
    const all = Array.from({ length: 8 }, () =>
      open().execute("item.delete", { id: 1 }, { approve }),
    );
    const made = (await Promise.all(all)).filter(({ ok }) => ok);
    expect(made).toHaveLength(1);
  });

  it("a call that needs an approval is not made if the approval request cannot be stored", async () => {
    const file = join(await temporaryFolder(onTestFinished), "file");
    await writeFile(file, "");
    const approvals = openApprovals({ path: join(file, "approvals.db") });
    const waybill = createWaybill({ operations: [remove], approvals });
    const { error } = await waybill.execute("item.delete", { id: 1 });
    expect(error).toMatchObject({ code: "NOT_READY", details: { outcome: "not_applied" } });
  });

  it("an approvals file whose text is not valid UTF-8 is refused, and the error says how to recover", async () => {
    const { path, open } = await place();
    await open().execute("item.delete", { id: 1 });
    await breakText(path, "UPDATE approvals SET record = @text");
    await expect(open().approvals.pending()).rejects.toThrow(`${path}, is damaged`);
    const { error } = await open().execute("item.delete", { id: 1 });
    expect(error).toMatchObject({ code: "NOT_READY", details: { outcome: "not_applied" } });
    expect(error?.details?.["hint"]).toContain("move the file away");
  });
});
