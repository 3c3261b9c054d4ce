import { createWaybill } from "@waybill/core";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describing, sourceOf } from "../fixtures/describe-api.ts";
import { openapiSource } from "../index.ts";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly type: string | undefined;
  readonly body: string;
}

const seen: Seen[] = [];
let waybill: Waybill;
let close = (): void => {};

const JSON_TYPE = { "content-type": "application/json" };
const ITEMS = ["a", "b", "c", "d", "e"].map((id) => ({ id }));

/** Lists with two items per page, for every way in which APIs announce the next page. */
function answer({ method, url, body }: Seen, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, "http://api");
  const send = (value: unknown, headers = {}, status = 200): void => {
    response.writeHead(status, { ...JSON_TYPE, ...headers });
    response.end(typeof value === "string" ? value : JSON.stringify(value));
  };
  const at = Number(searchParams.get("page") ?? 1);
  const page = ITEMS.slice((at - 1) * 2, at * 2);
  switch (pathname) {
    case "/gitlab":
      return send(page, { "x-next-page": at < 3 ? String(at + 1) : "" });
    case "/linked":
      return send(page, at < 3 ? { link: `</linked?page=${at + 1}>; rel="next"` } : {});
    case "/odata":
      return send({ value: page, ...(at < 3 && { "@odata.nextLink": `/odata?page=${at + 1}` }) });
    case "/notion": {
      const { start_cursor: start = "0" } = JSON.parse(body) as { start_cursor?: string };
      const from = Number(start);
      const more = from + 2 < ITEMS.length;
      return send({
        results: ITEMS.slice(from, from + 2),
        has_more: more,
        next_cursor: more ? String(from + 2) : null,
      });
    }
    case "/search": {
      const { offset = 0 } = JSON.parse(body) as { offset?: number };
      return send({ items: ITEMS.slice(offset, offset + 2), total: ITEMS.length });
    }
    case "/lines":
      return send('{"id":"a"}\n{"id":12345678901234567890}\n\n', {
        "content-type": "application/jsonl",
      });
    case "/broken-lines":
      return send('{"id":"a"}\nnot json\n', { "content-type": "application/x-ndjson" });
    case "/created":
      return send({ id: 1 }, { location: "/created/1", etag: '"v1"' }, 201);
    case "/jobs":
      return send({}, { location: "/jobs/7", "retry-after": "3" }, 202);
    case "/see-other":
      return send("", { location: searchParams.get("to") ?? "/result" }, 303);
    case "/result":
      return send({ method, done: true });
    case "/far":
      return send("", { location: "https://other.example/x" }, 303);
    case "/pets":
      return send({ method, url });
    default:
      return send({ method, type: seen.at(-1)!.type, body }, {}, pathname === "/lost" ? 404 : 200);
  }
}

const ok = { responses: { 200: { description: "" } } };
const body = (schema: object) => ({
  requestBody: { content: { "application/json": { schema } } },
});

