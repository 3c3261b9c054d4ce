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

function cannotDescribe(): never {
  throw new Error("broken");
}

async function idsFor(query: string): Promise<string[]> {
  const lines = await signatureLines(waybill(), { query });
  return lines.map((line) => /^[\w.]+/u.exec(line)![0]);
}

describe("lines of a search result", () => {
  it("a search result shows a stored signature without opening the source, under the id that the operation got", async () => {
    const load = vi.fn<() => Promise<boolean>>(async () => false);
    const summary = {
      id: "a.same",
      description: "Export tickets",
      signature: "(format\u200b, page?:integer)",
      effect: "read" as const,
      idempotent: true,
      kind: "call" as const,
    };
    const later = {
      ...localSource("b", []),
      list: () => Promise.resolve([summary]),
      isLoaded: false,
      load,
    };
    const first = localSource("a", [operation("a.same", "Something else", true)]);
    const lines = await signatureLines(createWaybill({ sources: [first, later] }), {
      query: "export",
    });
    expect(lines).toEqual(["b.a.same(format, page?:integer) Export tickets"]);
    expect(load).not.toHaveBeenCalled();
  });

  it("a search result shows an operation that its source cannot describe by its id", async () => {
    const source = localSource("hub", [operation("hub.export", "Export tickets", true)]);
    const waybillOfOne = createWaybill({ sources: [{ ...source, describe: cannotDescribe }] });
    expect(await signatureLines(waybillOfOne, { query: "export" })).toEqual([
      "hub.export Export tickets",
    ]);
  });

  it("a long signature in a search result has every required input, and says that it is cut", async () => {
    const member = {
      type: "object",
      required: ["a_name"],
      properties: Object.fromEntries(Array.from("abcdefgh", (name) => [`${name}_name`, {}])),
    };
    const names = Array.from({ length: 30 }, (_, at) => `option_number_${at}`);
    const input = {
      type: "object",
      properties: { item: member, ...Object.fromEntries(names.map((name) => [name, member])) },
      required: ["item"],
    };
    const long = defineOperation({
      id: "hub.export",
      description: "Export tickets",
      effect: "read",
      input,
      handler: () => null,
    });
    const [line] = await signatureLines(createWaybill({ operations: [long] }), { query: "export" });
    expect(line).toMatch(
      /^hub\.export\(item:\{a_name, …\}, option_number_0\?:\{…\}, .*, …\) Export tickets$/u,
    );
    expect(line!.length).toBeLessThan(450);
  });

  it("the raw request of a pack is the first search result if it matches best", async () => {
    expect((await idsFor("archive tickets in bulk"))[0]).toBe("hub.tickets.archive");
  });

  it("a search omits raw requests of a pack that do not match best", async () => {
    expect(await idsFor("list tickets")).toEqual(["ticket.list", "ticket.view"]);
  });

  it.each([
    ["pack", "hub.tickets.export(format) Export tickets", 1],
    ["user", "hub.tickets.export Export tickets", 0],
  ] as const)(
    "a search that finds an operation of an unloaded %s source shows: %s",
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
