import { describe, expect, it, vi } from "vitest";
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
  it("the first search result is a pack's raw request if that request matches best", async () => {
    expect((await idsFor("archive tickets in bulk"))[0]).toBe("hub.tickets.archive");
  });

  it("a search omits a pack's raw requests that do not match best", async () => {
    expect(await idsFor("list tickets")).toEqual(["ticket.list", "ticket.view"]);
  });

  it.each([
    ["pack", "hub.tickets.export(format) Export tickets", 1],
    ["user", "hub.tickets.export Export tickets", 0],
  ] as const)(
    "a search loads a source that is not loaded only if the source is a pack: %s",
    async (...row) => {
      const [origin, expected, loads] = row;
      const input = {
        type: "object",
        properties: { format: { type: "string" } },
        required: ["format"],
      };
      const load = vi.fn<() => Promise<boolean>>(async () => false);
      const source = {
        ...localSource("hub", [
          defineOperation({
            id: "hub.tickets.export",
            description: "Export tickets",
            effect: "read",
            input,
            handler: () => null,
          }),
        ]),
        origin,
        get isLoaded() {
          return load.mock.calls.length > 0;
        },
        load,
      };
      const lines = await signatureLines(createWaybill({ sources: [source] }), { query: "export" });
      expect(lines).toEqual([expected]);
      expect(load).toHaveBeenCalledTimes(loads);
    },
  );
});