const DESCRIPTION = {
  openapi: "3.2.0",
  info: { title: "T", version: "1" },
  paths: {
    "/gitlab": {
      get: {
        operationId: "gitlab",
        parameters: [{ in: "query", name: "page", schema: { type: "integer" } }],
        ...ok,
      },
    },
    "/linked": {
      get: {
        operationId: "linked",
        parameters: [{ in: "query", name: "per_page", schema: { type: "integer" } }],
        ...ok,
      },
    },
    "/odata": {
      get: {
        operationId: "odata",
        parameters: [{ in: "query", name: "$top", schema: { type: "integer" } }],
        ...ok,
      },
    },
    "/notion": {
      post: { operationId: "notion", ...body({ $ref: "#/components/schemas/Search" }), ...ok },
    },
    "/search": {
      post: {
        operationId: "search",
        ...body({
          type: "object",
          properties: { offset: { type: "integer" }, limit: { type: "integer" } },
        }),
        ...ok,
      },
    },
    "/lines": {
      get: {
        operationId: "lines",
        responses: {
          200: {
            description: "",
            content: { "application/jsonl": { itemSchema: { type: "object" } } },
          },
        },
      },
    },
    "/broken-lines": { get: { operationId: "brokenLines", ...ok } },
    "/created": { post: { operationId: "create", ...ok } },
    "/jobs": { post: { operationId: "start", ...ok } },
    "/see-other": {
      post: {
        operationId: "see",
        parameters: [{ in: "query", name: "to", schema: { type: "string" } }],
        ...body({}),
        ...ok,
      },
    },
    "/far": { post: { operationId: "far", ...ok } },
    "/pets": {
      query: { operationId: "ask", ...body({}), ...ok },
      get: {
        operationId: "filter",
        description: "<p>Lists <b>pets</b>.</p><ul><li>All &amp; none</li></ul>",
        parameters: [
          {
            in: "querystring",
            name: "filter",
            content: { "application/x-www-form-urlencoded": { schema: { type: "object" } } },
          },
        ],
        ...ok,
      },
      additionalOperations: { PURGE: { operationId: "purge", ...ok } },
    },
    "/patch": {
      patch: {
        operationId: "patch",
        requestBody: {
          required: true,
          content: {
            "application/apply-patch+cbor": { schema: { type: "object" } },
            "application/json-patch+json": { schema: { type: "object" } },
            "application/merge-patch+json": { schema: { type: "object" } },
          },
        },
        ...ok,
      },
    },
    "/tokens": {
      get: {
        operationId: "tokens",
        parameters: [
          { in: "query", name: "NextToken", schema: { type: "string" } },
          { in: "query", name: "api_key", schema: { type: "string" } },
        ],
        ...ok,
      },
    },
  },
  components: {
    schemas: {
      Search: {
        type: "object",
        properties: { start_cursor: { type: "string" }, page_size: { type: "integer" } },
      },
    },
  },
};

async function read(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url = "", headers } = request;
  seen.push({
    method,
    url,
    type: headers["content-type"],
    body: Buffer.concat(chunks).toString(),
  });
  answer(seen.at(-1)!, response);
}

