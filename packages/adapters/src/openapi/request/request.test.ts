import { describe, expect, it } from "vitest";
import { describing, sourceOf, waybillOf, dataOf } from "../fixtures/describe-api.ts";
import { echo, serve } from "../fixtures/echo-server.ts";

type Raw = Record<string, unknown>;

const COLOURS = ["blue", "black"];
const RGB = { R: 100, G: 200 };

async function sentRequest(operation: Raw, input: Raw, path = "/things", method = "get") {
  return sourceOf(describing(operation, {}, path, method)).preview("api.op", input);
}

async function readUrl(parameter: Raw, value: unknown, path = "/things"): Promise<string> {
  const parameters = [{ name: "c", schema: {}, ...parameter }];
  const { url } = await sentRequest({ parameters }, { c: value }, path);
  return url.slice("https://api.example.com".length);
}

describe("query parameters", () => {
  it.each([
    ["form", true, "a b", "?c=a%20b"],
    ["form", true, COLOURS, "?c=blue&c=black"],
    ["form", false, COLOURS, "?c=blue,black"],
    ["form", true, RGB, "?R=100&G=200"],
    ["form", false, RGB, "?c=R,100,G,200"],
    ["spaceDelimited", false, COLOURS, "?c=blue%20black"],
    ["pipeDelimited", false, COLOURS, "?c=blue%7Cblack"],
    ["deepObject", true, RGB, "?c%5BR%5D=100&c%5BG%5D=200"],
    ["deepObject", true, { a: { b: [1, 2] } }, "?c%5Ba%5D%5Bb%5D%5B%5D=1&c%5Ba%5D%5Bb%5D%5B%5D=2"],
    ["deepObject", true, [{ x: 1 }], "?c%5B0%5D%5Bx%5D=1"],
    ["form", true, [], ""],
    ["form", true, "", "?c="],
    ["form", true, true, "?c=true"],
  ])(
    "openapiSource writes a query parameter of style %s, explode %s: %j as %j",
    async (style, explode, value, query) => {
      expect(await readUrl({ in: "query", style, explode }, value)).toBe(`/things${query}`);
    },
  );

  it("a query parameter with allowReserved keeps reserved characters, except those that would end the query", async () => {
    const parameter = { in: "query", allowReserved: true };
    expect(await readUrl(parameter, "a/b?c=d&e#f")).toBe("/things?c=a/b?c=d%26e%23f");
  });

  it("a query parameter with JSON content is sent as JSON", async () => {
    const parameter = { in: "query", schema: undefined, content: { "application/json": {} } };
    expect(await readUrl(parameter, { a: [1] })).toBe("/things?c=%7B%22a%22%3A%5B1%5D%7D");
  });
});

describe("path parameters", () => {
  it.each([
    ["simple", false, "a/b", "/x/a%2Fb/y"],
    ["simple", false, COLOURS, "/x/blue,black/y"],
    ["simple", false, RGB, "/x/R,100,G,200/y"],
    ["simple", true, RGB, "/x/R=100,G=200/y"],
    ["label", false, "blue", "/x/.blue/y"],
    ["label", false, COLOURS, "/x/.blue,black/y"],
    ["label", true, COLOURS, "/x/.blue.black/y"],
    ["label", true, RGB, "/x/.R=100.G=200/y"],
    ["matrix", false, "blue", "/x/;c=blue/y"],
    ["matrix", false, COLOURS, "/x/;c=blue,black/y"],
    ["matrix", true, COLOURS, "/x/;c=blue;c=black/y"],
    ["matrix", false, RGB, "/x/;c=R,100,G,200/y"],
    ["matrix", true, RGB, "/x/;R=100;G=200/y"],
  ])(
    "openapiSource writes a path parameter of style %s, explode %s: %j as %j",
    async (style, explode, value, path) => {
      expect(await readUrl({ in: "path", style, explode }, value, "/x/{c}/y")).toBe(path);
    },
  );

  it.each([[".."], ["."], [""], [[]]])(
    "openapiSource refuses %j as a path parameter",
    async (value) => {
      await expect(readUrl({ in: "path" }, value, "/x/{c}/y")).rejects.toMatchObject({
        details: { code: "VALIDATION", outcome: "not_applied", issues: [{ path: "/c" }] },
      });
    },
  );

  it("a path parameter can stand in the query part of an OpenAPI path template", async () => {
    const parameters = [{ in: "query", name: "b", schema: {} }];
    const { url } = await sentRequest({ parameters }, { a: 1, b: 2 }, "/x?a={a}&b={b}&c=3");
    expect(url).toBe("https://api.example.com/x?a=1&c=3&b=2");
  });

  it("openapiSource accepts a string for a path parameter that the description does not list", async () => {
    const { url } = await sentRequest({}, { id: "a b" }, "/things/{id}");
    expect(url).toBe("https://api.example.com/things/a%20b");
  });
});

