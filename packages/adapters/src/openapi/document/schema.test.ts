import { loadChecker } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import { describe, expect, it } from "vitest";
import { describing, sourceOf, waybillOf } from "../fixtures/describe-api.ts";

type Raw = Record<string, unknown>;

const JSON_TYPE = "application/json";

/** The input and output schema of an operation that accepts and returns a `Thing`. */
async function readSchemas(
  schemas: Raw,
  version = "3.0.3",
): Promise<{ input: JsonSchema; output: JsonSchema }> {
  const content = { [JSON_TYPE]: { schema: { $ref: "#/components/schemas/Thing" } } };
  const operation = { requestBody: { required: true, content }, responses: { 200: { content } } };
  const document = {
    ...describing(operation, { components: { schemas } }, "/t", "post"),
    openapi: version,
  };
  const source = sourceOf(document);
  await source.list();
  const { inputSchema, outputSchema } = source.describe("api.op");
  return { input: inputSchema, output: outputSchema };
}

async function accepts(schemas: Raw, values: readonly unknown[], version?: string) {
  const checker = await loadChecker();
  const { input, output } = await readSchemas(schemas, version);
  const [checkInput, checkOutput] = [checker.compile(input), checker.compile(output)];
  return values.map((value) => [checkInput.check({ body: value }), checkOutput.check(value)]);
}

function form(name: string): Raw {
  return { $ref: `#/components/schemas/${name}` };
}

const YES = [true, true];
const NO = [false, false];

describe("schemas of OpenAPI 3.0", () => {
  it("a nullable OpenAPI 3.0 schema accepts null", async () => {
    const Thing = {
      type: "object",
      properties: {
        a: { type: "string", nullable: true },
        b: { type: "string", enum: ["x"], nullable: true },
        c: { nullable: true, allOf: [{ $ref: "#/components/schemas/Other" }] },
        d: { type: "string" },
      },
    };
    const Other = { type: "object", required: ["x"] };
    const values = [{ a: null, b: null, c: null }, { b: "y" }, { c: {} }, { d: null }];
    expect(await accepts({ Thing, Other }, values)).toEqual([YES, NO, NO, NO]);
  });

  it("exclusiveMinimum and exclusiveMaximum can be booleans in OpenAPI 3.0", async () => {
    const Thing = {
      type: "number",
      minimum: 1,
      exclusiveMinimum: true,
      maximum: 3,
      exclusiveMaximum: false,
    };
    expect(await accepts({ Thing }, [1, 1.5, 3])).toEqual([NO, YES, YES]);
  });

  it("keywords beside a $ref are ignored in OpenAPI 3.0", async () => {
    const Thing = { $ref: "#/components/schemas/Other", type: "number", description: "words" };
    expect(await accepts({ Thing, Other: { type: "string" } }, ["x", 1])).toEqual([YES, NO]);
  });
});

describe("schemas of OpenAPI 3.1", () => {
  it("keywords beside a $ref are applied in OpenAPI 3.1", async () => {
    const Thing = { $ref: "#/components/schemas/Other", minLength: 2 };
    const schemas = { Thing, Other: { type: ["string", "null"] } };
    expect(await accepts(schemas, ["xy", "x", null], "3.1.0")).toEqual([YES, NO, YES]);
  });

  it("exclusiveMinimum is a number in OpenAPI 3.1", async () => {
    const Thing = { type: "integer", exclusiveMinimum: 1, const: 2 };
    expect(await accepts({ Thing }, [1, 2, 3], "3.1.0")).toEqual([NO, YES, NO]);
  });
});

