import { describe, expect, it } from "vitest";
import type { Issue, JsonSchema } from "../envelope/index.ts";
import { loadChecker } from "./index.ts";

function pet(...kinds: readonly string[]): object {
  const properties = { kind: { enum: kinds }, name: { type: "string" } };
  return { type: "object", required: ["kind"], properties };
}

const checker = await loadChecker();

function issues(schema: JsonSchema, value: unknown): Issue[] {
  return checker.compile(schema).issues(value);
}

function shape(kind: string, name: string): JsonSchema {
  return {
    type: "object",
    required: ["kind", name],
    properties: { kind: { const: kind }, [name]: { type: "number" } },
  };
}

describe.each(["anyOf", "oneOf"])("issues of %s", (keyword) => {
  const shapes = { [keyword]: [shape("circle", "radius"), shape("square", "side")] };

  it("the issue of a value that matches no form of a union names the types of all forms", () => {
    const schema = { [keyword]: [{ type: "string" }, { type: ["number", "null"] }] };
    expect(issues(schema, true)).toEqual([
      { path: "", message: "must be string or number or null, not boolean" },
    ]);
  });

  it("the issue of a value that matches no form of a union lists the constants of all forms", () => {
    const schema = { [keyword]: [{ const: "open" }, { const: "closed" }] };
    expect(issues(schema, "opne")).toEqual([
      {
        path: "",
        message: "must be one of the allowed values",
        allowed: ["open", "closed"],
        did_you_mean: "open",
      },
    ]);
  });

  it("the issue of a union value is about the form that the discriminator names", () => {
    expect(issues(shapes, { kind: "square", side: "x" })).toEqual([
      { path: "/side", message: "must be number, not string" },
    ]);
    expect(issues(shapes, { kind: "circle" })).toEqual([
      { path: "/radius", message: "is required", missing: true },
    ]);
  });

  it("the issue of a union value lists the discriminators if none matches", () => {
    expect(issues(shapes, { kind: "sqare" })).toEqual([
      {
        path: "/kind",
        message: "must be one of the allowed values",
        allowed: ["circle", "square"],
        did_you_mean: "square",
      },
    ]);
  });

  it("the issue of a union value lists all values of a discriminator that is an enum", () => {
    const schema = { [keyword]: [pet("cat"), pet("dog", "puppy")] };
    expect(issues(schema, { kind: "cow" })).toEqual([
      {
        path: "/kind",
        message: "must be one of the allowed values",
        allowed: ["cat", "dog", "puppy"],
      },
    ]);
    expect(issues(schema, { kind: "dog", name: 1 })).toEqual([
      { path: "/name", message: "must be string, not number" },
    ]);
  });

  it("each list item that matches no form of a union gets its own issue", () => {
    const schema = { type: "array", items: shapes };
    const value = [{ kind: "circle" }, { kind: "square", side: 1 }, { kind: "square" }];
    expect(issues(schema, value).map(({ path }) => path)).toEqual(["/0/radius", "/2/side"]);
  });

  it("each member that matches no form of a union gets its own issue, even if names start with equal letters", () => {
    const schema = { additionalProperties: shapes };
    const value = { a: { kind: "circle" }, ab: { kind: "square" } };
    expect(issues(schema, value).map(({ path }) => path)).toEqual(["/a/radius", "/ab/side"]);
  });

  it("the issue of a union value points into nested unions and references", () => {
    const schema = {
      $defs: { inner: { [keyword]: [{ type: "number" }, shape("circle", "radius")] } },
      [keyword]: [{ type: "string" }, { $ref: "#/$defs/inner" }],
    };
    expect(issues(schema, { kind: "circle", radius: "x" })).toEqual([
      { path: "/radius", message: "must be number, not string" },
    ]);
  });

  it("the issue of a union value names the types of a nested union", () => {
    const inner = { [keyword]: [{ type: "number" }, { type: "null" }] };
    expect(issues({ [keyword]: [{ type: "string" }, inner] }, [])).toEqual([
      { path: "", message: "must be string or number or null, not array" },
    ]);
  });

  it("the issue of a union value is about the nearest form if there is no discriminator", () => {
    const forms = [{ required: ["a", "b", "c"] }, { required: ["x"], minProperties: 1 }];
    expect(issues({ [keyword]: forms }, { x0: 1 })).toHaveLength(3);
    expect(issues({ [keyword]: forms }, { a: 1 })[0]).toMatchObject({ missing: true });
  });
});

describe("issues of any union", () => {
  it("the issue of a value that matches two forms of a oneOf says so", () => {
    expect(issues({ oneOf: [{ type: "number" }, { minimum: 1 }] }, 5)).toEqual([
      { path: "", message: "matches several forms of the schema, but only one may match" },
    ]);
  });

  it("a value that matches no form of a union gets at least a general issue", () => {
    const forms = [shape("circle", "radius"), { type: "string" }];
    const [found] = issues({ anyOf: forms }, { kind: "oval", radius: 1 });
    expect(found).toEqual({ path: "", message: "must be string, not object" });
    expect(issues({ anyOf: [] }, 1)[0]!.message).toBe(
      "matches none of the forms that the schema allows",
    );
  });
});
