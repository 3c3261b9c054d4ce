import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openapiSource } from "@waybill/adapters/openapi";
import { createCodeRunner } from "@waybill/code";
import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { printCodeTypes } from "../../packages/cli/src/types/print-code.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const runner = createCodeRunner();
const things = Array.from({ length: 25 }, (_, index) => ({ id: index + 1 }));
const asked: string[] = [];

/** An API whose lists have 10 things on each page, and a token for the next one. */
const server = createServer((request, response) => {
  const { search, searchParams } = new URL(request.url ?? "", "http://host");
  asked.push(search);
  const start = Number(searchParams.get("pageToken") ?? 0);
  const end = start + Number(searchParams.get("maxResults") ?? 10);
  const next = end < things.length ? { nextPageToken: String(end) } : {};
  const found = start < things.length ? { things: things.slice(start, end) } : {};
  const page = { ...found, kinds: ["a"], total: things.length, ...next };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(page));
});

const text = { type: "string" };
const list = { type: "array", items: { $ref: "#/components/schemas/Thing" } };
const page = { things: list, total: { type: "integer" }, nextPageToken: text };
const schemas = {
  Thing: { type: "object", properties: { id: { type: "integer" } } },
  Page: { type: "object", properties: page },
  Paged: { type: "object", properties: { total: page.total, nextPageToken: text } },
  Both: { properties: { ...page, kinds: { type: "array", items: text } } },
};
const ref = (name: keyof typeof schemas) => ({ $ref: `#/components/schemas/${name}` });
const LISTS = {
  inline: schemas.Page,
  reference: ref("Page"),
  allOf: { allOf: [ref("Paged"), { properties: { things: list } }] },
  severalArrays: ref("Both"),
};

let waybill: Waybill;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const parameters = [
    { in: "query", name: "pageToken", schema: text },
    { in: "query", name: "maxResults", schema: { type: "integer" } },
  ];
  const operation = (operationId: string, schema: object = {}) => ({
    get: {
      operationId,
      parameters,
      responses: { 200: { content: { "application/json": { schema } } } },
    },
  });
  const paths = Object.entries({ ...LISTS, undescribed: {} }).map(([name, schema]) => [
    `/${name}`,
    operation(name, schema),
  ]);
  const document = {
    openapi: "3.1.0",
    info: { title: "Things", version: "1" },
    servers: [{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }],
    paths: Object.fromEntries(paths) as object,
    components: { schemas },
  };
  waybill = createWaybill({
    sources: [openapiSource({ name: "api", document, allowPrivate: true })],
  });
});
afterAll(async () => {
  await waybill.close();
  runner.close();
  server.closeAllConnections();
  server.close();
});

async function run(program: string) {
  asked.length = 0;
  const { data, error, meta } = await runner.run(waybill, program);
  expect(error).toBeNull();
  return { value: (data as { value: unknown }).value, warnings: meta.warnings };
}

describe.each(Object.keys(LISTS))(
  "a paged list of an API whose response schema is written as: %s",
  (name) => {
    it("a program gets all items of a paged list, and the other members of the answer", async () => {
      const { value } = await run(
        `const all = await api.${name}(); return [all.length, all.at(-1).id, all.total]`,
      );
      expect(value).toEqual([25, 25, 25]);
      expect(asked).toEqual(["", "?pageToken=10", "?pageToken=20"]);
    });

    it("a program that limits a paged list by the API's own input reads only that many items", async () => {
      expect((await run(`return (await api.${name}({ maxResults: 3 })).length`)).value).toBe(3);
      expect(asked).toEqual(["?maxResults=3"]);
    });

    it("a program that follows the API's own page tokens gets each item once", async () => {
      const program = `let token, n = 0;
      do {
        const part = await api.${name}({ pageToken: token });
        n += part.length;
        token = part.nextPageToken;
      } while (token);
      return n`;
      expect((await run(program)).value).toBe(25);
      const second = await run(`return (await api.${name}({ pageToken: "10" })).map((x) => x.id)`);
      expect(second.value).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    });

    it("a program reads a paged list page by page", async () => {
      const program = `let cursor, n = 0;
      do {
        const part = await api.${name}.page({ cursor });
        n += part.items.length;
        cursor = part.cursor;
      } while (cursor);
      return n`;
      expect((await run(program)).value).toBe(25);
    });

    it("a page without the list, as some APIs answer after the last item, has no items", async () => {
      const { value } = await run(`return (await api.${name}.page({ pageToken: "25" })).items`);
      expect(value).toEqual([]);
    });

    it("the signature and the type of a paged list show a list", async () => {
      const { value } = await run(`return await waybill.signature(api.${name})`);
      expect(value).toBe(`api.${name}({pageToken?, maxResults?}): {id}[]`);
      const { spec } = await waybill.describe(`api.${name}`);
      expect(printCodeTypes([spec])).toMatch(/WaybillList<.*\{ "?id"?\?: number/u);
    });
  },
);

describe("a paged list of an API whose answer is not described", () => {
  it("a program gets one page of an undescribed list, and a warning that there are more items", async () => {
    const { value, warnings } = await run("return (await api.undescribed()).things.length");
    expect(value).toBe(10);
    expect(warnings).toEqual([
      "api.undescribed: this is one page, and there are more. Read them with api.undescribed.page({ cursor }).",
    ]);
  });

  it("a program reads an undescribed list page by page", async () => {
    const { value, warnings } = await run("return (await api.undescribed.page()).items.length");
    expect([value, warnings]).toEqual([10, undefined]);
  });
});