describe("conditions and tuples of JSON Schema 2020-12", () => {
  it("a tuple schema that allows no further items accepts its listed items", async () => {
    const Thing = {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "integer" }],
      items: false,
    };
    const values = [["a", 1], ["a"], [1, 1], ["a", 1, 2]];
    expect(await accepts({ Thing }, values, "3.1.0")).toEqual([YES, YES, NO, NO]);
  });

  it("an if/then condition of an OpenAPI schema decides which members are required", async () => {
    const Thing = {
      type: "object",
      properties: { kind: { enum: ["card", "cash"] } },
      if: { properties: { kind: { const: "card" } }, required: ["kind"] },
      // oxlint-disable-next-line unicorn/no-thenable
      then: { properties: { number: { type: "string" } }, required: ["number"] },
      else: { $ref: "#/components/schemas/Cash" },
      unevaluatedProperties: false,
    };
    const Cash = { properties: { coins: { type: "integer" } }, additionalProperties: false };
    const values = [
      { kind: "card", number: "4" },
      { kind: "card" },
      { kind: "cash", coins: 3 },
      { kind: "cash", coins: "many" },
    ];
    expect(await accepts({ Thing, Cash }, values, "3.1.0")).toEqual([YES, NO, YES, NO]);
  });

  it("unevaluatedProperties of an OpenAPI schema accepts the members of dependent schemas", async () => {
    const Thing = {
      type: "object",
      dependentSchemas: { tip: { properties: { tip: true, to: { type: "string" } } } },
      unevaluatedProperties: false,
    };
    const values = [{ tip: 1, to: "Ada" }, { to: "Ada" }];
    expect(await accepts({ Thing }, values, "3.1.0")).toEqual([YES, NO]);
  });

  it("an OpenAPI schema whose condition refers to the schema itself is checked without an endless loop", async () => {
    const Thing = { type: "object", if: { required: ["a"] }, else: form("Thing") };
    expect(await accepts({ Thing }, [{ a: 1 }, {}], "3.1.0")).toEqual([YES, YES]);
  });
});

