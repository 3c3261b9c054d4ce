import { OperationRegistry } from "@waybill/core";
import { attachSource } from "@waybill/core/cards";
import { describe, expect, it } from "vitest";
import { dataOf, describing, sourceOf, waybillOf } from "../fixtures/describe-api.ts";
import { answering, echo, serve } from "../fixtures/echo-server.ts";

const LARGE = "12345678901234567890";
const ID = { type: "integer", format: "int64" };
const THING = {
  type: "object",
  required: ["id"],
  properties: { id: ID, list: { type: "array", items: ID }, name: { type: "string" } },
};

function responses(schema: object) {
  return { 200: { description: "ok", content: { "application/json": { schema } } } };
}

async function answered(body: string, schema: object = THING) {
  const document = describing({ responses: responses(schema) }, {}, "/things", "get");
  return waybillOf(document, { server: await serve(answering(body)) }).execute("api.op");
}

describe("integers beyond 2^53 in a response", () => {
  it("openapiSource returns an integer beyond 2^53 as a string of digits, with a warning that names its path", async () => {
    const result = await answered(`{"id":${LARGE},"list":[1,${LARGE}]}`);
    expect(dataOf(result)).toEqual({ id: LARGE, list: [1, LARGE] });
    expect(result.meta.warnings).toEqual([
      "These integers are above 2^53, so they are strings of digits: /id, /list/1",
    ]);
  });

  it("openapiSource lists integers beyond 2^53 in meta.changes", async () => {
    const document = describing({ responses: responses(THING) }, {}, "/things", "get");
    const server = await serve(answering(`{"id":${LARGE}}`));
    const registry = new OperationRegistry();
    await attachSource(registry, sourceOf(document, { server }));
    const { meta } = await registry.execute("api.op", {});
    expect(meta.conformance).toBe("normalised");
    expect(meta.changes).toEqual([{ path: "/id", edit: "exact" }]);
  });

  it("openapiSource checks a response with a large integer against the output schema", async () => {
    const result = await answered(`{"id":${LARGE},"name":5}`);
    expect(result.meta.warnings?.join()).toContain("/name must be string");
  });
});

const INPUT = {
  parameters: [{ in: "query", name: "n", schema: ID }],
  requestBody: { content: { "application/json": { schema: THING } } },
  responses: responses({}),
};

interface Echoed {
  readonly url: string;
  readonly body: string;
}

describe("decimal strings for integer inputs", () => {
  it("openapiSource sends a string of digits for an integer input as plain digits, in the URL and in the body", async () => {
    const document = describing(INPUT, {}, "/things", "post");
    const waybill = waybillOf(document, { server: await serve(echo) });
    const body = { id: LARGE, list: [LARGE, 3], name: LARGE };
    const sent = dataOf(await waybill.execute("api.op", { n: LARGE, body })) as Echoed;
    expect(sent.url).toBe(`/things?n=${LARGE}`);
    expect(sent.body).toBe(`{"id":${LARGE},"list":[${LARGE},3],"name":"${LARGE}"}`);
  });

  it("openapiSource sends a string of digits as plain digits where the schema allows any number", async () => {
    const schema = { type: "object", properties: { size: { type: "number" } } };
    const operation = {
      parameters: [{ in: "query", name: "n", schema: { type: "number" } }],
      requestBody: { content: { "application/json": { schema } } },
      responses: responses({}),
    };
    const document = describing(operation, {}, "/things", "post");
    const waybill = waybillOf(document, { server: await serve(echo) });
    const input = { n: LARGE, body: { size: LARGE } };
    const sent = dataOf(await waybill.execute("api.op", input)) as Echoed;
    expect(sent).toMatchObject({ url: `/things?n=${LARGE}`, body: `{"size":${LARGE}}` });
  });

  it.each([
    ["an object", { id: LARGE }],
    ["JSON text", `{"id":${LARGE}}`],
  ])(
    "openapiSource sends a string of digits in %s as plain digits if the body is a union of schemas",
    async (_, body) => {
      const schema = { anyOf: [THING, { type: "boolean" }] };
      const operation = {
        requestBody: { content: { "application/json": { schema } } },
        responses: responses({}),
      };
      const document = describing(operation, {}, "/things", "post");
      const waybill = waybillOf(document, { server: await serve(echo) });
      const sent = dataOf(await waybill.execute("api.op", { body })) as Echoed;
      expect(sent.body).toBe(`{"id":${LARGE}}`);
    },
  );

  it.each([
    ["multipart/form-data", `{"id":${LARGE},"list":[${LARGE}]}`],
    [
      "application/x-www-form-urlencoded",
      `thing=${encodeURIComponent(`{"id":${LARGE},"list":[${LARGE}]}`)}`,
    ],
  ])(
    "openapiSource sends a string of digits inside a field of %s as plain digits",
    async (type, expected) => {
      const schema = { type: "object", properties: { thing: THING, n: ID } };
      const operation = {
        requestBody: { content: { [type]: { schema } } },
        responses: responses({}),
      };
      const document = describing(operation, {}, "/things", "post");
      const waybill = waybillOf(document, { server: await serve(echo) });
      const body = { n: LARGE, thing: { id: LARGE, list: [LARGE] } };
      const sent = dataOf(await waybill.execute("api.op", { body })) as Echoed;
      expect(sent.body).toContain(expected);
      expect(sent.body).toMatch(new RegExp(`(?:n=|"n"\\r\\n\\r\\n)${LARGE}`, "u"));
    },
  );

  it("a dry run shows a string of digits as the integer that will be sent", async () => {
    const document = describing(INPUT, {}, "/things", "post");
    const waybill = waybillOf(document, { server: await serve(echo) });
    const result = await waybill.execute("api.op", { body: { id: LARGE } }, { dry_run: true });
    expect(JSON.stringify(result.data)).toContain(LARGE);
  });

  it("openapiSource refuses a numeric string with a fraction for an integer input", async () => {
    const document = describing(INPUT, {}, "/things", "post");
    const waybill = waybillOf(document, { server: await serve(echo) });
    const result = await waybill.execute("api.op", { n: `${LARGE}.5`, body: { id: 1 } });
    expect(result.error?.code).toBe("VALIDATION");
  });
});