beforeAll(async () => {
  const server = createServer((request, response) => void read(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { name: "t", document: DESCRIPTION, server: url, allowPrivate: true };
  waybill = createWaybill({ sources: [openapiSource(options)] });
  close = () => server.close();
});

afterAll(async () => {
  await waybill.close();
  close();
});

/** The ids on all pages, which are read one after the other. */
async function allIds(id: string, params = {}): Promise<unknown[]> {
  const ids: unknown[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < 5; page += 1) {
    const options = cursor === undefined ? {} : { page: { cursor: cursor! } };
    const { data, meta } = await waybill.execute(id, params, options);
    const items = Array.isArray(data) ? data : Object.values(data as object).find(Array.isArray);
    ids.push(...(items as { id: string }[]).map((item) => item.id));
    cursor = meta.pagination?.end_cursor;
    if (meta.pagination?.has_next_page !== true) return ids;
  }
  return ids;
}

describe("openapiSource: lists", () => {
  const all = ["a", "b", "c", "d", "e"];

  it.each([
    ["the header X-Next-Page", "t.gitlab", {}],
    ["a Link header where only per_page is described", "t.linked", {}],
    ["a next link where only $top is described", "t.odata", {}],
    ["a cursor in the body of a POST", "t.notion", { body: {} }],
    ["an offset in the body of a POST", "t.search", { body: { limit: 2 } }],
  ])("openapiSource follows pages by %s", async (_way, id, params) => {
    expect(await allIds(id, params)).toEqual(all);
  });

  it("a dry run of a request for a next page shows the page token in the query and hides the API key", async () => {
    const params = { NextToken: "page2", api_key: "abcdefgh" };
    const { data } = await waybill.execute("t.tokens", params, { dry_run: true });
    const shown = JSON.stringify(data);
    expect(shown).toContain("NextToken=page2");
    expect(shown).not.toContain("abcdefgh");
  });
});

function call(id: string, params = {}): Promise<ResultEnvelope> {
  return waybill.execute(id, params);
}

describe("openapiSource: other responses", () => {
  it("openapiSource returns a response of JSON lines as a list, with exact integers", async () => {
    const { data, meta } = await call("t.lines");
    expect(data).toEqual([{ id: "a" }, { id: "12345678901234567890" }]);
    expect(JSON.stringify(meta.warnings)).toContain("/1/id");
  });

  it("the error for a response of malformed JSON lines names the line", async () => {
    expect((await call("t.brokenLines")).error?.message).toContain("line 2");
  });

  it("openapiSource returns the Location and ETag headers of a 201 response in meta.headers", async () => {
    expect((await call("t.create")).meta.headers).toEqual({ location: "/created/1", etag: '"v1"' });
  });

  it("openapiSource adds to a 202 response a warning that says where and when to read the result", async () => {
    const { meta } = await call("t.start");
    expect(meta.headers).toEqual({ location: "/jobs/7", "retry-after": "3" });
    expect(meta.warnings?.[0]).toMatch(/accepted \(202\).*\/jobs\/7 after 3 s/u);
  });

  it("openapiSource reads the result of a 303 from its location with GET, without the request body", async () => {
    const { data } = await call("t.see", { body: { a: 1 } });
    expect(data).toEqual({ method: "GET", done: true });
  });

  it("a write answered with 303 has the outcome applied even if the location returns 404", async () => {
    const { error } = await call("t.see", { body: {}, to: "/lost" });
    expect(error?.details).toMatchObject({ status: 404, outcome: "applied" });
  });

  it("the error for a 303 response that leads to another host names the location", async () => {
    const { error } = await call("t.far");
    expect(error?.details).toMatchObject({ location: "https://other.example/x" });
  });
});

describe("openapiSource: OpenAPI 3.2", () => {
  it("openapiSource sends requests with the method QUERY and with custom methods", async () => {
    const ask = await waybill.execute("t.ask", { body: { a: 1 } });
    expect(ask.data).toMatchObject({ method: "QUERY" });
    const purge = await waybill.execute("t.purge", {});
    expect(purge.data).toMatchObject({ method: "PURGE" });
  });

  it("openapiSource sends a querystring parameter as the whole query", async () => {
    const { data } = await waybill.execute("t.filter", { filter: { kind: "cat", age: 3 } });
    expect(data).toEqual({ method: "GET", url: "/pets?kind=cat&age=3" });
  });

  it("an OpenAPI media type can be a reference, in request bodies, responses and parameters", async () => {
    const pet = { $ref: "#/components/mediaTypes/Pet" };
    const content = { "application/json": pet };
    const mediaTypes = { Pet: { schema: { properties: { name: { type: "string" } } } } };
    const parameters = [{ in: "query", name: "like", content }];
    const operation = { parameters, requestBody: { content }, responses: { 200: { content } } };
    const source = sourceOf(describing(operation, { components: { mediaTypes } }, "/t", "post"));
    await source.list();
    const { inputSchema, outputSchema } = source.describe("api.op");
    const name = { name: { type: "string" } };
    expect(inputSchema).toMatchObject({
      properties: { body: { properties: name }, like: { properties: name } },
    });
    expect(outputSchema).toMatchObject({ properties: name });
  });
});

describe("openapiSource: descriptions", () => {
  it("explain shows the description of an OpenAPI operation without HTML", async () => {
    const shown = JSON.stringify(await waybill.explain("t.filter"));
    expect(shown).toContain("Lists pets.");
    expect(shown).not.toContain("<b>");
  });

  it("openapiSource sends a body as the first JSON media type if the first media type is CBOR", async () => {
    const { data } = await waybill.execute("t.patch", { body: { a: 1 } });
    expect(data).toMatchObject({ type: "application/merge-patch+json", body: '{"a":1}' });
  });
});