describe("schemas of any version", () => {
  it("readOnly properties of an OpenAPI schema are optional in the input, and writeOnly properties in the output", async () => {
    const Thing = {
      type: "object",
      required: ["id", "secret", "name"],
      properties: {
        id: { $ref: "#/components/schemas/Id" },
        secret: { type: "string", writeOnly: true },
        name: { type: "string" },
      },
    };
    const values: unknown[] = [
      { name: "x", secret: "s" },
      { id: 1, name: "x" },
      { id: 1, secret: "s", name: "x" },
    ];
    const found = await accepts({ Thing, Id: { type: "integer", readOnly: true } }, values);
    expect(found).toEqual([[true, false], [false, true], YES]);
  });

  it("openapiSource checks values against recursive and shared schemas", async () => {
    const ref = { $ref: "#/components/schemas/Thing" };
    const Thing = {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string" },
        left: ref,
        right: ref,
        all: { type: "array", items: ref },
      },
    };
    const good = { name: "a", left: { name: "b", all: [{ name: "c" }] }, right: { name: "d" } };
    const bad = { name: "a", left: { name: "b", all: [{ name: 1 }] } };
    expect(await accepts({ Thing }, [good, bad])).toEqual([YES, NO]);
  });

  it("an OpenAPI schema without additional properties can be the base of another schema", async () => {
    const Thing = { allOf: [form("Base")], properties: { own: {} }, additionalProperties: false };
    const Base = { type: "object", properties: { id: {} }, additionalProperties: false };
    const values = [{ id: 1, own: 2 }, 7];
    expect(await accepts({ Thing, Base }, values)).toEqual([YES, NO]);
    expect(await accepts({ Thing: Base }, [{ id: 1, own: 2 }])).toEqual([NO]);
  });

  it("openapiSource drops the contradictory parts of a schema and checks the other parts", async () => {
    const Thing = {
      type: "object",
      required: ["a", "undeclared"],
      additionalProperties: false,
      properties: {
        a: { allOf: [{ type: "string" }, { type: "integer" }] },
        b: { type: "string", pattern: "/^[a-z]+$/" },
        c: { type: "string", pattern: "/^[a-z]+$/i" },
      },
    };
    const values = [{ a: "x" }, { a: 1, b: "x", c: "X" }, { a: true }, { a: 1, b: "1" }];
    expect(await accepts({ Thing }, values)).toEqual([YES, YES, NO, NO]);
  });

  it("openapiSource checks values against a schema whose allOf contains the schema itself", async () => {
    const schemas = {
      Thing: {
        allOf: [{ $ref: "#/components/schemas/Thing" }, { required: ["a"] }],
        type: "object",
      },
    };
    expect(await accepts(schemas, [{ a: 1 }, {}])).toEqual([YES, NO]);
  });

  it("openapiSource checks values against a schema whose base lists its derived schemas in oneOf", async () => {
    const Thing = {
      type: "object",
      required: ["kind"],
      oneOf: [{ $ref: "#/components/schemas/Cat" }],
      discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat" } },
    };
    const Cat = { allOf: [{ $ref: "#/components/schemas/Thing" }, { required: ["lives"] }] };
    expect(await accepts({ Thing, Cat }, [{ kind: "cat", lives: 9 }, {}])).toEqual([YES, NO]);
  });

  it("the discriminator of an OpenAPI union selects the schema that a value is checked against", async () => {
    const Thing = {
      oneOf: [form("Cat"), form("Dog")],
      discriminator: {
        propertyName: "kind",
        mapping: { cat: "Cat", dog: "#/components/schemas/Dog" },
      },
    };
    const kind = { type: "string" };
    const Cat = { type: "object", required: ["kind", "lives"], properties: { kind } };
    const Dog = { type: "object", required: ["kind", "tricks"], properties: { kind } };
    const values: unknown[] = [
      { kind: "cat", lives: 9 },
      { kind: "dog", lives: 9 },
      { kind: "dog", tricks: [] },
    ];
    expect(await accepts({ Thing, Cat, Dog }, values)).toEqual([YES, NO, YES]);
  });

  it("openapiSource accepts a value that matches two schemas of oneOf", async () => {
    const Thing = { oneOf: [{ type: "object" }, { type: "object", properties: { a: {} } }] };
    expect(await accepts({ Thing }, [{ a: 1 }])).toEqual([YES]);
  });

  it("openapiSource ignores malformed keywords of a schema and checks the other keywords", async () => {
    const Thing = {
      type: "object",
      required: ["a", 7],
      properties: {
        a: { type: "string", pattern: "(?<!oops", format: "email", minLength: "three" },
        b: { type: "integer", enum: ["1", "2"] },
        c: { $ref: "#/components/schemas/Nothing" },
        d: { type: "text", items: [], properties: 7, allOf: {} },
        constructor: { $ref: "#/components/schemas/constructor" },
      },
    };
    const values: unknown[] = [{ a: "x", b: "1", c: 1, d: 1, constructor: "x" }, { b: "1" }];
    expect(await accepts({ Thing, constructor: { type: "string" } }, values)).toEqual([YES, NO]);
  });

  it("the schema of an OpenAPI operation contains only the definitions that it uses", async () => {
    const schemas = {
      Thing: { type: "object", properties: { a: { $ref: "#/components/schemas/A" } } },
      A: { type: "object", properties: { thing: { $ref: "#/components/schemas/Thing" } } },
      Unused: { type: "string" },
    };
    const { output } = await readSchemas(schemas);
    const printed = JSON.parse(JSON.stringify(output)) as { $defs: object };
    expect(Object.keys(printed.$defs).toSorted()).toEqual(["A", "Thing"]);
  });

  it("explain shows the default of an OpenAPI input, and a request does not send the default", async () => {
    const parameters = [{ in: "query", name: "size", schema: { type: "integer", default: 30 } }];
    const waybill = waybillOf(describing({ parameters }));
    const { data } = await waybill.execute("api.op", {}, { dry_run: true });
    expect(data).toMatchObject({ requests: [{ url: "https://api.example.com/things" }] });
    expect((await waybill.explain("api.op")).optional_inputs).toEqual(["size:integer=30"]);
  });
});

describe("inputs that do not match the schema", () => {
  it("the error for an unknown input of an OpenAPI operation suggests the nearest name", async () => {
    const parameters = [{ in: "query", name: "state", schema: { enum: ["open"] } }];
    const { error } = await waybillOf(describing({ parameters })).execute("api.op", {
      stat: "open",
    });
    expect(error).toMatchObject({
      code: "VALIDATION",
      details: { issues: [{ did_you_mean: "state" }] },
    });
  });
});
