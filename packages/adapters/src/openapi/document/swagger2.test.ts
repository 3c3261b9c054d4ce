import { describe, expect, it } from "vitest";
import { sourceOf, waybillOf } from "../fixtures/describe-api.ts";

type Raw = Record<string, unknown>;

function swagger(operation: Raw, more: Raw = {}): Raw {
  return {
    swagger: "2.0",
    info: { title: "Old", version: "1" },
    host: "api.example.com",
    basePath: "/v1",
    schemes: ["http", "https"],
    ...more,
    paths: { "/things": { post: { operationId: "op", responses: { 200: {} }, ...operation } } },
  };
}

function request(operation: Raw, input: Raw, more: Raw = {}) {
  return sourceOf(swagger(operation, more)).preview("api.op", input);
}

describe("Swagger 2.0 descriptions", () => {
  it("the server of a Swagger 2.0 API comes from schemes, host and basePath", async () => {
    expect((await request({}, {})).url).toBe("https://api.example.com/v1/things");
  });

  it.each([
    ["csv", "l=a,b"],
    ["ssv", "l=a%20b"],
    ["tsv", "l=a%09b"],
    ["pipes", "l=a%7Cb"],
    ["multi", "l=a&l=b"],
    [undefined, "l=a,b"],
  ])(
    "a list parameter with the Swagger 2.0 collectionFormat %s is sent as %s",
    async (collectionFormat, query) => {
      const parameters = [
        { in: "query", name: "l", type: "array", items: { type: "string" }, collectionFormat },
      ];
      expect((await request({ parameters }, { l: ["a", "b"] })).query.join("&")).toBe(query);
    },
  );

  it("a Swagger 2.0 body parameter becomes the request body", async () => {
    const parameters = [{ $ref: "#/parameters/Thing" }];
    const more = {
      parameters: {
        Thing: {
          in: "body",
          name: "thing",
          required: true,
          schema: { $ref: "#/definitions/Thing" },
        },
      },
      definitions: {
        Thing: { type: "object", required: ["a"], properties: { a: { type: "integer" } } },
      },
    };
    expect((await request({ parameters }, { body: { a: 1 } }, more)).body).toBe('{"a":1}');
    const waybill = waybillOf(swagger({ parameters }, more));
    const { error } = await waybill.execute("api.op", { body: {} }, { dry_run: true });
    expect(error).toMatchObject({ code: "VALIDATION", details: { issues: [{ path: "/body/a" }] } });
  });

  it("Swagger 2.0 formData parameters become a form, with files as multipart", async () => {
    const parameters = [
      { in: "formData", name: "file", type: "file", required: true },
      { in: "formData", name: "n", type: "integer" },
    ];
    const input = { body: { file: "text", n: 1 } };
    const { headers, body } = await request(
      { parameters, consumes: ["multipart/form-data"] },
      input,
    );
    expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(String(body)).toContain('name="file"; filename="file"');
    const plain = await request({ parameters: [parameters[1]] }, { body: { n: 1 } });
    expect(plain).toMatchObject({ body: "n=1" });
  });

  it("Swagger 2.0 responses become output schemas, and its security definitions become credentials", async () => {
    const operation = {
      responses: { 200: { schema: { $ref: "#/definitions/Thing" } } },
      security: [{ old: [] }],
    };
    const more = {
      definitions: { Thing: { type: "object", properties: { a: { type: "integer" } } } },
      securityDefinitions: { old: { type: "basic" } },
    };
    const waybill = waybillOf(swagger(operation, more), {
      credentials: { old: "u:p" },
      hosts: ["api.example.com"],
    });
    expect(await waybill.explain("api.op")).toMatchObject({ output_fields: ["a?:integer"] });
    const { data } = await waybill.execute("api.op", {}, { dry_run: true });
    expect(data).toMatchObject({ requests: [{ headers: { authorization: "[redacted]" } }] });
  });
});