describe("headers and cookies", () => {
  const inHeader = { in: "header", name: "X-List", schema: {} };

  it("openapiSource sends header and cookie parameters as described", async () => {
    const parameters = [inHeader, { in: "cookie", name: "s", schema: {} }];
    const input = { "X-List": ["a", "b"], s: "x y" };
    const { headers, cookies } = await sentRequest({ parameters }, input);
    expect(headers).toMatchObject({ "x-list": "a,b" });
    expect(cookies).toEqual(["s=x%20y"]);
  });

  it("openapiSource does not percent-encode a cookie parameter of style cookie", async () => {
    const parameters = [{ in: "cookie", name: "s", style: "cookie", schema: {} }];
    expect((await sentRequest({ parameters }, { s: "a/b=c%" })).cookies).toEqual(["s=a/b=c%"]);
    expect((await sentRequest({ parameters }, { s: [1, 2] })).cookies).toEqual(["s=1", "s=2"]);
    await expect(sentRequest({ parameters }, { s: "a; b=c" })).rejects.toThrow(
      "has characters that cookies do not allow; encode or remove them",
    );
  });

  it("openapiSource refuses a line break in a header parameter", async () => {
    const sent = sentRequest({ parameters: [inHeader] }, { "X-List": "a\r\nx: y" });
    await expect(sent).rejects.toMatchObject({ details: { issues: [{ path: "/X-List" }] } });
  });

  it("openapiSource offers no input for header parameters that a caller must not set", async () => {
    const parameters = ["Accept", "Content-Type", "Authorization", "Host", "Content-Length"].map(
      (name) => ({
        in: "header",
        name,
        schema: {},
      }),
    );
    const source = sourceOf(describing({ parameters }));
    await source.list();
    expect(source.describe("api.op").parameters).toEqual([]);
  });
});

describe("origin and names of parameters", () => {
  it("a parameter of an OpenAPI operation overrides the path's parameter of the same name", async () => {
    const document = describing(
      { parameters: [{ in: "query", name: "b", schema: {}, style: "form", explode: false }] },
      {
        components: {
          parameters: {
            "odd/name": { $ref: "#/components/parameters/a" },
            a: { in: "query", name: "a", schema: { type: "integer" } },
          },
        },
      },
    );
    const paths = document["paths"] as Record<string, Raw>;
    paths["/things"]!["parameters"] = [
      { $ref: "#/components/parameters/odd~1name" },
      { in: "query", name: "b", schema: {} },
    ];
    const { url } = await sourceOf(document).preview("api.op", { a: 1, b: [1, 2] });
    expect(url).toBe("https://api.example.com/things?a=1&b=1,2");
  });

  it("two OpenAPI parameters with the same name, one in the path and one in the query, get separate input names", async () => {
    const parameters = [
      { in: "path", name: "id", schema: {} },
      { in: "query", name: "id", schema: {} },
      { in: "query", name: "body", schema: {} },
    ];
    const operation = { parameters, requestBody: { content: { "application/json": {} } } };
    const input = { "path.id": 1, "query.id": 2, "query.body": 3, body: { id: 4 } };
    const { url, body } = await sentRequest(operation, input, "/things/{id}", "post");
    expect(url).toBe("https://api.example.com/things/1?id=2&body=3");
    expect(body).toBe('{"id":4}');
  });
});

async function sentBody(media: Raw, body: unknown, input: Raw = {}) {
  const operation = { requestBody: { content: media } };
  const request = await sentRequest(operation, { body, ...input }, "/things", "post");
  const text = typeof request.body === "string" ? request.body : String(request.body?.toString());
  return { type: request.headers["content-type"], text };
}

