import { describe, expect, it } from "vitest";
import { briefText, parseBrief } from "../../brief/index.ts";
import { defineOperation } from "../../operation/index.ts";
import type { Operation } from "../../operation/index.ts";
import { createWaybill } from "../waybill.ts";

const ITEM = { id: "I_1", number: 1, title: "One", url: "https://example.com/1" };
const OTHER = { id: "I_2", number: 2, title: "Two", url: "https://example.com/2" };

function answering(id: string, data: unknown, rareFields = ["id", "url"]): Operation {
  const { spec, run } = defineOperation({
    id,
    description: `Does ${id}`,
    effect: "write",
    handler: () => data,
  });
  return { spec: { ...spec, rareFields }, run };
}

const waybill = createWaybill({
  operations: [
    answering("item.view", ITEM),
    answering("item.list", { items: [ITEM, OTHER], total: 2 }),
    answering("item.all", [ITEM, OTHER]),
    answering("item.key", { id: "I_1" }),
  ],
});
const brief = { brief: true };

describe("the option brief", () => {
  it("the option brief omits the rare fields of an object and names them in the meta", async () => {
    const { data, meta } = await waybill.execute("item.view", {}, brief);
    expect([data, meta.left_out]).toEqual([{ number: 1, title: "One" }, ["id", "url"]]);
  });

  it("the option brief omits the rare fields of each item of a list", async () => {
    const items = [
      { number: 1, title: "One" },
      { number: 2, title: "Two" },
    ];
    expect((await waybill.execute("item.list", {}, brief)).data).toEqual({ items, total: 2 });
    expect((await waybill.execute("item.all", {}, brief)).data).toEqual(items);
  });

  it("the option brief keeps all fields of an object that has only rare fields", async () => {
    const { data, meta } = await waybill.execute("item.key", {}, brief);
    expect([data, meta.left_out]).toEqual([{ id: "I_1" }, undefined]);
  });

  it.each([
    [{}, ITEM],
    [{ ...brief, trace: true }, ITEM],
    [{ ...brief, select: ["id"] }, { id: "I_1" }],
    [{ ...brief, select: [] }, ITEM],
    [{ ...brief, query: "url" }, ITEM.url],
  ])(
    "a call of an operation with rare fields and the options %j returns %j",
    async (options, data) => {
      expect((await waybill.execute("item.view", {}, options)).data).toEqual(data);
    },
  );

  it("the option brief of a chain shortens step results without select, and other steps still see all fields", async () => {
    const { results } = await waybill.chain(
      [
        { id: "one", task: "item.view" },
        { task: "item.view", input: { of: { $from: "one.data.id" } }, select: ["id"] },
        { task: "item.view", select: "none" },
        { task: "item.view", select: [] },
      ],
      brief,
    );
    expect(results.map(({ data }) => data)).toEqual([
      { number: 1, title: "One" },
      { id: "I_1" },
      null,
      ITEM,
    ]);
  });
});

describe("the brief text of an answer without its rare fields", () => {
  it("the brief text of an object ends with the names of the omitted rare fields", async () => {
    const text = briefText(await waybill.execute("item.view", {}, brief));
    expect(text).toBe('{"number":1,"title":"One"}\t+id,url');
    expect(parseBrief(text)).toMatchObject({
      data: { number: 1, title: "One" },
      meta: { left_out: ["id", "url"] },
    });
  });

  it("the brief text of a list names the omitted rare fields in its header", async () => {
    const text = briefText(await waybill.execute("item.all", {}, brief));
    expect(text).toBe(":[]\nnumber\ttitle\t+id,url\n1\tOne\n2\tTwo");
    expect(parseBrief(text).meta).toEqual({ left_out: ["id", "url"] });
  });
});
