import { describe, expect, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import { localSource } from "../source/index.ts";
import { createWaybill, signatureLines } from "./index.ts";

function operation(id: string, description: string, exposed: boolean) {
  return defineOperation({ id, description, effect: "read", exposed, handler: () => null });
}

/** A pack with two operations that lists show, and two raw operations that only a search finds. */
function waybill() {
  const pack = localSource("hub", [
    operation("ticket.list", "List tickets", true),
    operation("ticket.view", "View one of the tickets", true),
    operation("hub.tickets.archive", "Archive tickets in bulk", false),
    operation("hub.tickets.export", "Export tickets", false),
  ]);
  return createWaybill({ sources: [{ ...pack, origin: "pack" }] });
}

async function idsFor(query: string): Promise<string[]> {
  const lines = await signatureLines(waybill(), { query });
  return lines.map((line) => /^[\w.]+/u.exec(line)![0]);
}

describe("search lines", () => {
  it("a search starts with a pack's raw request if that matches best", async () => {
    expect((await idsFor("archive tickets in bulk"))[0]).toBe("hub.tickets.archive");
  });

  it("a search omits a pack's raw requests that do not match best", async () => {
    expect(await idsFor("list tickets")).toEqual(["ticket.list", "ticket.view"]);
  });
});