describe("request bodies", () => {
  it.each([
    ["application/json", "application/json"],
    ["application/vnd.api+json", "application/vnd.api+json"],
    ["*/*", "application/json"],
  ])("openapiSource sends a body of %s as JSON", async (declared, sent) => {
    expect(await sentBody({ [declared]: {} }, { a: 1 })).toEqual({ type: sent, text: '{"a":1}' });
  });

  it.each(["text/plain", "application/xml", "text/csv"])(
    "openapiSource sends a body of %s as text",
    async (type) => {
      expect(await sentBody({ [type]: {} }, "<a/>")).toEqual({ type, text: "<a/>" });
    },
  );

  it("openapiSource sends a body as the first media type unless content_type names another one", async () => {
    const media = { "application/json": {}, "application/x-www-form-urlencoded": {} };
    expect((await sentBody(media, { a: 1 })).type).toBe("application/json");
    const input = { content_type: "application/x-www-form-urlencoded" };
    expect(await sentBody(media, { a: 1 }, input)).toMatchObject({ text: "a=1" });
  });

  it("openapiSource encodes each field of a form body in the style of its encoding object", async () => {
    const encoding = {
      deep: { style: "deepObject", explode: true },
      list: { style: "form", explode: false },
      json: { contentType: "application/json" },
    };
    const value = {
      deep: { a: 1 },
      list: [1, 2],
      json: [1],
      plain: "a&b",
      many: [1, 2],
      in: { x: 1 },
    };
    const { text } = await sentBody({ "application/x-www-form-urlencoded": { encoding } }, value);
    expect(text).toBe(
      "deep%5Ba%5D=1&list=1,2&json=%5B1%5D&plain=a%26b&many=1&many=2&in=%7B%22x%22%3A1%7D",
    );
  });

  it("openapiSource sends a multipart body with a part for each field, item and file", async () => {
    const schema = {
      type: "object",
      properties: { file: { type: "string", format: "binary" }, tags: {}, meta: {} },
    };
    const encoding = { file: { contentType: "image/png" } };
    const value = {
      file: { base64: "AQI=", filename: 'a"b.png' },
      tags: ["x", "y"],
      meta: { a: 1 },
    };
    const { type, text } = await sentBody({ "multipart/form-data": { schema, encoding } }, value);
    const boundary = /boundary=(.+)$/u.exec(type ?? "")?.[1] ?? "";
    expect(text.replaceAll(boundary, "B").split("\r\n")).toEqual([
      "--B",
      'Content-Disposition: form-data; name="file"; filename="a%22b.png"',
      "Content-Type: image/png",
      "",
      "\u0001\u0002",
      "--B",
      'Content-Disposition: form-data; name="tags"',
      "",
      "x",
      "--B",
      'Content-Disposition: form-data; name="tags"',
      "",
      "y",
      "--B",
      'Content-Disposition: form-data; name="meta"',
      "Content-Type: application/json",
      "",
      '{"a":1}',
      "--B--",
      "",
    ]);
    expect(await sentBody({ "multipart/form-data": { schema, encoding } }, value)).toEqual({
      type,
      text,
    });
  });

  it.each([
    ["multipart/form-data", { type: "string", format: "binary" }],
    ["form-data", true],
  ])("openapiSource sends a file as a %s body in a part named file", async (mediaType, schema) => {
    const { type, text } = await sentBody({ [mediaType]: { schema } }, { base64: "aGk=" });
    expect(type).toMatch(/^multipart\/form-data; boundary=/);
    expect(text).toContain('name="file"; filename="file"');
    expect(text).toContain("\r\n\r\nhi\r\n");
  });

  it.each([
    [["a", { b: 1 }], "0=a&1=%7B%22b%22%3A1%7D"],
    ["a=1&b=2", "a=1&b=2"],
  ])(
    "openapiSource sends a form body that is a list or a string: %j as %s",
    async (value, text) => {
      expect(await sentBody({ "application/x-www-form-urlencoded": {} }, value)).toMatchObject({
        text,
      });
    },
  );

  it("openapiSource refuses a file in a body if the file has no content", async () => {
    const sent = sentBody({ "image/png": {} }, { filename: "a.png" });
    await expect(sent).rejects.toMatchObject({ details: { code: "VALIDATION" } });
  });

  it("openapiSource accepts a binary body as base64", async () => {
    const media = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
    expect(await sentBody(media, { base64: "aGk=" })).toEqual({
      type: "application/octet-stream",
      text: "hi",
    });
  });
});

describe("bodies with several media types", () => {
  const content = {
    "image/png": {},
    "application/json": { schema: { type: "object", required: ["url"], properties: { url: {} } } },
  };
  const document = describing({ requestBody: { content } }, {}, "/things", "post");

  it.each([
    [{ body: { base64: "aGk=" } }, true],
    [{ body: { url: "x" } }, false],
    [{ body: { url: "x" }, content_type: "application/json" }, true],
    [{ body: { base64: "aGk=" }, content_type: "application/json" }, false],
    [{}, true],
  ])(
    "openapiSource checks a body by the schema of its media type: %j is valid: %s",
    async (input, ok) => {
      const waybill = waybillOf(document);
      expect((await waybill.execute("api.op", input, { dry_run: true })).ok).toBe(ok);
    },
  );

  it("explain shows the media types of an OpenAPI body as a choice", async () => {
    const { optional_inputs } = await waybillOf(document).explain("api.op");
    expect(optional_inputs).toContain("content_type:image/png|application/json=image/png");
  });
});

describe("a call through openapiSource", () => {
  it("the server receives an OpenAPI call with the method, URL, headers and body that preview shows", async () => {
    const server = await serve(echo);
    const operation = {
      parameters: [{ in: "header", name: "X-A", schema: { type: "string" } }],
      requestBody: { content: { "application/json": { schema: { type: "object" } } } },
    };
    const waybill = waybillOf(describing(operation, {}, "/a", "post"), {
      server: `${server}/v1?k=1`,
    });
    const result = await waybill.execute("api.op", { "X-A": "1", body: { t: "日本" } });
    expect(dataOf(result)).toMatchObject({
      method: "POST",
      url: "/v1/a?k=1",
      body: Buffer.from('{"t":"日本"}').toString("latin1"),
      headers: { "x-a": "1", "content-type": "application/json", "user-agent": "waybill" },
    });
  });
});
